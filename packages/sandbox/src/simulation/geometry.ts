import { bearingDegrees, distanceKm, EARTH_RADIUS_KM, type Point } from "@fleetwire/core/internal";

const RADIANS = Math.PI / 180;

/** The point at a distance and bearing from another; accurate enough for a few km. */
export function offset(from: Point, direction: number, km: number): Point {
  const degrees = km / EARTH_RADIUS_KM / RADIANS;
  return {
    latitude: from.latitude + degrees * Math.cos(direction * RADIANS),
    longitude: from.longitude + (degrees * Math.sin(direction * RADIANS)) / Math.cos(from.latitude * RADIANS),
  };
}

/** A line through points, with the distance in km from its start to each. */
export interface Path {
  readonly points: readonly Point[];
  readonly kmAt: readonly number[];
  readonly km: number;
}

export function pathThrough(points: readonly Point[]): Path {
  const kmAt: number[] = [];
  let km = 0;
  for (const [index, point] of points.entries()) {
    const previous = points[index - 1];
    if (previous) km += distanceKm(previous, point);
    kmAt.push(km);
  }
  return { points, kmAt, km };
}

/** The point at `km` along a path, and the direction of travel there. */
export function alongPath(path: Path, km: number): Point & { readonly heading: number } {
  let low = 0;
  let high = path.points.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((path.kmAt[middle] ?? 0) <= km) low = middle;
    else high = middle;
  }
  const from = path.points[low];
  const to = path.points[high];
  if (!from || !to) throw new RangeError("A path needs at least two points");
  const startKm = path.kmAt[low] ?? 0;
  const share = Math.min(1, Math.max(0, (km - startKm) / ((path.kmAt[high] ?? 0) - startKm || 1)));
  return {
    latitude: from.latitude + (to.latitude - from.latitude) * share,
    longitude: from.longitude + (to.longitude - from.longitude) * share,
    heading: bearingDegrees(from, to),
  };
}
