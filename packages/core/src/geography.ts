/** Degrees north and east, WGS 84. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

export const EARTH_RADIUS_KM = 6371.0088;
const RADIANS = Math.PI / 180;
/** About a kilometre, in degrees. */
const NULL_ISLAND_REACH = 0.01;

/** Whether a point is 0, 0 or so close to it that only a failed fix can be there: the nearest land is over 500 km away. */
export const isNullIsland = ({ latitude, longitude }: Point): boolean =>
  Math.abs(latitude) < NULL_ISLAND_REACH && Math.abs(longitude) < NULL_ISLAND_REACH;

/** Returns the great-circle distance in km. */
export function distanceKm(from: Point, to: Point): number {
  const halfLatitude = Math.sin(((to.latitude - from.latitude) * RADIANS) / 2);
  const halfLongitude = Math.sin(((to.longitude - from.longitude) * RADIANS) / 2);
  const chord = halfLatitude ** 2 + Math.cos(from.latitude * RADIANS) * Math.cos(to.latitude * RADIANS) * halfLongitude ** 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** Returns the initial bearing in degrees clockwise from north, 0 up to 360. */
export function bearingDegrees(from: Point, to: Point): number {
  const turn = (to.longitude - from.longitude) * RADIANS;
  const [south, north] = [from.latitude * RADIANS, to.latitude * RADIANS];
  const east = Math.sin(turn) * Math.cos(north);
  const ahead = Math.cos(south) * Math.sin(north) - Math.sin(south) * Math.cos(north) * Math.cos(turn);
  return (Math.atan2(east, ahead) / RADIANS + 360) % 360;
}
