import type { Fault, Wire, World } from "./world.ts";

/** Plain lookups for computing correct answers. Each throws if it finds nothing, so that no question loses its subject unnoticed. */
export function vehicle(world: World, name: string): Wire {
  const found = [...world.vehicles, ...world.sold].filter(({ assetName }) => assetName === name);
  if (found.length !== 1 || !found[0]) throw new Error(`${name} is not one vehicle of this world`);
  return found[0];
}

export function driving(world: World, driver: string): Wire {
  const found = world.vehicles.filter(({ driverName }) => driverName === driver);
  if (!found[0] || found.some(({ driverId }) => driverId !== found[0]?.["driverId"]))
    throw new Error(`${driver} is not one driver of this world`);
  return found[0];
}

export const inGroup = (world: World, group: string) => some(world.vehicles.filter(({ assetGroupName }) => assetGroupName === group));
export const ofType = (world: World, type: string) => world.vehicles.filter(({ assetType }) => assetType === type);
/** Vehicles whose whereabouts may be revealed. */
export const visible = (world: World) => world.vehicles.filter(({ privacy }) => !privacy);

export const openFaults = (world: World) => some(world.faults.filter(({ open }) => open));
export const vehiclesOf = (faults: readonly Fault[]) => [...new Set(faults.map((fault) => fault.vehicle))];

/** Sorted by a number, highest first. */
export const byNumber = <T extends Wire>(records: readonly T[], field: (record: T) => number) =>
  records.filter((record) => Number.isFinite(field(record))).sort((a, b) => field(b) - field(a));

export function some<T>(records: T[]): T[] {
  if (records.length === 0) throw new Error("The world has nothing to ask about here");
  return records;
}

export interface Point {
  latitude: number;
  longitude: number;
}

/** Great-circle distance in km. */
export function distanceKm(a: Wire | Point, b: Wire | Point): number {
  const radians = Math.PI / 180;
  const [lat1, lat2] = [a.latitude * radians, b.latitude * radians];
  const half =
    Math.sin((lat2 - lat1) / 2) ** 2 + Math.cos(lat1) * Math.cos(lat2) * Math.sin(((b.longitude - a.longitude) * radians) / 2) ** 2;
  return 2 * 6371 * Math.asin(Math.sqrt(half));
}

export const nearest = (vehicles: readonly Wire[], place: Point) =>
  [...vehicles].sort((a, b) => distanceKm(a, place) - distanceKm(b, place));

/** Centres of towns, whether or not the fleet is there. */
export const TOWNS = {
  bordeaux: { latitude: 44.8378, longitude: -0.5792 },
  frankfurt: { latitude: 50.1109, longitude: 8.6821 },
  madrid: { latitude: 40.4168, longitude: -3.7038 },
  munich: { latitude: 48.1374, longitude: 11.5755 },
  prague: { latitude: 50.0755, longitude: 14.4378 },
  salzburg: { latitude: 47.8095, longitude: 13.055 },
  vienna: { latitude: 48.2082, longitude: 16.3738 },
} satisfies Record<string, Point>;
