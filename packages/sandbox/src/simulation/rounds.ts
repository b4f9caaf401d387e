import { LIMITS } from "@fleetwire/driving-time";
import { type Leg, legOver, type Route } from "./legs.ts";
import type { Place } from "./places.ts";
import { drawIndex, scramble, topic } from "./random.ts";
import { roadsFrom } from "./roads.ts";
import { LONGEST_BREAK_MS, type RoundStyle, STOP_HOURS } from "./round-styles.ts";
import { drivingMs, NEXT_ROAD, opposite, outAndBack, type RouteOver, routeBook, stopIn, warmUpMs } from "./round-trips.ts";
import { type Site, siteIn } from "./sites.ts";

/** A week of driving that ends where it started, so that distance and engine time repeat weekly. */
export interface Round {
  readonly home: Site;
  /** The legs of each of its days, seven, or fourteen half days, or those of a year; a day without legs is a day off. */
  readonly days: readonly (readonly Leg[])[];
  /** km and engine ms before each of the days, and for the week at the end. */
  readonly kmBefore: readonly number[];
  readonly engineMsBefore: readonly number[];
  /** What goes wrong on some days, by day; none in weeks that are all alike. */
  readonly lapses?: ReadonlyMap<number, Lapse>;
}

/** What goes wrong on a day. */
export type Lapse =
  /** Breaks that are too short, come too late, or not at all. */
  | "shortBreaks"
  | "lateBreak"
  | "noBreak"
  /** A long wait, after which hardly nine hours of daily rest are left, or less. */
  | "longWait"
  /** Hours of loading in the night. */
  | "longNight"
  /** More driving than allowed on this day, or in the week that ends with it. */
  | "longDay"
  | "longWeek"
  /** A Sunday at work after six working days. */
  | "noWeekend"
  /** A Saturday at work: the weekly rest is reduced, and after a late one so much that the next ones do not make up for it. */
  | "shortWeekend"
  | "lateSaturday";

const WEEK_DAYS = 7;
const WORKING_DAYS = 5;
const HOUR = 3_600_000;
const MINUTE = 60_000;

/** Even with long stops and breaks, driving must stay within the legal limits. */
const DAILY_DRIVING_MS = LIMITS.dailyDriving - 36 * MINUTE;
/** The length of a half day with a driver's shift, minus the variation of its start. */
const LONGEST_RELAY_MS = 11.5 * HOUR;
/** Number of different shifts in a week around the clock. */
const RELAY_SHIFTS = 3;
const RELAY_TRIES = 4;
/** Maximum daily driving, for which an express van's tank is sufficient. */
const RELAY_DRIVING_MS = { relay: DAILY_DRIVING_MS, express: 6.5 * HOUR };

const DROPS = topic("drops of a day");

/** Distributes legs over days, filling each before the next. */
function intoDays<Drive extends Route>(legs: readonly Drive[]): Drive[][] {
  const days: Drive[][] = [[]];
  for (const leg of legs) {
    const today = days.at(-1) ?? [];
    if (today.length > 0 && drivingMs(today) + leg.driveMs > DAILY_DRIVING_MS) days.push([leg]);
    else today.push(leg);
  }
  return days;
}

function haulWeek(seed: number, home: Site, routeOver: RouteOver): Leg[][] {
  const fitsWeek = (routes: readonly Route[]) => intoDays(routes).length <= WORKING_DAYS;
  return intoDays(outAndBack(seed, home, "haul", routeOver, WORKING_DAYS * DAILY_DRIVING_MS, fitsWeek));
}

function regionalDay(seed: number, home: Site, routeOver: RouteOver): Leg[] {
  return outAndBack(seed, home, "regional", routeOver, DAILY_DRIVING_MS);
}

/** Whether a shift fits into a half day even with the longest possible breaks and stops. */
function fitsHalfDay(routes: readonly Route[], style: "relay" | "express"): boolean {
  let ms = drivingMs(routes) + (routes.length * 6 + 16) * MINUTE + 1.4 * STOP_HOURS[style] * HOUR;
  let sinceBreak = 0;
  for (const { driveMs } of routes) {
    if (sinceBreak + driveMs > LIMITS.drivingBeforeBreak) {
      ms += LONGEST_BREAK_MS;
      sinceBreak = 0;
    }
    sinceBreak += driveMs;
  }
  return ms <= LONGEST_RELAY_MS;
}

/** A week around the clock: of several round trips for each shift, the one with the most driving. */
function relayWeek(seed: number, depot: Site, style: "relay" | "express", routeOver: RouteOver): Leg[][] {
  const shifts = Array.from({ length: RELAY_SHIFTS }, (_, shift) =>
    Array.from({ length: RELAY_TRIES }, (__, attempt) =>
      outAndBack(scramble(seed, DROPS, shift, 2, attempt), depot, style, routeOver, RELAY_DRIVING_MS[style], (routes) =>
        fitsHalfDay(routes, style),
      ),
    ).reduce((best, trip) => (drivingMs(trip) > drivingMs(best) ? trip : best)),
  );
  return Array.from({ length: 2 * WEEK_DAYS }, (_, day) => shifts[day % RELAY_SHIFTS] ?? []);
}

/** The legs of a day of deliveries in a town and, on some days, the nearest town, if it is not too far. */
export function townDay(seed: number, home: Site, garage: Site, routeOver: RouteOver, farthestKm = 75): Leg[] {
  const legs: Leg[] = [];
  const drops = 10 + drawIndex(5, seed, DROPS);
  const nearest = roadsFrom(home.place).filter((road) => routeOver(home, siteIn(road.to, "depot"), [road]).km < farthestKm);
  const trip = nearest[drawIndex(Math.max(1, nearest.length), seed, NEXT_ROAD)];
  const abroad = trip && drawIndex(2, seed, DROPS, 1) === 0 ? [3, 4] : [];
  let at = garage;
  const goTo = (to: Site, isPrivate = false) => {
    if (to === at) return;
    const roads = at.place === to.place || !trip ? [] : at.place === home.place ? [trip] : opposite([trip]);
    legs.push(legOver(routeOver(at, to, roads), warmUpMs(seed, legs.length), isPrivate));
    at = to;
  };
  goTo(home, true);
  for (let drop = 0; drop < drops; drop++) {
    const place = trip && abroad.includes(drop) ? trip.to : home.place;
    goTo(stopIn(place, seed, drop));
  }
  goTo(home);
  goTo(garage, true);
  return legs;
}

export function visitsDay(seed: number, garage: Site, routeOver: RouteOver): Leg[] {
  const depot = siteIn(garage.place, "depot");
  const commute = (from: Site, to: Site, ordinal: number) => legOver(routeOver(from, to, []), warmUpMs(seed, 50 + ordinal), true);
  const visits = outAndBack(seed, depot, "visits", routeOver, 5 * HOUR);
  return [commute(garage, depot, 0), ...visits, commute(depot, garage, 1)];
}

export function sums(days: readonly (readonly Leg[])[], of: (leg: Leg) => number): number[] {
  const before = [0];
  for (const day of days) before.push((before.at(-1) ?? 0) + day.reduce((sum, leg) => sum + of(leg), 0));
  return before;
}

function planAlike(seed: number, place: Place, style: RoundStyle, number: number, routeOver: RouteOver): Round {
  const depot = siteIn(place, "depot");
  const isTakenHome = style === "visits" || (style === "local" && number % 4 === 2);
  const home = isTakenHome ? siteIn(place, "residence", number) : depot;
  const days: Leg[][] = [];
  if (style === "haul") days.push(...haulWeek(seed, depot, routeOver));
  if (style === "relay" || style === "express") days.push(...relayWeek(seed, depot, style, routeOver));
  for (let day = days.length; day < WEEK_DAYS; day++) {
    const daySeed = scramble(seed, DROPS, day, 2);
    if (style === "haul" || day >= WORKING_DAYS) days.push([]);
    else if (style === "regional") days.push(regionalDay(daySeed, depot, routeOver));
    else days.push(style === "visits" ? visitsDay(daySeed, home, routeOver) : townDay(daySeed, depot, home, routeOver));
  }
  return { home, days, kmBefore: sums(days, (leg) => leg.km), engineMsBefore: sums(days, (leg) => leg.driveMs + leg.idleMs) };
}

/** Number of rounds per style and place; vehicles in larger fleets share them, at different hours. */
const ROUNDS_PER_PLACE = 8;

/** Caches rounds, which are few, however large the fleet. */
export function roundBook(seed: number, plan = planAlike): (place: Place, style: RoundStyle, number: number) => Round {
  const ofStyles = new Map<RoundStyle, { readonly planned: Round[]; readonly routeOver: RouteOver }>();
  return (place, style, number) => {
    const ofStyle = ofStyles.get(style) ?? { planned: [], routeOver: routeBook(style) };
    ofStyles.set(style, ofStyle);
    const { planned, routeOver } = ofStyle;
    const choice = number % ROUNDS_PER_PLACE;
    const key = place.ordinal * ROUNDS_PER_PLACE + choice;
    planned[key] ??= plan(scramble(seed, topic(style), place.ordinal, choice), place, style, choice, routeOver);
    return planned[key];
  };
}
