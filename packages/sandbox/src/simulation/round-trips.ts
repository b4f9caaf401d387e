import { type DrivingStyle, type Leg, legOver, planRoute, type Route } from "./legs.ts";
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

const MINUTE = 60_000;
const HOUR = 3_600_000;
/** Maximum hours on open roads between stops, so that a leg, including town streets at both ends, takes less than four and a half hours. */
const LONGEST_OPEN_HOURS = 3.4;
const MAX_TRIES = 16;

export const NEXT_ROAD = topic("next road");
const LEG_LENGTH = topic("roads of a leg");
const SITE_CHOICE = topic("choice of site");
const TRY = topic("tries of a round trip");
const WARM_UP = topic("engine running before a leg");

export const drivingMs = (routes: readonly Route[]) => routes.reduce((sum, { driveMs }) => sum + driveMs, 0);

/** The way between two sites over one or two roads, or none within a town. */
export type RouteOver = (from: Site, to: Site, roads: readonly Road[]) => Route;

/** Caches the routes of a style, which rounds share and try repeatedly. */
export function routeBook(style: RoundStyle): RouteOver {
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

export function warmUpMs(seed: number, ordinal: number): number {
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

export const opposite = (roads: readonly Road[]) => roads.toReversed().map((road) => road.opposite);

export function stopIn(place: Place, seed: number, ordinal: number): Site {
  const kind = drawIndex(4, seed, SITE_CHOICE, ordinal) === 0 ? "supplier" : "customer";
  return siteIn(place, kind, scramble(seed, SITE_CHOICE, ordinal, 1));
}

const lengthOf = (roads: readonly Road[]) => roads.reduce((km, road) => km + road.km, 0);

/**
 * The longest round trip with at most `longestMs` of driving that `fits` accepts, with a stop in each town. It grows one stage at a time, which
 * extends the way out at its end and the way home at its start; the next leg home then starts at another stop.
 */
export function outAndBack(
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
