import { type Leg, legOver, planRoute, type Route } from "./legs.ts";
import type { Place } from "./places.ts";
import { drawBetween, drawIndex, scramble, topic } from "./random.ts";
import { ROADS_END, type Road, roadsFrom } from "./roads.ts";
import { DRIVING, type RoundStyle } from "./round-styles.ts";
import { SITES_END, type Site, siteIn } from "./sites.ts";

const MINUTE = 60_000;
/** Maximum hours on open roads between stops, so that a leg, including town streets at both ends, takes less than four and a half hours. */
const LONGEST_OPEN_HOURS = 3.4;
const MAX_TRIES = 16;

export const NEXT_ROAD = topic("next road");
const LEG_LENGTH = topic("roads of a leg");
const SITE_CHOICE = topic("choice of site");
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
      route = planRoute(from, to, roads, DRIVING[style]);
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

/** A stage of a trip, driven out and back. Its stops depend only on its ordinal. */
interface Stage {
  readonly ordinal: number;
  readonly out: readonly Road[];
  readonly back: readonly Road[];
}

/** The longest round trip that `fits` accepts, with a stop in each town. */
export function outAndBack(
  seed: number,
  home: Site,
  style: RoundStyle,
  routeOver: RouteOver,
  fits: (routes: readonly Route[]) => boolean,
): Leg[] {
  const drive = (stages: readonly Stage[], goOn: (ordinal: number, route: Route) => void) => {
    let at = home;
    const goTo = (to: Site, roads: readonly Road[], ordinal: number) => {
      goOn(ordinal, routeOver(at, to, roads));
      at = to;
    };
    for (const { ordinal, out } of stages) goTo(stopIn(out.at(-1)?.to ?? home.place, seed, ordinal), out, ordinal);
    for (const [index, { ordinal, back }] of [...stages.entries()].toReversed()) {
      goTo(index === 0 ? home : stopIn(back.at(-1)?.to ?? home.place, seed, ordinal + MAX_TRIES), back, ordinal + MAX_TRIES);
    }
  };
  let stages: Stage[] = [];
  for (let ordinal = 0; ordinal < MAX_TRIES; ordinal++) {
    const last = stages.at(-1)?.out.at(-1);
    const out = continuePath(seed, ordinal, last?.to ?? home.place, last?.from);
    if (out.reduce((km, road) => km + road.km, 0) > LONGEST_OPEN_HOURS * DRIVING[style].open) continue;
    const tried = [...stages, { ordinal, out, back: opposite(out) }];
    const routes: Route[] = [];
    drive(tried, (_, route) => routes.push(route));
    if (fits(routes)) stages = tried;
  }
  const legs: Leg[] = [];
  drive(stages, (ordinal, route) => legs.push(legOver(route, warmUpMs(seed, ordinal))));
  return legs;
}
