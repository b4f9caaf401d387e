import type { FleetView } from "../fleet/fleet-view.ts";
import { distanceKm, middleOf, type Point, pointOf, pointsTogether, townLabel } from "../places/geography.ts";
import type { TownIndex, TownMatch } from "../places/town-index.ts";
import { townWords } from "../places/towns.ts";
import { forEachInSlices } from "../runtime/time-slices.ts";
import { type AreaQuery, type FleetTown, fleetTowns, isThere, readArea, townsFor, townsLike } from "./fleet-towns.ts";

/** A town that a name may refer to. */
export interface TownCandidate extends Point {
  name: string;
  country: string | undefined;
  population: number;
  /** Whether the name is this town's whole name. */
  isWhole: boolean;
  /** The number of vehicles that report the town. */
  vehicles: number;
  /** Whether the point is only the center of these vehicles, because the town is not on the map. */
  isEstimated: boolean;
}

/** One town, or several to ask about; undefined if there is none. `others` are the towns that are clearly not meant. */
export type TownResolution =
  | { result: "found"; town: TownCandidate; others: readonly TownCandidate[] }
  | { result: "ambiguous"; towns: readonly TownCandidate[] }
  | undefined;

/** A fleet may report a town along the roads around it. */
const SAME_TOWN_KM = 60;
/** A smaller town this close is a part of the larger one. */
const PART_KM = 15;
const DOMINANT = 30;
const NEAR_KM = 50;
const AREA_KM = 100;
const OUTSIDE_KM = 300;
/** Minimum population of a town by which others are described. */
const LARGE = 100_000;
const NEARBY_KM = 150;
const MAX_SIMILAR = 3;

/** The towns on the map with this name, and those with a longer name if one of them is about as large. */
function townsOnMap(query: AreaQuery, index: TownIndex | undefined): TownMatch[] {
  const matches = (index?.named(query.words) ?? []).filter(({ town }) => isThere(query, town));
  const largest = Math.max(0, ...matches.flatMap(({ isWhole, town }) => (isWhole ? [town.population] : [])));
  const isAmbiguous = matches.some(({ isWhole, town }) => !isWhole && town.population > largest / 2);
  const towns = matches.filter(({ isWhole, town }) => isWhole || (isAmbiguous && town.population > largest / 5));
  const isPart = ({ town }: TownMatch) =>
    towns.some((other) => other.town.population > town.population && distanceKm(other.town, town) < PART_KM);
  return towns.filter((town) => !isPart(town)).sort((a, b) => b.town.population - a.town.population);
}

/** A town that is not on the map. */
const reportedOnly = ({ name, country }: FleetTown, vehicles: number) => ({
  name,
  country,
  population: 0,
  isWhole: true,
  vehicles,
  isEstimated: true,
});

/** Returns the candidate in which a point lies; if there are several, the nearest. */
const candidateAt = (point: Point, candidates: readonly TownCandidate[]) =>
  candidates
    .map((candidate) => ({ candidate, km: distanceKm(candidate, point) }))
    .filter(({ km }) => km < SAME_TOWN_KM)
    .sort((a, b) => a.km - b.km)[0]?.candidate;

function candidatesFor(onMap: readonly TownMatch[], reported: readonly FleetTown[]): TownCandidate[] {
  const candidates = onMap.map(({ town, isWhole }): TownCandidate => ({ ...town, isWhole, vehicles: 0, isEstimated: false }));
  for (const town of reported) {
    const points = town.inside.flatMap((position) => pointOf(position) ?? []);
    const elsewhere: Point[] = [];
    for (const point of points) {
      const known = candidateAt(point, candidates);
      if (known) known.vehicles++;
      else elsewhere.push(point);
    }
    // A few vehicles may be far from the address that they report.
    const center = elsewhere.length > points.length / 2 ? middleOf(pointsTogether(elsewhere)) : undefined;
    if (center) candidates.push({ ...center, ...reportedOnly(town, elsewhere.length) });
  }
  return candidates;
}

/** Returns the distance in km from each town to the nearest vehicle. */
async function nearestVehicles(towns: readonly Point[], fleet: FleetView): Promise<number[]> {
  const nearest = towns.map(() => Number.POSITIVE_INFINITY);
  await forEachInSlices(fleet.positions, (position) => {
    const point = pointOf(position);
    if (!point) return;
    for (const [at, town] of towns.entries()) nearest[at] = Math.min(nearest[at] as number, distanceKm(town, point));
  });
  return nearest;
}

/** Returns the candidate that must be meant, if there is one: the one that vehicles report, a much larger one, or the only one in the fleet's area. */
async function clearlyMeant(towns: readonly TownCandidate[], fleet: FleetView): Promise<TownCandidate | undefined> {
  const [first, second] = towns;
  if (!second) return first;
  const reported = towns.filter(({ vehicles }) => vehicles > 0);
  if (reported.length > 0) return reported.length === 1 ? reported[0] : undefined;
  const nearest = await nearestVehicles(towns, fleet);
  const othersAreBeyond = (km: number, town: TownCandidate) => towns.every((other, at) => other === town || (nearest[at] as number) > km);
  const dominates = (town: TownCandidate) =>
    town.isWhole && towns.every((other) => other === town || town.population >= DOMINANT * other.population);
  return (
    towns.find((town) => dominates(town) && othersAreBeyond(NEAR_KM, town)) ??
    towns.find((town, at) => (nearest[at] as number) < AREA_KM && othersAreBeyond(OUTSIDE_KM, town))
  );
}

/** Finds a town by name: among those that the fleet reports, then on the map. */
export async function findTown(text: string, fleet: FleetView, gazetteer: () => Promise<TownIndex | undefined>): Promise<TownResolution> {
  const [reported, index] = [await fleetTowns(fleet), await gazetteer()];
  const towns = readArea(text)
    .filter(({ words }) => words.length > 0)
    .map((query) => candidatesFor(townsOnMap(query, index), townsFor(query, reported)))
    .find(({ length }) => length > 0);
  if (!towns) return undefined;
  const town = await clearlyMeant(towns, fleet);
  return town ? { result: "found", town, others: towns.filter((other) => other !== town) } : { result: "ambiguous", towns };
}

/** Returns the towns that vehicles report, or large ones, that a text misspells. */
async function townsSpelledLike(query: AreaQuery, fleet: FleetView, index: TownIndex | undefined): Promise<TownCandidate[]> {
  const onMap = (index?.spelledLike(query.words, LARGE) ?? []).filter(({ town }) => isThere(query, town));
  const largestFirst = onMap.sort((a, b) => b.town.population - a.town.population);
  return candidatesFor(largestFirst, townsLike(query, await fleetTowns(fleet))).slice(0, MAX_SIMILAR);
}

/**
 * For a text that names no town, returns those that it may mean: those whose whole name it begins with, such as "Neustadt an der
 * Weinstraße", or those that it misspells. None of them is certain.
 */
export async function similarTowns(
  text: string,
  fleet: FleetView,
  gazetteer: () => Promise<TownIndex | undefined>,
): Promise<TownCandidate[]> {
  const index = await gazetteer();
  const queries = readArea(text);
  for (const { words, country } of queries) {
    for (let count = words.length - 1; count > 0; count--) {
      const whole = townsOnMap({ words: words.slice(0, count), country }, index).filter(({ isWhole }) => isWhole);
      if (whole.length > 0) return candidatesFor(whole, []);
    }
  }
  const alike = await Promise.all(queries.map((query) => townsSpelledLike(query, fleet, index)));
  return alike.find(({ length }) => length > 0) ?? [];
}

const MAX_PARTS = 4;

/** The towns in which an address may be: "Quai Perrache 10, 69002 Lyon, France" names Lyon. None of them is certain. */
export async function townsInAddress(
  text: string,
  fleet: FleetView,
  gazetteer: () => Promise<TownIndex | undefined>,
): Promise<readonly TownCandidate[]> {
  const [, ...parts] = text.split(",", MAX_PARTS).map((part) => part.replace(/\S*\d\S*/g, " ").trim());
  for (let at = 0; at < parts.length; at++) {
    const town = await findTown(parts.slice(at).join(", "), fleet, gazetteer);
    if (town) return town.result === "found" ? [town.town] : town.towns;
  }
  return [];
}

const rounded = ({ latitude, longitude }: Point) => `${latitude.toFixed(2)}, ${longitude.toFixed(2)}`;

/** Describes a town so that it differs from its namesakes: by a larger town nearby, and by coordinates, which also work as a name. */
export function distinctLabel(town: TownCandidate, index: TownIndex | undefined): string {
  const [nearby] = (index?.largerThan(Math.max(LARGE, 2 * town.population)) ?? [])
    .filter((other) => distanceKm(town, other) < NEARBY_KM && townWords(other.name)[0] !== townWords(town.name)[0])
    .sort((a, b) => distanceKm(town, a) - distanceKm(town, b));
  return `${townLabel(town.name, town.country)}${nearby ? `, near ${nearby.name}` : ""} (${rounded(town)})`;
}
