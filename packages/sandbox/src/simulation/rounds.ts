import { type DrivingStyle, type Leg, legOver, planRoute, type Route } from "./legs.ts";
import type { Place } from "./places.ts";
import { drawBetween, drawIndex, scramble, topic } from "./random.ts";
import { ROADS_END, type Road, roadsFrom } from "./roads.ts";
import { SITES_END, type Site, siteIn } from "./sites.ts";

/** Styles of a working week: nights away, home every evening, many drops in town by truck or van, or a few visits by car. */
export type RoundStyle = "haul" | "regional" | "distribution" | "local" | "visits";

/** A week of driving that ends where it started, so that distance and engine time repeat weekly. */
export interface Round {
  readonly home: Site;
  /** The legs of each of the seven days; a day without legs is a day off. */
  readonly days: readonly (readonly Leg[])[];
  /** km and engine ms before each of the seven days, and for the week at index 7. */
  readonly kmBefore: readonly number[];
  readonly engineMsBefore: readonly number[];
}

export const WEEK_DAYS = 7;
const WORKING_DAYS = 5;
const HOUR = 3_600_000;
const MINUTE = 60_000;

/** Daily driving stays under the nine hours that EU 561/2006 allows. */
const DAILY_DRIVING_MS = 8.4 * HOUR;
/** Maximum hours on open roads between stops, so that a leg, including town streets at both ends, takes less than four and a half hours. */
const LONGEST_OPEN_HOURS = 3.4;
const MAX_TRIES = 16;

const DRIVING: Record<RoundStyle, DrivingStyle> = {
  haul: { town: 42, open: 82, pull: 1.4 },
  regional: { town: 40, open: 80, pull: 1.4 },
  distribution: { town: 32, open: 78, pull: 1.6 },
  local: { town: 34, open: 92, pull: 3 },
  visits: { town: 38, open: 112, pull: 5 },
};

const NEXT_ROAD = topic("next road");
const LEG_LENGTH = topic("roads of a leg");
const SITE_CHOICE = topic("choice of site");
const WARM_UP = topic("engine running before a leg");
const DROPS = topic("drops of a day");

const drivingMs = (routes: readonly Route[]) => routes.reduce((sum, { driveMs }) => sum + driveMs, 0);

/** The way between two sites over one or two roads, or none within a town. */
type RouteOver = (from: Site, to: Site, roads: readonly Road[]) => Route;

/** Caches the routes of a style, which rounds share and try repeatedly. */
function routeBook(style: RoundStyle): RouteOver {
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

const opposite = (roads: readonly Road[]) => roads.toReversed().map((road) => road.opposite);

function stopIn(place: Place, seed: number, ordinal: number): Site {
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
function outAndBack(seed: number, home: Site, style: RoundStyle, routeOver: RouteOver, fits: (routes: readonly Route[]) => boolean): Leg[] {
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
  return intoDays(outAndBack(seed, home, "haul", routeOver, (routes) => intoDays(routes).length <= WORKING_DAYS));
}

function regionalDay(seed: number, home: Site, routeOver: RouteOver): Leg[] {
  return outAndBack(seed, home, "regional", routeOver, (routes) => drivingMs(routes) <= DAILY_DRIVING_MS);
}

function townDay(seed: number, home: Site, garage: Site, routeOver: RouteOver): Leg[] {
  const legs: Leg[] = [];
  const drops = 10 + drawIndex(5, seed, DROPS);
  const nearest = roadsFrom(home.place).filter((road) => routeOver(home, siteIn(road.to, "depot"), [road]).km < 75);
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

function visitsDay(seed: number, garage: Site, routeOver: RouteOver): Leg[] {
  const depot = siteIn(garage.place, "depot");
  const commute = (from: Site, to: Site, ordinal: number) => legOver(routeOver(from, to, []), warmUpMs(seed, 50 + ordinal), true);
  const visits = outAndBack(seed, depot, "visits", routeOver, (routes) => drivingMs(routes) <= 5 * HOUR);
  return [commute(garage, depot, 0), ...visits, commute(depot, garage, 1)];
}

function sums(days: readonly (readonly Leg[])[], of: (leg: Leg) => number): number[] {
  const before = [0];
  for (const day of days) before.push((before.at(-1) ?? 0) + day.reduce((sum, leg) => sum + of(leg), 0));
  return before;
}

function plan(seed: number, place: Place, style: RoundStyle, number: number, routeOver: RouteOver): Round {
  const depot = siteIn(place, "depot");
  const isTakenHome = style === "visits" || (style === "local" && number % 4 === 2);
  const home = isTakenHome ? siteIn(place, "residence", number) : depot;
  const days: Leg[][] = [];
  if (style === "haul") days.push(...haulWeek(seed, depot, routeOver));
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
export function roundBook(seed: number): (place: Place, style: RoundStyle, number: number) => Round {
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
