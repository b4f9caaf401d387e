import { COUNTRIES } from "./countries.ts";
import { DAY_MS, type Duty, dayOf, planDay } from "./day-plan.ts";
import type { Place } from "./places.ts";
import { draw, drawBetween, drawIndex, topic } from "./random.ts";
import type { RoundStyle } from "./round-styles.ts";
import type { Round } from "./rounds.ts";
import { BY_DAY, BY_NIGHT, isMoved, isNightRound, VARIED_WEEKS, yearOf } from "./varied-rounds.ts";

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
  haul: [4.5, 6.5],
  regional: [5, 6.5],
  distribution: [5.5, 7],
  local: [6, 8],
  visits: [7, 8.5],
  relay: [0.25, 0.25],
  express: [0.25, 0.25],
};

/** Usual starts of work in varied weeks, after four in the morning UTC, when the night of drivers ends. */
const VARIED_START: Partial<Record<RoundStyle, readonly [number, number]>> = { haul: [5.8, 7.2], regional: [5.8, 7] };

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

/** The schedule of a vehicle, in a fleet that never rests if it has a `start` in epoch ms. */
export function dutyOf(index: number, style: RoundStyle, home: Place, seed: number, round: Round, start: number | undefined): Duty {
  const isShared = style === "relay" || style === "express";
  const [earliest, latest] = USUAL_START[style];
  const isNight = !isShared && style !== "visits" && (style === "local" ? draw(seed, ABOUT.night) < 0.15 : index % 4 === 1);
  const local = drawBetween(earliest, latest, seed, ABOUT.shiftStart);
  const isUsualWeek = !isShared && draw(seed, ABOUT.weekShift) < 0.35;
  const dayMs = isShared ? DAY_MS / 2 : DAY_MS;
  const phaseMs = isShared ? Math.floor((((index * GOLDEN) % 1) * dayMs) / MINUTE) * MINUTE : isNight ? 12 * HOUR : 0;
  return {
    seed,
    style,
    round,
    dayMs,
    weekShift: isUsualWeek ? 0 : 1 + drawIndex(6, seed, ABOUT.weekShift, 1),
    dayOffsetMs: phaseMs + (start === undefined ? 0 : startMinute(start) - BUSY_INSTANT),
    shiftStartMs: (local - (isShared ? 0 : COUNTRIES[home.country].hoursAhead)) * HOUR,
    serviceDay: isShared
      ? 14 * (Math.floor(BUSY_INSTANT / WEEK_MS) - 6 - drawIndex(SHARED_SERVICE_WEEKS, seed, ABOUT.serviceWeek))
      : 7 * (EARLIEST_SERVICE_WEEK + drawIndex(SERVICE_WEEKS, seed, ABOUT.serviceWeek)),
    isShared,
    isVaried: false,
    isTeam: false,
  };
}

/** How much of a week is moved: most work from Monday to Friday, some of those that return every evening from Tuesday to Saturday. */
function daysMoved(style: RoundStyle, number: number, seed: number): number {
  const isTown = style === "local" || style === "distribution";
  if (isTown) return draw(seed, ABOUT.weekShift) < 0.25 ? 6 : draw(seed, ABOUT.weekShift, 2) < 0.04 ? 1 : 0;
  return isMoved(style, number) ? 6 : 0;
}

/** The schedule of a vehicle whose weeks differ. */
export function variedDuty(
  index: number,
  number: number,
  style: RoundStyle,
  home: Place,
  seed: number,
  round: Round,
  isTeam: boolean,
): Duty {
  const usual = dutyOf(index, style, home, seed, round, undefined);
  const [earliest, latest] = VARIED_START[style] ?? USUAL_START[style];
  const local = drawBetween(earliest, latest, seed, ABOUT.shiftStart);
  const isNight = style === "regional" ? isNightRound(style, number, home) : style === "local" && draw(seed, ABOUT.night) < 0.1;
  return {
    ...usual,
    weekShift: 7 * drawIndex(VARIED_WEEKS, seed, ABOUT.weekShift, 1) + (isNight ? 0 : daysMoved(style, number, seed)),
    dayOffsetMs: isNight ? 12 * HOUR : 0,
    shiftStartMs: (local - COUNTRIES[home.country].hoursAhead) * HOUR,
    round: yearOf(round, style, seed, isTeam || !(style in VARIED_START) ? undefined : isNight ? BY_NIGHT : BY_DAY),
    serviceDay: 7 * VARIED_WEEKS * Math.ceil(usual.serviceDay / 7 / VARIED_WEEKS),
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
