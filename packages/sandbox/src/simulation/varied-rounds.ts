import { LIMITS } from "@fleetwire/driving-time";
import { type Leg, legOver } from "./legs.ts";
import type { Place } from "./places.ts";
import { draw, drawBetween, drawIndex, pick, scramble, topic } from "./random.ts";
import type { RoundStyle } from "./round-styles.ts";
import { drivingMs, outAndBack, type RouteOver, warmUpMs } from "./round-trips.ts";
import { type Lapse, type Round, sums, townDay, visitsDay } from "./rounds.ts";
import { type Site, siteIn } from "./sites.ts";

/** Weeks until a round begins anew. */
export const VARIED_WEEKS = 6;
const WEEK_DAYS = 7;
const HOUR = 3_600_000;
const MINUTE = 60_000;

/** Usual driving per day; a team of two drives twice as long. */
const USUAL_MS = { haul: 7.4 * HOUR, regional: 6.6 * HOUR };
const TEAM_MS = 8.8 * HOUR;
/** A leg with a jam must still fit between two breaks. */
const LONGEST_JAMMED_MS = 4.2 * HOUR;
const SHORTEST_JAMMED_MS = 0.9 * HOUR;
/** Driving of each day that is lost because a leg can only be parted at some points. */
const LOST_MS = 12 * MINUTE;
const SHORTEST_PART_MS = 40 * MINUTE;

/** Tries to find a tour that was not driven before. */
const MAX_TRIES = 12;

/** Turns of a round in a driver's year. */
const TURNS = 9;
/** How far vans go to another town. */
const FARTHEST_TOWN_KM = 150;

const ABSENCE = topic("holidays and illness");
const WEEK = topic("legs of a varied week");
const JAM = topic("jam on a leg");
const LAPSE = topic("day of a lapse");
const LATE = topic("a week's tries");

/** What the planning of a truck's weeks depends on. */
interface Truck {
  readonly seed: number;
  readonly depot: Site;
  readonly routeOver: RouteOver;
}

/** Fills days with legs. A leg that no longer fits is parted, and the driver rests beside the road. */
function fillDays(legs: readonly Leg[], limits: readonly number[], seed: number): Leg[][] | undefined {
  const days: Leg[][] = [[]];
  const queue = [...legs];
  while (queue.length > 0) {
    const leg = queue[0] as Leg;
    const limit = limits[days.length - 1];
    if (limit === undefined) return undefined;
    const today = days.at(-1) as Leg[];
    const left = limit - drivingMs(today);
    if (leg.driveMs <= left) {
      today.push(leg);
      queue.shift();
      continue;
    }
    const parts = left > SHORTEST_PART_MS ? leg.parted((left - 15 * MINUTE) / leg.driveMs) : undefined;
    if (parts && parts[0].driveMs <= left && parts[0].driveMs > 20 * MINUTE) {
      today.push(legOver(parts[0], leg.idleMs));
      queue[0] = legOver(parts[1], warmUpMs(seed, 90 + days.length));
    } else if (today.length === 0) return undefined;
    days.push([]);
  }
  return days;
}

/** A week of nights away with at most this much driving on each of its days; of some tries, the one that drives most. */
function haulWeek({ seed, depot, routeOver }: Truck, week: number, limits: readonly number[], tries: number): Leg[][] {
  const most = limits.reduce((sum, limit) => sum + limit - LOST_MS, 0);
  let best: Leg[][] = [];
  for (let attempt = 0; attempt < tries; attempt++) {
    const own = scramble(seed, WEEK, week, attempt);
    const days = fillDays(outAndBack(own, depot, "haul", routeOver, most), limits, own) ?? [];
    if (drivingMs(days.flat()) > drivingMs(best.flat())) best = days;
  }
  return best;
}

function withJams(day: readonly Leg[], seed: number, ordinal: number): Leg[] {
  let isFree = true;
  return day.map((leg, at) => {
    const isLong = leg.driveMs > SHORTEST_JAMMED_MS;
    if (!isFree || !isLong || draw(seed, JAM, ordinal, at) > 0.2) return leg;
    const jam = { share: drawBetween(0.15, 0.85, seed, JAM, ordinal, at, 1), km: drawBetween(0.8, 3.2, seed, JAM, ordinal, at, 2) };
    const route = leg.jammed(jam);
    if (!route || route.driveMs > LONGEST_JAMMED_MS) return leg;
    isFree = false;
    return legOver(route, leg.idleMs, leg.isPrivate);
  });
}

/** Weeks of too much driving, by the number of the truck: all six days long, or one of five. */
const OVERWORK: Partial<Record<number, { lapse: Lapse; day: number; isDay?: true; limits: number[]; tries: number; moreThan: number }>> = {
  1: { lapse: "longWeek", day: 5, limits: Array<number>(6).fill(9.9 * HOUR), tries: 24, moreThan: LIMITS.weeklyDriving + HOUR },
  2: {
    lapse: "longDay",
    day: 2,
    isDay: true,
    limits: Array<number>(5)
      .fill(USUAL_MS.haul)
      .with(2, 10.9 * HOUR),
    tries: 12,
    moreThan: LIMITS.extendedDailyDriving + 10 * MINUTE,
  },
};

function haulDays(truck: Truck, number: number, lapses: Map<number, Lapse>): Leg[][] {
  const { place } = truck.depot;
  const isTeam = isTeamRound("haul", number, place);
  const isOverworked = !isTeam && (place.ordinal + 2 * number) % 5 === 0;
  const days: Leg[][] = [];
  const lapseWeek = 1 + drawIndex(VARIED_WEEKS - 2, truck.seed, LAPSE);
  for (let week = 0; week < VARIED_WEEKS; week++) {
    const start = week * WEEK_DAYS;
    const usual = Array<number>(5).fill(isTeam ? TEAM_MS : USUAL_MS.haul);
    const wrong = isOverworked && week === lapseWeek ? OVERWORK[number % 4] : undefined;
    const long = wrong && haulWeek(truck, week, wrong.limits, wrong.tries);
    const isTooLong = long && drivingMs(wrong.isDay ? (long[wrong.day] ?? []) : long.flat()) > wrong.moreThan;
    if (isTooLong) lapses.set(start + wrong.day, wrong.lapse);
    const planned = isTooLong ? long : haulWeek(truck, week, usual, 3);
    for (let day = 0; day < WEEK_DAYS; day++) days.push(planned[day] ?? []);
  }
  return days;
}

function regionalDays(truck: Truck, number: number, garage: Site, lapses: Map<number, Lapse>): Leg[][] {
  const days: Leg[][] = [];
  const isTakenHome = garage !== truck.depot;
  const lapseWeek = 1 + drawIndex(VARIED_WEEKS - 3, truck.seed, LAPSE);
  const known = new Set<string>();
  const newTrip = (day: number): Leg[] => {
    let trip: Leg[] = [];
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const longest = drawBetween(0.85, 1.05, truck.seed, LATE, day, attempt) * USUAL_MS.regional;
      trip = outAndBack(scramble(truck.seed, WEEK, day, LATE, attempt), truck.depot, "regional", truck.routeOver, longest);
      const tour = trip.map(({ driveMs }) => driveMs).join();
      if (!known.has(tour) && trip.length > 0) {
        known.add(tour);
        break;
      }
    }
    return trip;
  };
  const dayOn = (day: number): Leg[] => {
    const trip = newTrip(day);
    if (!isTakenHome) return trip;
    const commute = (from: Site, to: Site) => legOver(truck.routeOver(from, to, []), 3 * MINUTE, true);
    return [commute(garage, truck.depot), ...trip, commute(truck.depot, garage)];
  };
  for (let day = 0; day < VARIED_WEEKS * WEEK_DAYS; day++) {
    const week = Math.floor(day / WEEK_DAYS);
    const weekday = day % WEEK_DAYS;
    const hasNoWeekend = number % 4 === 1 && week === lapseWeek;
    const hasShortWeekend = number % 4 === 3 && week < VARIED_WEEKS - 1;
    if (hasNoWeekend && weekday === 6) lapses.set(day, "noWeekend");
    if (hasShortWeekend && weekday === 5) lapses.set(day, week === 0 ? "lateSaturday" : "shortWeekend");
    const isWorked = weekday < 5 || hasNoWeekend || (hasShortWeekend && weekday === 5);
    days.push(isWorked ? dayOn(day) : []);
  }
  return days;
}

/** Whether two drivers share the cab of the trucks with this round. */
export const isTeamRound = (style: RoundStyle, number: number, place: Place) =>
  style === "haul" && number % 4 === 0 && place.ordinal % 3 === 0;

/** Whether the trucks with this round work from Tuesday to Saturday, or at night. */
export const isMoved = (style: RoundStyle, number: number) => style === "regional" && number % 4 === 0;

/** Whether the trucks with this round are driven at night. */
export const isNightRound = (style: RoundStyle, number: number, place: Place) => isMoved(style, number) && place.ordinal % 4 === 0;

/** Whether the drivers of the trucks with this round take them home. */
const isTruckTakenHome = (style: RoundStyle, number: number) => style === "regional" && number % 4 === 2;

/** Plans six weeks of which none is like another, with jams, nights beside the road and a few lapses. */
export function planVaried(seed: number, place: Place, style: RoundStyle, number: number, routeOver: RouteOver): Round {
  const depot = siteIn(place, "depot");
  const isTakenHome = style === "visits" || (style === "local" && number % 4 === 2) || isTruckTakenHome(style, number);
  const home = isTakenHome ? siteIn(place, "residence", number) : depot;
  const lapses = new Map<number, Lapse>();
  const truck = { seed, depot, routeOver };
  const townOn = (day: number): Leg[] => {
    if (day % WEEK_DAYS > 4) return [];
    const own = scramble(seed, WEEK, day, LATE);
    return style === "visits" ? visitsDay(own, home, routeOver) : townDay(own, depot, home, routeOver, FARTHEST_TOWN_KM);
  };
  const planned =
    style === "haul"
      ? haulDays(truck, number, lapses)
      : style === "regional"
        ? regionalDays(truck, number, home, lapses)
        : Array.from({ length: VARIED_WEEKS * WEEK_DAYS }, (_, day) => townOn(day));
  const days = planned.map((day, ordinal) => (lapses.has(ordinal) ? day : withJams(day, seed, ordinal)));
  return roundOf(home, days, lapses);
}

function roundOf(home: Site, days: readonly (readonly Leg[])[], lapses: ReadonlyMap<number, Lapse>): Round {
  return { home, days, kmBefore: sums(days, (leg) => leg.km), engineMsBefore: sums(days, (leg) => leg.driveMs + leg.idleMs), lapses };
}

/** The first day and the number of days of what a driver misses in one turn of a round, if anything: a holiday of a week or two, or days of illness. */
function absenceOf(seed: number, turn: number, isAway: boolean): readonly [number, number] {
  const chance = draw(seed, ABSENCE, turn);
  const monday = WEEK_DAYS * (1 + drawIndex(3, seed, ABSENCE, turn, 1));
  if (chance < 0.15) return [monday, 2 * WEEK_DAYS];
  if (chance < 0.4 || (chance < 0.55 && isAway)) return [monday, WEEK_DAYS];
  return chance < 0.65 && !isAway ? [monday + drawIndex(4, seed, ABSENCE, turn, 2), 1 + drawIndex(4, seed, ABSENCE, turn, 3)] : [0, 0];
}

/** What goes wrong on single days with at least so much driving, and how many times as often as with others. */
interface Habits {
  readonly lapses: readonly Lapse[];
  readonly leastMs: number;
  readonly times: number;
}

export const BY_DAY: Habits = { lapses: ["shortBreaks", "lateBreak", "noBreak", "longWait"], leastMs: 5.5 * HOUR, times: 1 };
export const BY_NIGHT: Habits = { lapses: ["longNight"], leastMs: HOUR, times: 3 };

/**
 * A driver's year: turns of a round, without the days on which the driver is absent and the vehicle stands. What goes wrong on single days is
 * drawn for each day of it.
 */
export function yearOf(round: Round, style: RoundStyle, seed: number, habits: Habits | undefined): Round {
  const days: (readonly Leg[])[] = [];
  const lapses = new Map<number, Lapse>();
  for (let turn = 0; turn < TURNS; turn++) {
    const [first, count] = absenceOf(seed, turn, style === "haul");
    for (const [at, legs] of round.days.entries()) {
      const lapse = round.lapses?.get(at);
      // With a holiday in between, weekends are long enough, and nobody works on them.
      const isOff = (at >= first && at < first + count) || (count > 0 && style !== "haul" && lapse !== undefined);
      if (lapse && !isOff) lapses.set(days.length, lapse);
      days.push(isOff ? [] : legs);
    }
  }
  const carelessness = 0.015 + 0.06 * draw(seed, LAPSE) ** 2;
  for (const [day, legs] of days.entries()) {
    if (!habits || draw(seed, LAPSE, day) > habits.times * carelessness) continue;
    const isNear = [-1, 0, 1].some((offset) => lapses.has(day + offset));
    const isLong = legs.length > 1 && drivingMs(legs) > habits.leastMs;
    if (!isNear && isLong && (days[day + 1]?.length ?? 0) > 0) lapses.set(day, pick(habits.lapses, seed, LAPSE, day, 1));
  }
  return roundOf(round.home, days, lapses);
}
