import { drawBetween, drawIndex, scramble, topic } from "./chance.ts";
import { type DrivingStyle, type Leg, planLeg } from "./legs.ts";
import type { Place } from "./places.ts";
import { type Road, roadsFrom } from "./roads.ts";
import { type Site, siteIn } from "./sites.ts";

/** The kinds of working week: nights away, home every evening, many drops in town, or a few visits by car. */
export type RoundStyle = "haul" | "regional" | "local" | "visits";

/** A week of driving that ends where it began, so that distance and engine time add up week by week. */
export interface Round {
  readonly home: Site;
  /** The legs of the seven days; a day without legs is a day off. */
  readonly days: readonly (readonly Leg[])[];
  /** km and engine ms before each of the seven days, and of the whole week at index 7. */
  readonly kmBefore: readonly number[];
  readonly engineMsBefore: readonly number[];
}

export const WEEK_DAYS = 7;
const WORKING_DAYS = 5;
const HOUR = 3_600_000;
const MINUTE = 60_000;

/** A day's driving stays under the nine hours that EU 561/2006 allows. */
const DAILY_DRIVING_MS = 8.4 * HOUR;
const LEG_DRIVING_MS = 3.6 * HOUR;

const DRIVING: Record<RoundStyle, DrivingStyle> = {
  haul: { town: 42, open: 82, pull: 1.4 },
  regional: { town: 40, open: 80, pull: 1.4 },
  local: { town: 34, open: 92, pull: 3 },
  visits: { town: 38, open: 112, pull: 5 },
};

const NEXT_ROAD = topic("next road");
const LEG_LENGTH = topic("roads of a leg");
const SITE_CHOICE = topic("choice of site");
const WARM_UP = topic("engine running before a leg");
const DROPS = topic("drops of a day");

const drivingMs = (legs: readonly Leg[]) => legs.reduce((sum, leg) => sum + leg.driveMs, 0);

function warmUpMs(seed: number, ordinal: number): number {
  return Math.round(drawBetween(2, 6, seed, WARM_UP, ordinal)) * MINUTE;
}

/** A walk of one leg over one or two roads that does not turn back on itself. */
function walkOn(seed: number, ordinal: number, from: Place, cameFrom: Place | undefined): Road[] {
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

const opposite = (roads: readonly Road[]) =>
  roads.toReversed().map((road): Road => ({ ...road, from: road.to, to: road.from, points: road.points.toReversed() }));

function stopIn(place: Place, seed: number, ordinal: number): Site {
  const kind = drawIndex(4, seed, SITE_CHOICE, ordinal) === 0 ? "supplier" : "customer";
  return siteIn(place, kind, scramble(seed, SITE_CHOICE, ordinal, 1));
}

/** Drives the ways out one by one and the same ways back, with a stop in each town. */
function thereAndBack(seed: number, home: Site, style: RoundStyle, out: readonly (readonly Road[])[]): Leg[] {
  const ways = [...out, ...out.toReversed().map(opposite)];
  let at = home;
  return ways.map((roads, index) => {
    const from = at;
    at = index === ways.length - 1 ? home : stopIn(roads.at(-1)?.to ?? home.place, seed, index);
    return planLeg(from, at, roads, DRIVING[style], warmUpMs(seed, index));
  });
}

/** The longest trip out and back that `fits` allows. */
function outAndBack(seed: number, home: Site, style: RoundStyle, fits: (legs: readonly Leg[]) => boolean): Leg[] {
  let ways: Road[][] = [];
  let legs: Leg[] = [];
  for (let ordinal = 0; ordinal < 24; ordinal++) {
    const last = ways.at(-1)?.at(-1);
    const tried = [...ways, walkOn(seed, ordinal, last?.to ?? home.place, last?.from)];
    const trip = thereAndBack(seed, home, style, tried);
    if (fits(trip) && trip.every((leg) => leg.driveMs <= LEG_DRIVING_MS)) {
      ways = tried;
      legs = trip;
    } else if (legs.length > 0) break;
  }
  return legs;
}

/** Deals legs out to days, each full day of driving after the other. */
function intoDays(legs: readonly Leg[]): Leg[][] {
  const days: Leg[][] = [[]];
  for (const leg of legs) {
    const today = days.at(-1) ?? [];
    if (today.length > 0 && drivingMs(today) + leg.driveMs > DAILY_DRIVING_MS) days.push([leg]);
    else today.push(leg);
  }
  return days;
}

function haulWeek(seed: number, home: Site): Leg[][] {
  return intoDays(outAndBack(seed, home, "haul", (legs) => intoDays(legs).length <= WORKING_DAYS));
}

function regionalDay(seed: number, home: Site): Leg[] {
  return outAndBack(seed, home, "regional", (legs) => drivingMs(legs) <= DAILY_DRIVING_MS);
}

function localDay(seed: number, home: Site, garage: Site): Leg[] {
  const legs: Leg[] = [];
  const drops = 10 + drawIndex(5, seed, DROPS);
  const nearest = roadsFrom(home.place).filter((road) => planLeg(home, siteIn(road.to, "depot"), [road], DRIVING.local, 0).km < 75);
  const trip = nearest[drawIndex(Math.max(1, nearest.length), seed, NEXT_ROAD)];
  const abroad = trip && drawIndex(2, seed, DROPS, 1) === 0 ? [3, 4] : [];
  let at = garage;
  const goTo = (to: Site, isPrivate = false) => {
    if (to === at) return;
    const roads = at.place === to.place || !trip ? [] : at.place === home.place ? [trip] : opposite([trip]);
    legs.push(planLeg(at, to, roads, DRIVING.local, warmUpMs(seed, legs.length), isPrivate));
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

function visitsDay(seed: number, garage: Site): Leg[] {
  const depot = siteIn(garage.place, "depot");
  const commute = (from: Site, to: Site, ordinal: number) => planLeg(from, to, [], DRIVING.visits, warmUpMs(seed, 50 + ordinal), true);
  const visits = outAndBack(seed, depot, "visits", (legs) => drivingMs(legs) <= 5 * HOUR);
  return [commute(garage, depot, 0), ...visits, commute(depot, garage, 1)];
}

function sums(days: readonly (readonly Leg[])[], of: (leg: Leg) => number): number[] {
  const before = [0];
  for (const day of days) before.push((before.at(-1) ?? 0) + day.reduce((sum, leg) => sum + of(leg), 0));
  return before;
}

function plan(seed: number, place: Place, style: RoundStyle, number: number): Round {
  const depot = siteIn(place, "depot");
  const isTakenHome = style === "visits" || (style === "local" && number % 4 === 2);
  const home = isTakenHome ? siteIn(place, "residence", number) : depot;
  const days: Leg[][] = [];
  if (style === "haul") days.push(...haulWeek(seed, depot));
  for (let day = days.length; day < WEEK_DAYS; day++) {
    const daySeed = scramble(seed, DROPS, day, 2);
    if (style === "haul" || day >= WORKING_DAYS) days.push([]);
    else if (style === "regional") days.push(regionalDay(daySeed, depot));
    else days.push(style === "local" ? localDay(daySeed, depot, home) : visitsDay(daySeed, home));
  }
  return { home, days, kmBefore: sums(days, (leg) => leg.km), engineMsBefore: sums(days, (leg) => leg.driveMs + leg.idleMs) };
}

/** How many different rounds of a style start from one place; larger fleets share them at different hours. */
export const ROUNDS_PER_PLACE = 8;

/** Keeps the rounds that were asked for; there are few, however large the fleet. */
export function roundBook(seed: number): (place: Place, style: RoundStyle, number: number) => Round {
  const planned = new Map<string, Round>();
  return (place, style, number) => {
    const key = `${place.ordinal} ${style} ${number % ROUNDS_PER_PLACE}`;
    const known = planned.get(key);
    if (known) return known;
    const round = plan(scramble(seed, topic(style), place.ordinal, number % ROUNDS_PER_PLACE), place, style, number % ROUNDS_PER_PLACE);
    planned.set(key, round);
    return round;
  };
}
