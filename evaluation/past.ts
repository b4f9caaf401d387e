import { distanceKm, type Point, vehicle } from "./ask.ts";
import { all, either, type Fact, number, states } from "./facts.ts";
import { type Activity, MINUTE, type World } from "./world.ts";

/** The user's day or hours of November 2026; the zone is an hour ahead of UTC. */
export const november = (day: number, from = 0, to = 24) => [Date.UTC(2026, 10, day, from - 1), Date.UTC(2026, 10, day, to - 1)] as const;
type Span = readonly [start: number, end: number];

type Drive = Activity & { driverId: string };

/** Everyone's driving in a vehicle, in order. */
export function drivesOf(world: World, name: string, [from, to]: Span = [0, world.now]): Drive[] {
  const assetId = vehicle(world, name)["assetId"];
  const isDrive = (one: Activity) => one["assetId"] === assetId && one.activity === "DRIVING" && one.start < to && one.end > from;
  return [...world.activities]
    .flatMap(([driverId, activities]) => activities.filter(isDrive).map((drive): Drive => ({ ...drive, driverId })))
    .sort((a, b) => a.start - b.start);
}

/** Kilometres of the drives that began in a period. */
export const kmOf = (world: World, name: string, [from, to]: Span) =>
  drivesOf(world, name, [from, to])
    .filter(({ start }) => start >= from)
    .reduce((sum, drive) => sum + drive["distance"], 0);

export interface Stay {
  start: number;
  end: number;
  point: Point;
}

/** Where a vehicle stood between two drives, or stands since the last. */
export function staysOf(world: World, name: string): Stay[] {
  const drives = drivesOf(world, name);
  return drives.flatMap((drive, at) => {
    const end = drives[at + 1]?.start ?? world.now;
    const point = { latitude: drive["endLatitude"], longitude: drive["endLongitude"] };
    return drive["inProgress"] || end - drive.end < 5 * MINUTE ? [] : [{ start: drive.end, end, point }];
  });
}

function one<T>(found: readonly T[], what: string): T {
  if (found.length !== 1 || found[0] === undefined) throw new Error(`${what}: ${found.length} instead of one`);
  return found[0];
}

export const stayAt = (world: World, name: string, time: number) =>
  one(
    staysOf(world, name).filter(({ start, end }) => start <= time && time < end),
    `${name} stood`,
  );

export const driveAt = (world: World, name: string, time: number) =>
  one(
    drivesOf(world, name).filter(({ start, end }) => start <= time && time < end),
    `${name} drove`,
  );

/** Centres of towns, and how else they are called. */
const CENTRES: readonly (readonly [name: string, latitude: number, longitude: number, otherwise?: RegExp])[] = [
  ["Aalborg", 57.048, 9.919],
  ["Barcelona", 41.387, 2.169],
  ["Berlin", 52.52, 13.405],
  ["Carlisle", 54.895, -2.938],
  ["Clermont-Ferrand", 45.777, 3.087],
  ["Frankfurt", 50.111, 8.682],
  ["Hamburg", 53.551, 9.994],
  ["Kassel", 51.313, 9.481],
  ["Kolding", 55.49, 9.472],
  ["Legnica", 51.207, 16.155, /liegnitz/],
  ["Lyon", 45.76, 4.836],
  ["Magdeburg", 52.13, 11.63],
  ["Mannheim", 49.488, 8.466],
  ["Metz", 49.119, 6.176],
  ["Montpellier", 43.611, 3.877],
  ["Mulhouse", 47.751, 7.336, /mulhausen/],
  ["Opole", 50.675, 17.921],
  ["Poznań", 52.406, 16.925, /posen/],
  ["Strasbourg", 48.574, 7.752, /strassburg/],
  ["Toulouse", 43.605, 1.444],
  ["Würzburg", 49.791, 9.953],
  ["Zaragoza", 41.649, -0.889, /saragossa/],
  ["Świebodzin", 52.248, 15.533, /schwiebus/],
];
const IN_TOWN_KM = 12;

function townAt(point: Point) {
  const near = CENTRES.map(([name, latitude, longitude, otherwise]) => ({
    name,
    otherwise,
    km: distanceKm(point, { latitude, longitude }),
  }));
  return near.filter(({ km }) => km <= IN_TOWN_KM).sort((a, b) => a.km - b.km)[0];
}

/** Names the town that a point is in or near, or gives its coordinates. */
export function place(point: Point): Fact {
  const town = townAt(point);
  const coordinates = all(number(point.latitude, 0.02), number(point.longitude, 0.02));
  if (!town) throw new Error(`No town is known near ${point.latitude}, ${point.longitude}`);
  return either(states(town.name, town.otherwise), coordinates);
}

export const startOf = (drive: Activity): Point => ({ latitude: drive["startLatitude"], longitude: drive["startLongitude"] });
export const endOf = (drive: Activity): Point => ({ latitude: drive["endLatitude"], longitude: drive["endLongitude"] });

/** Vehicles with a tachograph that stood within some km of a point for a part of a period. */
export const visitors = (world: World, point: Point, km: number, [from, to]: Span) =>
  world.vehicles.filter(
    ({ assetType, assetName, privacy }) =>
      assetType === "TRUCK" &&
      !privacy &&
      staysOf(world, assetName).some((stay) => stay.start < to && stay.end > from && distanceKm(stay.point, point) <= km),
  );

/** Where a location is, by a vehicle that is there now. */
export function locationPoint(world: World, name: string): Point {
  const there = world.vehicles.find(({ locationName }) => locationName === name);
  if (!there) throw new Error(`Nobody is at ${name}`);
  return { latitude: there["latitude"], longitude: there["longitude"] };
}

/** The name of a driver, if live positions show it now. */
export const nameOf = (world: World, id: string): string | undefined =>
  world.vehicles.find(({ driverId }) => driverId === id)?.["driverName"];
