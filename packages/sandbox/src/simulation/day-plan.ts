import { LIMITS } from "@fleetwire/driving-time";
import type { Leg } from "./legs.ts";
import { ODDITIES, type Oddity, oddityOf, oddMs } from "./oddities.ts";
import { draw, drawBetween, topic } from "./random.ts";
import { LONGEST_BREAK_MS, type Round, type RoundStyle, SHORTEST_BREAK_MS, STYLES } from "./rounds.ts";
import type { Site } from "./sites.ts";

/** The schedule of a vehicle and its drivers: a weekly round, driven at individual hours, with at most one shift on each of the duty's days. */
export interface Duty {
  readonly seed: number;
  readonly style: RoundStyle;
  readonly round: Round;
  /** Length of the duty's days: 24 hours, or 12 where drivers take turns. */
  readonly dayMs: number;
  /** Days by which the week is shifted, so that vehicles have different days off. */
  readonly weekShift: number;
  /** When this duty's days start, in ms after UTC midnight; half a day later for night drivers. */
  readonly dayOffsetMs: number;
  /** Usual start of work, in ms after the start of the duty's day. */
  readonly shiftStartMs: number;
  /** The day on which the vehicle entered service and its first round began, counted like shifted days. */
  readonly serviceDay: number;
  /** Whether four drivers take turns, by day and by night. */
  readonly isShared: boolean;
  /** Whether its weeks differ from each other, as in the rhythm "week". */
  readonly isVaried: boolean;
  /** Whether two drivers are in the cab and take turns at the wheel. */
  readonly isTeam: boolean;
}

/** `idle`: stationary with the engine on; `work` and `break`: parked at a stop; `closing`: the last work of a shift. */
type SpellKind = "idle" | "drive" | "work" | "break" | "closing";

/** One uninterrupted activity of a vehicle. Times are epoch ms; km and engine ms are totals since entry into service. */
export interface Spell {
  readonly kind: SpellKind;
  /** The duty's day. */
  readonly day: number;
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
  /** Which of a team has the wheel; 0 with one driver. */
  readonly wheel: number;
}

export const DAY_MS = 86_400_000;
/** Maximum consecutive days off in a round. */
export const LONGEST_REST_DAYS = 20;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const EPOCH_WEEKDAY = 3;
/** In ordinary weeks, drivers take a break before they have worked so long, so that a shift never has six hours of work without one. */
const LONGEST_WORK_MS = 5.6 * 60 * MINUTE;
const SHIFT_START = topic("start of a shift");
const STOP_LENGTH = topic("length of a stop");
const WAITING = topic("waiting at a stop");

const wholeMinutes = (ms: number) => Math.round(ms / MINUTE) * MINUTE;

/** The number of the duty's day that contains an instant. */
export function dayOf(duty: Duty, at: number): number {
  return Math.floor((at - duty.dayOffsetMs) / duty.dayMs);
}

/** How many of a duty's days fit in 24 hours. */
export function daysPerDate(duty: Duty): number {
  return DAY_MS / duty.dayMs;
}

/** Days on, then as many off, for drivers who take turns. */
const DAYS_ON = 4;
export const CREW_SIZE = 4;

/** Which of its drivers has a vehicle on a day: two take turns for four days, one by day and one by night, and then two others. */
export function crewMember(duty: Duty, day: number): number {
  if (!duty.isShared) return 0;
  const turn = day + duty.weekShift;
  return 2 * (Math.floor(turn / (2 * DAYS_ON)) & 1) + (turn & 1);
}

/** How many rounds a vehicle has completed since it entered service, negative before, and the day of the current one. */
export function roundDayOf(duty: Duty, day: number): { readonly rounds: number; readonly at: number } {
  const { length } = duty.round.days;
  const served = day + EPOCH_WEEKDAY * daysPerDate(duty) + duty.weekShift - duty.serviceDay;
  const rounds = Math.floor(served / length);
  return { rounds, at: served - rounds * length };
}

/** km and engine ms before a day: full rounds by multiplication, the remainder from the round's table. */
export function totalsBefore(duty: Duty, day: number): { readonly km: number; readonly engineMs: number } {
  const { rounds, at } = roundDayOf(duty, day);
  if (rounds < 0) return { km: 0, engineMs: 0 };
  const { days, kmBefore, engineMsBefore } = duty.round;
  return {
    km: rounds * (kmBefore[days.length] ?? 0) + (kmBefore[at] ?? 0),
    engineMs: rounds * (engineMsBefore[days.length] ?? 0) + (engineMsBefore[at] ?? 0),
  };
}

/** The legs of a day; none on days off or before entry into service. */
export function legsOf(duty: Duty, day: number): readonly Leg[] {
  const { rounds, at } = roundDayOf(duty, day);
  return rounds < 0 ? [] : (duty.round.days[at] ?? []);
}

/** What goes wrong on a day, if anything. */
export function oddityOn(duty: Duty, day: number): Oddity | undefined {
  const { rounds, at } = roundDayOf(duty, day);
  return rounds < 0 ? undefined : duty.round.oddities?.get(at);
}

/** Start of the shift on a day, in epoch ms: up to 18 minutes off the usual time, or 9 on a half day. */
export function shiftStart(duty: Duty, day: number): number {
  const late = (drawBetween(-18, 18, duty.seed, SHIFT_START, day) * MINUTE) / daysPerDate(duty);
  const oddity = oddityOn(duty, day);
  const delay = oddity === "shortWeekend" || oddity === "lateSaturday" ? oddMs(oddity, duty.seed, day) : 0;
  return day * duty.dayMs + duty.dayOffsetMs + wholeMinutes(duty.shiftStartMs + late) + delay;
}

/** The activities of a vehicle on a day, in order and without gaps; none on days off. */
export function planDay(duty: Duty, day: number): Spell[] {
  return spellsBetween(duty, day, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
}

/** The activity of a vehicle on a day at an instant, or the last one if the shift has ended; undefined before the shift and on days off. */
export function latestSpell(duty: Duty, day: number, at: number): Spell | undefined {
  return spellsBetween(duty, day, at, at)[0];
}

/** The activities of a day from the one that ends after `from`, or the last one, to the one that has begun at `until`. */
function spellsBetween(duty: Duty, day: number, from: number, until: number): Spell[] {
  const legs = legsOf(duty, day);
  const spells: Spell[] = [];
  const lastLeg = legs.at(-1);
  if (!lastLeg) return spells;
  let at = shiftStart(duty, day);
  if (at > until) return spells;
  let { km, engineMs } = totalsBefore(duty, day);
  let drivenMs = 0;
  let workedMs = 0;
  let wheel = 0;
  const oddity = oddityOn(duty, day);
  const waitMs = oddity === "longWait" ? longWaitMs(duty, day) : 0;
  const lastKind = lastLeg.isPrivate ? "drive" : "closing";
  const add = (kind: SpellKind, ms: number, leg: Leg, site: Site, isWaiting = false) => {
    const end = at + ms;
    if (end > from || (leg === lastLeg && kind === lastKind))
      spells.push({ kind, day, start: at, end, km, engineMs, leg, site, isWaiting, wheel });
    at = end;
    if (kind !== "break" && !isWaiting) workedMs += ms;
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
    const share = (STYLES[duty.style].stopHours * HOUR) / (legs.length - 1);
    const stay = wholeMinutes(share * drawBetween(0.6, 1.4, duty.seed, STOP_LENGTH, day, index));
    if (waitMs > 0 && index === 0) add("work", waitMs, leg, leg.to, true);
    if (oddity === "longNight" && index === 0) {
      add("break", SHORTEST_BREAK_MS, leg, leg.to);
      drivenMs = 0;
      workedMs = 0;
      add("work", oddMs(oddity, duty.seed, day), leg, leg.to);
    }
    const willDriveMs = drivenMs + next.driveMs;
    const isDriven = willDriveMs > LIMITS.drivingBeforeBreak;
    const isPutOff = isDriven && oddity === "lateBreak" && willDriveMs <= ODDITIES.lateBreak.ms[1];
    const isWorked = duty.isVaried && workedMs + stay + next.idleMs + next.driveMs > LONGEST_WORK_MS;
    const isDue = !isPutOff && (isDriven || isWorked);
    if (isDue && duty.isTeam) {
      add("break", Math.max(stay, SHORTEST_BREAK_MS), leg, leg.to);
      wheel = 1 - wheel;
    } else if (isDue && oddity === "shortBreaks") add("break", oddMs(oddity, duty.seed, day), leg, leg.to);
    else if (isDue && oddity !== "noBreak") {
      const tight = duty.isVaried ? oddityOf("break", duty.seed, day, index) : undefined;
      const breakMs = tight
        ? oddMs(tight, duty.seed, day, index)
        : wholeMinutes(drawBetween(SHORTEST_BREAK_MS, LONGEST_BREAK_MS, duty.seed, STOP_LENGTH, day, index));
      add("break", Math.max(stay, breakMs), leg, leg.to);
    } else add("work", stay, leg, leg.to, oddity !== "noBreak" && draw(duty.seed, WAITING, day, index) < 0.25);
    if (isDue) {
      drivenMs = 0;
      workedMs = 0;
    }
  }
  return spells;
}

/** A wait that ends a day so late that the rest before the next shift is too short. */
function longWaitMs(duty: Duty, day: number): number {
  const usual = planDay({ ...duty, round: { ...duty.round, oddities: new Map() } }, day).at(-1);
  return usual ? Math.max(0, shiftStart(duty, day + 1) - oddMs("longWait", duty.seed, day) - usual.end) : 0;
}

/** Start of the first shift of one of a vehicle's drivers, in epoch ms. */
export function startOfService(duty: Duty, member: number): number {
  const monday = duty.serviceDay - EPOCH_WEEKDAY * daysPerDate(duty) - duty.weekShift;
  const working = duty.round.days.findIndex((legs) => legs.length > 0);
  let day = monday + Math.max(0, working);
  while (!duty.isTeam && crewMember(duty, day) !== member) day++;
  return shiftStart(duty, day);
}
