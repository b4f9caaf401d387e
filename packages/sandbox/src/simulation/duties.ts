import { COUNTRIES } from "./countries.ts";
import { DAY_MS, type Duty, dayOf, planDay } from "./day-plan.ts";
import type { Place } from "./places.ts";
import { draw, drawBetween, drawIndex, topic } from "./random.ts";
import type { RoundStyle } from "./round-trips.ts";
import type { Round } from "./rounds.ts";
import { isNightRound, isTeamRound, ROUND_WEEKS, yearOf } from "./weeks.ts";

const ABOUT = {
  weekShift: topic("days by which a week is shifted"),
  shiftStart: topic("usual start of a shift"),
  night: topic("drives at night"),
  serviceWeek: topic("entry into service"),
};

const HOUR = 3_600_000;
const MINUTE = 60_000;
const EARLIEST_SERVICE_WEEK = 2558;
const SERVICE_WEEKS = 250;
/** Vehicles that drive around the clock are replaced after two years. */
const SHARED_SERVICE_WEEKS = 100;
const WEEK_MS = 7 * DAY_MS;

/** Usual starts of work, in local hours; where drivers take turns, in hours of the half day. */
const USUAL_START: Record<RoundStyle, readonly [number, number]> = {
  // After four in the morning UTC, when the night of drivers ends.
  haul: [5.8, 7.2],
  regional: [5.8, 7],
  distribution: [5.5, 7],
  local: [6, 8],
  visits: [7, 8.5],
  relay: [0.25, 0.25],
  express: [0.25, 0.25],
};

/** In a fleet that never rests, the start is this instant: a Tuesday at half past ten in Central Europe. */
const BUSY_INSTANT = Date.UTC(2026, 10, 17, 9, 30);
/** Multiples of the golden ratio, modulo 1, are evenly spread, however many there are. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** The start of a fleet that never rests, in whole minutes like its shifts. */
const startMinute = (start: number) => Math.floor(start / MINUTE) * MINUTE;

/** The style of a vehicle in a fleet that never rests: all that drive between towns do so around the clock. */
export function nonstopStyle(style: RoundStyle, isExpress: boolean): RoundStyle {
  if (style === "haul" || style === "regional") return "relay";
  return isExpress ? "express" : style;
}

const startsAt = (style: RoundStyle, seed: number) => drawBetween(...USUAL_START[style], seed, ABOUT.shiftStart);
/** The week of entry into service. */
export const serviceWeek = (seed: number) => EARLIEST_SERVICE_WEEK + drawIndex(SERVICE_WEEKS, seed, ABOUT.serviceWeek);

/** The schedule of a vehicle in a fleet that never rests since `start`, in epoch ms. */
export function nonstopDuty(index: number, style: RoundStyle, home: Place, seed: number, round: Round, start: number): Duty {
  const isShared = style === "relay" || style === "express";
  const isNight = style === "local" ? draw(seed, ABOUT.night) < 0.15 : style === "distribution" && index % 4 === 1;
  const isUsualWeek = !isShared && draw(seed, ABOUT.weekShift) < 0.35;
  const dayMs = isShared ? DAY_MS / 2 : DAY_MS;
  const phaseMs = isShared ? Math.floor((((index * GOLDEN) % 1) * dayMs) / MINUTE) * MINUTE : isNight ? 12 * HOUR : 0;
  return {
    seed,
    style,
    round,
    dayMs,
    weekShift: isUsualWeek ? 0 : 1 + drawIndex(6, seed, ABOUT.weekShift, 1),
    dayOffsetMs: phaseMs + startMinute(start) - BUSY_INSTANT,
    shiftStartMs: (startsAt(style, seed) - (isShared ? 0 : COUNTRIES[home.country].hoursAhead)) * HOUR,
    serviceDay: isShared
      ? 14 * (Math.floor(BUSY_INSTANT / WEEK_MS) - 6 - drawIndex(SHARED_SERVICE_WEEKS, seed, ABOUT.serviceWeek))
      : 7 * serviceWeek(seed),
    isShared,
    isVaried: false,
    isTeam: false,
  };
}

/** The schedule of a vehicle in ordinary weeks: from Monday to Friday, or of some that return every evening, from Tuesday to Saturday. */
export function weeksDuty(number: number, style: RoundStyle, home: Place, seed: number, round: Round): Duty {
  const isTeam = isTeamRound(style, number, home);
  const isNight = isNightRound(style, number, home) || (style === "local" && draw(seed, ABOUT.night) < 0.1);
  const isMoved = style !== "haul" && !isNight && draw(seed, ABOUT.weekShift) < 0.2;
  const isTruck = style === "haul" || style === "regional";
  return {
    seed,
    style,
    round: yearOf(round, style, seed, isTeam || !isTruck ? undefined : isNight ? "night" : "day"),
    dayMs: DAY_MS,
    weekShift: 7 * drawIndex(ROUND_WEEKS, seed, ABOUT.weekShift, 1) + (isMoved ? 6 : 0),
    dayOffsetMs: isNight ? 12 * HOUR : 0,
    shiftStartMs: (startsAt(style, seed) - COUNTRIES[home.country].hoursAhead) * HOUR,
    serviceDay: 7 * ROUND_WEEKS * Math.ceil(serviceWeek(seed) / ROUND_WEEKS),
    isShared: false,
    isVaried: true,
    isTeam,
  };
}

/** A duty shifted so that at `start`, its vehicle is well under way on the longest drive of a shift. */
export function underWayAt(duty: Duty, start: number): Duty {
  const minute = startMinute(start);
  const drives = planDay(duty, dayOf(duty, minute)).filter(({ kind }) => kind === "drive");
  const longest = drives.reduce((best, drive) => (drive.end - drive.start > best.end - best.start ? drive : best));
  const drivenMs = Math.floor(Math.min(35 * MINUTE, (longest.end - longest.start) / 3) / MINUTE) * MINUTE;
  return { ...duty, dayOffsetMs: duty.dayOffsetMs + minute - longest.start - drivenMs };
}
