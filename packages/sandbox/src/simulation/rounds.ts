import { LIMITS } from "@fleetwire/driving-time";
import { type DrivingStyle, type Leg, legOver, planRoute, type Route } from "./legs.ts";
import type { Oddity } from "./oddities.ts";
import type { Place } from "./places.ts";
import { drawBetween, drawIndex, scramble, topic } from "./random.ts";
import { ROADS_END, type Road, roadsFrom } from "./roads.ts";
import { SITES_END, type Site, siteIn } from "./sites.ts";

/**
 * Styles of a working week: nights away, home every evening, many drops in town by truck or van, or a few visits by car; or around the clock between
 * depots, by truck or van, with drivers who take turns.
 */
export type RoundStyle = "haul" | "regional" | "distribution" | "local" | "visits" | "relay" | "express";

/** How they drive, and total hours at stops per day. */
export const STYLES: Record<RoundStyle, DrivingStyle & { readonly stopHours: number }> = {
  haul: { town: 42, open: 82, pull: 1.4, stopHours: 2.2 },
  regional: { town: 40, open: 80, pull: 1.4, stopHours: 2.6 },
  distribution: { town: 32, open: 78, pull: 1.6, stopHours: 5 },
  local: { town: 34, open: 92, pull: 3, stopHours: 4.5 },
  visits: { town: 38, open: 112, pull: 5, stopHours: 2.6 },
  relay: { town: 42, open: 82, pull: 1.4, stopHours: 0.5 },
  express: { town: 34, open: 92, pull: 3, stopHours: 0.7 },
};

const HOUR = 3_600_000;
const MINUTE = 60_000;
/** Maximum hours on open roads between stops, so that a leg, including town streets at both ends, takes less than four and a half hours. */
const LONGEST_OPEN_HOURS = 3.4;
const MAX_TRIES = 16;

const NEXT_ROAD = topic("next road");
const LEG_LENGTH = topic("roads of a leg");
const SITE_CHOICE = topic("choice of site");
const TRY = topic("tries of a round trip");
const WARM_UP = topic("engine running before a leg");

export const drivingMs = (routes: readonly Route[]) => routes.reduce((sum, { driveMs }) => sum + driveMs, 0);

/** The way between two sites over one or two roads, or none within a town. */
export type RouteOver = (from: Site, to: Site, roads: readonly Road[]) => Route;

/** Caches the routes of a style, which rounds share and try repeatedly. */
function routeBook(style: RoundStyle): RouteOver {
  const planned = new Map<number, Route>();
  return (from, to, roads) => {
    const way = (roads[0]?.ordinal ?? 0) * ROADS_END + (roads[1]?.ordinal ?? 0);
    const key = (way * SITES_END + from.ordinal) * SITES_END + to.ordinal;
    let route = planned.get(key);
    if (!route) {
      route = planRoute(from, to, roads, STYLES[style]);
      planned.set(key, route);
    }
    return route;
  };
}

function warmUpMs(seed: number, ordinal: number): number {
  return Math.round(drawBetween(2, 6, seed, WARM_UP, ordinal)) * MINUTE;
}

/** A route over one or two roads that does not turn back on itself. */
function continuePath(seed: number, ordinal: number, from: Place, cameFrom: Place | undefined): Road[] {
  const roads: Road[] = [];
  let place = from;
  let previous = cameFrom;
  const count = 1 + drawIndex(2, seed, LEG_LENGTH, ordinal);
  for (let step = 0; step < count; step++) {
    const all = roadsFrom(place);
    const onward = all.filter((road) => road.to !== previous);
    const choices = onward.length > 0 ? onward : all;
    const road = choices[drawIndex(choices.length, seed, NEXT_ROAD, ordinal, step)];
    if (!road) break;
    roads.push(road);
    previous = place;
    place = road.to;
  }
  return roads;
}

const opposite = (roads: readonly Road[]) => roads.toReversed().map((road) => road.opposite());

function stopIn(place: Place, seed: number, ordinal: number): Site {
  const kind = drawIndex(4, seed, SITE_CHOICE, ordinal) === 0 ? "supplier" : "customer";
  return siteIn(place, kind, scramble(seed, SITE_CHOICE, ordinal, 1));
}

const lengthOf = (roads: readonly Road[]) => roads.reduce((km, road) => km + road.km, 0);

/**
 * The longest round trip with at most `longestMs` of driving that `fits` accepts, with a stop in each town. It grows one stage at a time, which
 * extends the way out at its end and the way home at its start; the next leg home then starts at another stop.
 */
function outAndBack(
  seed: number,
  home: Site,
  style: RoundStyle,
  routeOver: RouteOver,
  longestMs: number,
  fits: (legs: readonly Leg[]) => boolean = () => true,
): Leg[] {
  const msPerKm = HOUR / STYLES[style].open;
  let outward: Leg[] = [];
  let homeward: Leg[] = [];
  let lastOut: readonly Road[] = [];
  for (let ordinal = 0; ordinal < MAX_TRIES; ordinal++) {
    const from = outward.at(-1)?.to ?? home;
    const out = continuePath(seed, ordinal, from.place, lastOut.at(-1)?.from);
    const km = lengthOf(out);
    if (km > LONGEST_OPEN_HOURS * STYLES[style].open) continue;
    const [next, ...rest] = homeward;
    // Most tries end here: even at the speed of open roads, the new legs take too long.
    if (drivingMs(outward) + drivingMs(rest) + (2 * km + lengthOf(lastOut)) * msPerKm > longestMs) continue;
    const stop = stopIn(out.at(-1)?.to ?? home.place, seed, ordinal);
    const turn = next ? stopIn(from.place, seed, ordinal + MAX_TRIES) : home;
    const triedOutward = [...outward, legOver(routeOver(from, stop, out), warmUpMs(seed, ordinal))];
    const triedHomeward = [legOver(routeOver(stop, turn, opposite(out)), warmUpMs(seed, ordinal + MAX_TRIES))];
    if (next) triedHomeward.push(legOver(routeOver(turn, next.to, opposite(lastOut)), next.idleMs), ...rest);
    const tried = [...triedOutward, ...triedHomeward];
    if (drivingMs(tried) > longestMs || !fits(tried)) continue;
    outward = triedOutward;
    homeward = triedHomeward;
    lastOut = out;
  }
  return [...outward, ...homeward];
}

/** Of some round trips, the one with the most driving. */
export function longestTrip(
  tries: number,
  seed: number,
  ...plan: Parameters<typeof outAndBack> extends [number, ...infer Rest] ? Rest : never
): Leg[] {
  const trips = Array.from({ length: tries }, (_, attempt) => outAndBack(scramble(seed, TRY, attempt), ...plan));
  return trips.reduce((best, trip) => (drivingMs(trip) > drivingMs(best) ? trip : best));
}

/** Days of driving that end where they started, so that distance and engine time repeat. */
export interface Round {
  readonly home: Site;
  /** The legs of each of its days, seven, or fourteen half days, or those of a year; a day without legs is a day off. */
  readonly days: readonly (readonly Leg[])[];
  /** km and engine ms before each of the days, and for the round at the end. */
  readonly kmBefore: readonly number[];
  readonly engineMsBefore: readonly number[];
  /** What goes wrong, by day. */
  readonly oddities: ReadonlyMap<number, Oddity>;
}

export const WEEK_DAYS = 7;

/** Drivers return from breaks a little late. */
export const SHORTEST_BREAK_MS = LIMITS.fullBreak + MINUTE;
export const LONGEST_BREAK_MS = LIMITS.fullBreak + 13 * MINUTE;

/** The length of a half day with a driver's shift, minus the variation of its start. */
const LONGEST_RELAY_MS = 11.5 * HOUR;
/** Number of different shifts in a week around the clock. */
const RELAY_SHIFTS = 3;
const RELAY_TRIES = 4;
/** Even with long stops and breaks, driving must stay within the legal limits, and an express van's tank must be sufficient. */
const RELAY_DRIVING_MS = { relay: LIMITS.dailyDriving - 36 * MINUTE, express: 6.5 * HOUR };

const DROPS = topic("drops of a day");

/** Whether a shift fits into a half day even with the longest possible breaks and stops. */
function fitsHalfDay(routes: readonly Route[], style: "relay" | "express"): boolean {
  let ms = drivingMs(routes) + (routes.length * 6 + 16) * MINUTE + 1.4 * STYLES[style].stopHours * HOUR;
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

/** A week around the clock. */
function relayWeek(seed: number, depot: Site, style: "relay" | "express", routeOver: RouteOver): Leg[][] {
  const shifts = Array.from({ length: RELAY_SHIFTS }, (_, shift) =>
    longestTrip(RELAY_TRIES, scramble(seed, DROPS, shift, 2), depot, style, routeOver, RELAY_DRIVING_MS[style], (routes) =>
      fitsHalfDay(routes, style),
    ),
  );
  return Array.from({ length: 2 * WEEK_DAYS }, (_, day) => shifts[day % RELAY_SHIFTS] ?? []);
}

/** The legs of a day with private journeys from and to the driver's home. */
export function withCommute(legs: readonly Leg[], seed: number, home: Site, depot: Site, routeOver: RouteOver): readonly Leg[] {
  const commute = (from: Site, to: Site, ordinal: number) => legOver(routeOver(from, to, []), warmUpMs(seed, 50 + ordinal), true);
  return home === depot ? legs : [commute(home, depot, 0), ...legs, commute(depot, home, 1)];
}

/** The legs of a day of deliveries in a town and, on some days, the nearest town, if it is not too far. */
function townDay(seed: number, depot: Site, routeOver: RouteOver, farthestKm: number): Leg[] {
  const legs: Leg[] = [];
  const drops = 10 + drawIndex(5, seed, DROPS);
  const nearest = roadsFrom(depot.place).filter((road) => routeOver(depot, siteIn(road.to, "depot"), [road]).km < farthestKm);
  const trip = nearest[drawIndex(Math.max(1, nearest.length), seed, NEXT_ROAD)];
  const away = trip && drawIndex(2, seed, DROPS, 1) === 0 ? [3, 4] : [];
  let at = depot;
  const goTo = (to: Site) => {
    if (to === at) return;
    const roads = at.place === to.place || !trip ? [] : at.place === depot.place ? [trip] : opposite([trip]);
    legs.push(legOver(routeOver(at, to, roads), warmUpMs(seed, legs.length)));
    at = to;
  };
  for (let drop = 0; drop < drops; drop++) goTo(stopIn(trip && away.includes(drop) ? trip.to : depot.place, seed, drop));
  goTo(depot);
  return legs;
}

/** The legs of a day of a vehicle that returns every evening, from and to where it is parked. */
export function dayNearby(seed: number, style: RoundStyle, home: Site, routeOver: RouteOver, farthestKm: number): readonly Leg[] {
  const depot = siteIn(home.place, "depot");
  const legs = style === "visits" ? outAndBack(seed, depot, style, routeOver, 5 * HOUR) : townDay(seed, depot, routeOver, farthestKm);
  return withCommute(legs, seed, home, depot, routeOver);
}

/** Where vehicles with a round are parked. */
export function parkedAt(place: Place, style: RoundStyle, number: number): Site {
  const isTakenHome = style === "visits" || (number % 4 === 2 && (style === "local" || style === "regional"));
  return isTakenHome ? siteIn(place, "residence", number) : siteIn(place, "depot");
}

export function roundOf(home: Site, days: readonly (readonly Leg[])[], oddities: ReadonlyMap<number, Oddity> = new Map()): Round {
  const before = (of: (leg: Leg) => number) => {
    const sums = [0];
    for (const day of days) sums.push((sums.at(-1) ?? 0) + day.reduce((sum, leg) => sum + of(leg), 0));
    return sums;
  };
  return { home, days, kmBefore: before((leg) => leg.km), engineMsBefore: before((leg) => leg.driveMs + leg.idleMs), oddities };
}

/** A town that vans of a fleet that never sleeps deliver to is at most so far. */
const FARTHEST_TOWN_KM = 75;

/** Plans a week of a fleet that never sleeps. */
export function planNonstop(seed: number, place: Place, style: RoundStyle, number: number, routeOver: RouteOver): Round {
  const home = parkedAt(place, style, number);
  if (style === "relay" || style === "express") return roundOf(home, relayWeek(seed, home, style, routeOver));
  const dayOn = (day: number) => (day < 5 ? dayNearby(scramble(seed, DROPS, day, 2), style, home, routeOver, FARTHEST_TOWN_KM) : []);
  return roundOf(
    home,
    Array.from({ length: WEEK_DAYS }, (_, day) => dayOn(day)),
  );
}

/** Number of rounds per style and place; vehicles in larger fleets share them, at different hours. */
const ROUNDS_PER_PLACE = 8;

/** Caches rounds, which are few, however large the fleet. */
export function roundBook(seed: number, plan: typeof planNonstop): (place: Place, style: RoundStyle, number: number) => Round {
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
