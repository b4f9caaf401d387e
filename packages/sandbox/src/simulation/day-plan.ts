import type { Leg } from "./legs.ts";
import { draw, drawBetween, topic } from "./random.ts";
import { type Round, type RoundStyle, WEEK_DAYS } from "./rounds.ts";
import type { Site } from "./sites.ts";

/** What a vehicle and its driver are bound to: a weekly round, driven at hours of their own. */
export interface Duty {
  readonly seed: number;
  readonly style: RoundStyle;
  readonly round: Round;
  /** By how many days the week is shifted, so that not everybody rests on Saturday and Sunday. */
  readonly weekShift: number;
  /** When this duty's days begin, in ms after UTC midnight; half a day for those who drive at night. */
  readonly dayOffsetMs: number;
  /** When work usually begins, in ms after the duty's day began. */
  readonly shiftStartMs: number;
  /** The week, counted by the duty's own days, in which the vehicle entered service. */
  readonly serviceWeek: number;
}

/** `idle`: engine on, standing; `work` and `break`: standing at a stop; `closing`: the last work of a shift. */
type SpellKind = "idle" | "drive" | "work" | "break" | "closing";

/** One uninterrupted thing that a vehicle does. Times are epoch ms; km and engine ms count from the entry into service. */
export interface Spell {
  readonly kind: SpellKind;
  readonly start: number;
  readonly end: number;
  readonly km: number;
  readonly engineMs: number;
  /** The leg that is driven or about to begin, or that has just ended. */
  readonly leg: Leg;
  /** Where the vehicle stands; while driving, where it set out. */
  readonly site: Site;
  /** Set while waiting counts as availability rather than as work. */
  readonly isWaiting: boolean;
}

export const DAY_MS = 86_400_000;
/** The longest run of days off that a round can have. */
export const LONGEST_REST_DAYS = 8;
const MINUTE = 60_000;
const EPOCH_WEEKDAY = 3;

/** Hours at stops in a whole day, shared among them. */
const STOP_HOURS: Record<RoundStyle, number> = { haul: 2.2, regional: 2.6, distribution: 5, local: 4.5, visits: 2.6 };
/** EU 561/2006: 45 minutes of break after at most four and a half hours of driving. */
const LONGEST_DRIVING_MS = 4.5 * 60 * MINUTE;

const SHIFT_START = topic("start of a shift");
const STOP_LENGTH = topic("length of a stop");
const WAITING = topic("waiting at a stop");

const wholeMinutes = (ms: number) => Math.round(ms / MINUTE) * MINUTE;

/** The number of the duty's day in which an instant falls. */
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

/** km driven and engine ms run before a day begins: whole weeks by multiplication, the rest from the round's table. */
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

/** The legs of a day; none on days off and before the vehicle entered service. */
export function legsOf(duty: Duty, day: number): readonly Leg[] {
  const { week, weekday } = weekdayOf(duty, day);
  return week < duty.serviceWeek ? [] : (duty.round.days[weekday] ?? []);
}

/** When the shift of a day begins, in epoch ms. */
export function shiftStart(duty: Duty, day: number): number {
  const late = drawBetween(-18, 18, duty.seed, SHIFT_START, day) * MINUTE;
  return day * DAY_MS + duty.dayOffsetMs + wholeMinutes(duty.shiftStartMs + late);
}

/** Everything a vehicle does in a day, in order and without gaps; nothing on days off. */
export function planDay(duty: Duty, day: number): Spell[] {
  const legs = legsOf(duty, day);
  const spells: Spell[] = [];
  let { km, engineMs } = totalsBefore(duty, day);
  let at = shiftStart(duty, day);
  let drivenMs = 0;
  const add = (kind: SpellKind, ms: number, leg: Leg, site: Site, isWaiting = false) => {
    spells.push({ kind, start: at, end: at + ms, km, engineMs, leg, site, isWaiting });
    at += ms;
  };
  for (const [index, leg] of legs.entries()) {
    add("idle", leg.idleMs, leg, leg.from);
    engineMs += leg.idleMs;
    add("drive", leg.driveMs, leg, leg.from);
    engineMs += leg.driveMs;
    km += leg.km;
    drivenMs += leg.driveMs;
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

/** When the first shift of a vehicle begins, in epoch ms. */
export function startOfService(duty: Duty): number {
  const monday = duty.serviceWeek * WEEK_DAYS - EPOCH_WEEKDAY - duty.weekShift;
  const firstWorkingDay = Math.max(
    0,
    duty.round.days.findIndex((legs) => legs.length > 0),
  );
  return shiftStart(duty, monday + firstWorkingDay);
}
