import type { Leg } from "./legs.ts";
import { draw, drawBetween, topic } from "./random.ts";
import { type Round, type RoundStyle, WEEK_DAYS } from "./rounds.ts";
import type { Site } from "./sites.ts";

/** The schedule of a vehicle and its driver: a weekly round, driven at individual hours. */
export interface Duty {
  readonly seed: number;
  readonly style: RoundStyle;
  readonly round: Round;
  /** Days by which the week is shifted, so that vehicles have different days off. */
  readonly weekShift: number;
  /** When this duty's days start, in ms after UTC midnight; half a day later for night drivers. */
  readonly dayOffsetMs: number;
  /** Usual start of work, in ms after the start of the duty's day. */
  readonly shiftStartMs: number;
  /** The week in which the vehicle entered service, counted in the duty's own days. */
  readonly serviceWeek: number;
}

/** `idle`: stationary with the engine on; `work` and `break`: parked at a stop; `closing`: the last work of a shift. */
type SpellKind = "idle" | "drive" | "work" | "break" | "closing";

/** One uninterrupted activity of a vehicle. Times are epoch ms; km and engine ms are totals since entry into service. */
export interface Spell {
  readonly kind: SpellKind;
  readonly start: number;
  readonly end: number;
  readonly km: number;
  readonly engineMs: number;
  /** The current, next or last leg. */
  readonly leg: Leg;
  /** Where the vehicle is parked or departed from. */
  readonly site: Site;
  /** Set if waiting is recorded as availability instead of work. */
  readonly isWaiting: boolean;
}

export const DAY_MS = 86_400_000;
/** Maximum consecutive days off in a round. */
export const LONGEST_REST_DAYS = 8;
const MINUTE = 60_000;
const EPOCH_WEEKDAY = 3;

/** Total hours at stops per day. */
const STOP_HOURS: Record<RoundStyle, number> = { haul: 2.2, regional: 2.6, distribution: 5, local: 4.5, visits: 2.6 };
/** EU 561/2006: 45 minutes of break after at most four and a half hours of driving. */
const LONGEST_DRIVING_MS = 4.5 * 60 * MINUTE;

const SHIFT_START = topic("start of a shift");
const STOP_LENGTH = topic("length of a stop");
const WAITING = topic("waiting at a stop");

const wholeMinutes = (ms: number) => Math.round(ms / MINUTE) * MINUTE;

/** The number of the duty's day that contains an instant. */
export function dayOf(duty: Duty, at: number): number {
  return Math.floor((at - duty.dayOffsetMs) / DAY_MS);
}

export interface Weekday {
  readonly week: number;
  readonly weekday: number;
}

export function weekdayOf(duty: Duty, day: number): Weekday {
  const shifted = day + EPOCH_WEEKDAY + duty.weekShift;
  const week = Math.floor(shifted / WEEK_DAYS);
  return { week, weekday: shifted - week * WEEK_DAYS };
}

/** km and engine ms before a day: full weeks by multiplication, the remainder from the round's table. */
export function totalsBefore(duty: Duty, day: number): { readonly km: number; readonly engineMs: number } {
  const { week, weekday } = weekdayOf(duty, day);
  const weeks = week - duty.serviceWeek;
  if (weeks < 0) return { km: 0, engineMs: 0 };
  const { kmBefore, engineMsBefore } = duty.round;
  return {
    km: weeks * (kmBefore[WEEK_DAYS] ?? 0) + (kmBefore[weekday] ?? 0),
    engineMs: weeks * (engineMsBefore[WEEK_DAYS] ?? 0) + (engineMsBefore[weekday] ?? 0),
  };
}

/** The legs of a day; none on days off or before entry into service. */
export function legsOf(duty: Duty, day: number): readonly Leg[] {
  const { week, weekday } = weekdayOf(duty, day);
  return week < duty.serviceWeek ? [] : (duty.round.days[weekday] ?? []);
}

/** Start of the shift on a day, in epoch ms. */
export function shiftStart(duty: Duty, day: number): number {
  const late = drawBetween(-18, 18, duty.seed, SHIFT_START, day) * MINUTE;
  return day * DAY_MS + duty.dayOffsetMs + wholeMinutes(duty.shiftStartMs + late);
}

/** The activities of a vehicle on a day, in order and without gaps, up to the one that has begun at `until`; none on days off. */
export function planDay(duty: Duty, day: number, until = Number.POSITIVE_INFINITY): Spell[] {
  const legs = legsOf(duty, day);
  const spells: Spell[] = [];
  if (legs.length === 0) return spells;
  let at = shiftStart(duty, day);
  if (at > until) return spells;
  let { km, engineMs } = totalsBefore(duty, day);
  let drivenMs = 0;
  const add = (kind: SpellKind, ms: number, leg: Leg, site: Site, isWaiting = false) => {
    spells.push({ kind, start: at, end: at + ms, km, engineMs, leg, site, isWaiting });
    at += ms;
  };
  for (let index = 0; at <= until; index++) {
    const leg = legs[index] as Leg;
    add("idle", leg.idleMs, leg, leg.from);
    engineMs += leg.idleMs;
    if (at > until) break;
    add("drive", leg.driveMs, leg, leg.from);
    engineMs += leg.driveMs;
    km += leg.km;
    drivenMs += leg.driveMs;
    if (at > until) break;
    const next = legs[index + 1];
    if (!next) {
      if (!leg.isPrivate) add("closing", wholeMinutes(drawBetween(6, 16, duty.seed, STOP_LENGTH, day, -1) * MINUTE), leg, leg.to);
      break;
    }
    const share = (STOP_HOURS[duty.style] * 60 * MINUTE) / (legs.length - 1);
    const stay = wholeMinutes(share * drawBetween(0.6, 1.4, duty.seed, STOP_LENGTH, day, index));
    if (drivenMs + next.driveMs > LONGEST_DRIVING_MS) {
      add("break", Math.max(stay, wholeMinutes(drawBetween(46, 58, duty.seed, STOP_LENGTH, day, index) * MINUTE)), leg, leg.to);
      drivenMs = 0;
    } else add("work", stay, leg, leg.to, draw(duty.seed, WAITING, day, index) < 0.25);
  }
  return spells;
}

/** Start of a vehicle's first shift, in epoch ms. */
export function startOfService(duty: Duty): number {
  const monday = duty.serviceWeek * WEEK_DAYS - EPOCH_WEEKDAY - duty.weekShift;
  const firstWorkingDay = Math.max(
    0,
    duty.round.days.findIndex((legs) => legs.length > 0),
  );
  return shiftStart(duty, monday + firstWorkingDay);
}
