import { LIMITS } from "@fleetwire/driving-time";
import type { Leg, Route } from "./legs.ts";
import { ODDITIES, type Oddity, oddityOf } from "./oddities.ts";
import type { Place } from "./places.ts";
import { draw, drawBetween, drawIndex, scramble, topic } from "./random.ts";
import {
  dayNearby,
  drivingMs,
  longestTrip,
  parkedAt,
  type Round,
  type RoundStyle,
  type RouteOver,
  roundOf,
  WEEK_DAYS,
  withCommute,
} from "./rounds.ts";
import { siteIn } from "./sites.ts";

/** Weeks until a round begins anew. */
export const ROUND_WEEKS = 6;
/** Turns of a round in a driver's year. */
const TURNS = 9;
const WORKING_DAYS = 5;
const HOUR = 3_600_000;

/** Most driving of a usual day: a team of two drives longer. */
const HAUL_MS = 8.4 * HOUR;
const TEAM_MS = 9.6 * HOUR;
const REGIONAL_MS = 6.6 * HOUR;
const FARTHEST_TOWN_KM = 150;
const TRIES = 16;

const ABSENCE = topic("holidays and illness");
const WEEK = topic("legs of a week");
const ODD_WEEK = topic("week of an oddity");

/** Whether two drivers share the cab of the trucks with this round. */
export const isTeamRound = (style: RoundStyle, number: number, place: Place) =>
  style === "haul" && number % 4 === 0 && place.ordinal % 3 === 0;

/** Whether the trucks with this round are driven at night. */
export const isNightRound = (style: RoundStyle, number: number, place: Place) =>
  style === "regional" && number % 4 === 0 && place.ordinal % 4 === 0;

/** Distributes legs over days, filling each before the next. */
function intoDays<Drive extends Route>(legs: readonly Drive[], longestMs: number): Drive[][] {
  const days: Drive[][] = [[]];
  for (const leg of legs) {
    const today = days.at(-1) ?? [];
    if (today.length > 0 && drivingMs(today) + leg.driveMs > longestMs) days.push([leg]);
    else today.push(leg);
  }
  return days;
}

/** Plans six weeks of which none is like another. */
export function planWeeks(seed: number, place: Place, style: RoundStyle, number: number, routeOver: RouteOver): Round {
  const depot = siteIn(place, "depot");
  const home = parkedAt(place, style, number);
  const oddities = new Map<number, Oddity>();
  const isTeam = isTeamRound(style, number, place);
  const oddity = (style === "haul" || style === "regional") && !isTeam ? oddityOf(style, seed) : undefined;
  const oddWeek = 1 + drawIndex(ROUND_WEEKS - 3, seed, ODD_WEEK);
  const tripOn = (day: number, longestMs: number, tries = 1) =>
    longestTrip(tries, scramble(seed, WEEK, day), depot, style, routeOver, longestMs);

  /** Too much driving on a day, or in a week of six days, if there are trips for it. */
  const overwork = (start: number): (readonly Leg[])[] | undefined => {
    const [longMs] = ODDITIES[oddity ?? "longDay"].ms;
    const isDay = oddity === "longDay";
    const days = Array.from({ length: isDay ? WORKING_DAYS : WORKING_DAYS + 1 }, (_, day) =>
      tripOn(start + day, isDay && day !== 2 ? REGIONAL_MS : longMs, TRIES),
    );
    const isTooLong = isDay
      ? drivingMs(days[2] ?? []) > LIMITS.extendedDailyDriving + HOUR / 6
      : drivingMs(days.flat()) > LIMITS.weeklyDriving + HOUR;
    if (isTooLong && oddity) oddities.set(start + (isDay ? 2 : 5), oddity);
    return isTooLong ? days : undefined;
  };

  const haulWeek = (start: number): (readonly Leg[])[] => {
    const longestMs = isTeam ? TEAM_MS : HAUL_MS;
    const fits = (routes: readonly Route[]) => intoDays(routes, longestMs).length <= WORKING_DAYS;
    return intoDays(longestTrip(3, scramble(seed, WEEK, start), depot, style, routeOver, WORKING_DAYS * longestMs, fits), longestMs);
  };

  const dayOn = (day: number): readonly Leg[] => {
    const own = scramble(seed, WEEK, day);
    if (style !== "regional") return dayNearby(own, style, home, routeOver, FARTHEST_TOWN_KM);
    return withCommute(tripOn(day, drawBetween(0.85, 1.05, own, WEEK) * REGIONAL_MS, 2), own, home, depot, routeOver);
  };

  const daysOff = (start: number): number => {
    if (oddity === "noWeekend" && start === oddWeek * WEEK_DAYS) {
      oddities.set(start + 6, oddity);
      return 0;
    }
    if (oddity !== "shortWeekend" || start >= (ROUND_WEEKS - 1) * WEEK_DAYS) return 2;
    oddities.set(start + 5, start === 0 ? "lateSaturday" : oddity);
    return 1;
  };

  const days = Array.from({ length: ROUND_WEEKS }, (_, week) => {
    const start = week * WEEK_DAYS;
    if (style === "haul") {
      const planned = (oddity && week === oddWeek && overwork(start)) || haulWeek(start);
      return Array.from({ length: WEEK_DAYS }, (__, day) => planned[day] ?? []);
    }
    const worked = WEEK_DAYS - daysOff(start);
    return Array.from({ length: WEEK_DAYS }, (__, day) => (day < worked ? dayOn(start + day) : []));
  });
  return roundOf(home, days.flat(), oddities);
}

/** The first day and the number of days of what a driver misses in one turn of a round, if anything: a holiday of a week or two, or days of illness. */
function absenceOf(seed: number, turn: number, isAway: boolean): readonly [number, number] {
  const chance = draw(seed, ABSENCE, turn);
  const monday = WEEK_DAYS * (1 + drawIndex(3, seed, ABSENCE, turn, 1));
  if (chance < 0.15) return [monday, 2 * WEEK_DAYS];
  if (chance < 0.4 || (chance < 0.55 && isAway)) return [monday, WEEK_DAYS];
  return chance < 0.65 && !isAway ? [monday + drawIndex(4, seed, ABSENCE, turn, 2), 1 + drawIndex(4, seed, ABSENCE, turn, 3)] : [0, 0];
}

/** Oddities of days need so much driving. */
const LEAST_MS = { day: 5.5 * HOUR, night: HOUR };

/**
 * A driver's year: turns of a round, without the days on which the driver is absent and the vehicle stands. The oddities of single days are drawn for
 * each day of it.
 */
export function yearOf(round: Round, style: RoundStyle, seed: number, of: "day" | "night" | undefined): Round {
  const days: (readonly Leg[])[] = [];
  const oddities = new Map<number, Oddity>();
  for (let turn = 0; turn < TURNS; turn++) {
    const [first, count] = absenceOf(seed, turn, style === "haul");
    for (const [at, legs] of round.days.entries()) {
      const oddity = round.oddities.get(at);
      // With a holiday in between, weekends are long enough, and nobody works on them.
      const isOff = (at >= first && at < first + count) || (count > 0 && style !== "haul" && oddity !== undefined);
      if (oddity && !isOff) oddities.set(days.length, oddity);
      days.push(isOff ? [] : legs);
    }
  }
  for (const [day, legs] of days.entries()) {
    const oddity = of && oddityOf(of, seed, day);
    const isNear = [-1, 0, 1].some((offset) => oddities.has(day + offset));
    const isLong = of && legs.length > 1 && drivingMs(legs) > LEAST_MS[of];
    if (oddity && isLong && !isNear && (days[day + 1]?.length ?? 0) > 0) oddities.set(day, oddity);
  }
  return roundOf(round.home, days, oddities);
}
