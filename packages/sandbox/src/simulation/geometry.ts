/** Degrees north and east, WGS 84. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

const EARTH_RADIUS_KM = 6371.0088;
const RADIANS = Math.PI / 180;

/** Great-circle distance in km. */
export function distanceKm(from: Point, to: Point): number {
  const halfLatitude = Math.sin(((to.latitude - from.latitude) * RADIANS) / 2);
  const halfLongitude = Math.sin(((to.longitude - from.longitude) * RADIANS) / 2);
  const chord = halfLatitude ** 2 + Math.cos(from.latitude * RADIANS) * Math.cos(to.latitude * RADIANS) * halfLongitude ** 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** Initial bearing, in degrees clockwise from north, 0 up to 360. */
export function bearing(from: Point, to: Point): number {
  const turn = (to.longitude - from.longitude) * RADIANS;
  const east = Math.sin(turn) * Math.cos(to.latitude * RADIANS);
  const north =
    Math.cos(from.latitude * RADIANS) * Math.sin(to.latitude * RADIANS) -
    Math.sin(from.latitude * RADIANS) * Math.cos(to.latitude * RADIANS) * Math.cos(turn);
  return (Math.atan2(east, north) / RADIANS + 360) % 360;
}

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
    heading: bearing(from, to),
  };
}
