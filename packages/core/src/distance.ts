import { parseDateTime } from "./schemas/parse-date-time.ts";
import type { TachoActivity } from "./schemas/tacho-activity.ts";

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

/** The units that the distance of tachograph activities may have, each with its length in km. The interface states none (2.7). */
export const DISTANCE_UNITS = { m: 0.001, km: 1, mi: 1.609344 } as const;

export type DistanceUnit = keyof typeof DISTANCE_UNITS;

/** What activities say about the unit of their distances. */
interface DistanceEvidence {
  /** The unit, if only one is possible; undefined if there is too little evidence, or if it contradicts itself. */
  unit: DistanceUnit | undefined;
  /** The number of activities whose distance was compared with its ends. */
  compared: number;
  /** The units that are possible. */
  possible: readonly DistanceUnit[];
}

/** The units that are inferred: the interface has km and metres elsewhere. Miles fit neither, so they are not taken for km. */
const INFERRED = ["m", "km"] as const satisfies readonly DistanceUnit[];

/** Ends that are closer than this, in km, say little: positions are not exact. */
const MIN_KM = 5;
/** The speed, in km/h, above which no vehicle with a tachograph drives. */
const MAX_SPEED = 130;
/** Positions and times are rounded. */
const TOLERANCE = 1.05;
/** So few activities may be a coincidence. */
const MIN_COMPARED = 3;
/** The part of activities that may be wrong. */
const MAX_WRONG = 0.02;

/** Counts what activities say about the unit of their distances. Holds no activity. */
export class DistanceTally {
  #compared = 0;
  readonly #wrong = { m: 0, km: 0 };

  add(activity: TachoActivity): void {
    const straight = straightKm(activity);
    const [start, end] = [parseDateTime(activity.startTime), parseDateTime(activity.endTime)];
    if (straight === undefined || straight < MIN_KM || !activity.distance || start === undefined || end === undefined || end <= start)
      return;
    const longest = ((end - start) / 3_600_000) * MAX_SPEED * TOLERANCE;
    // Ends that no vehicle reaches in the time are wrong themselves.
    if (straight > longest) return;
    this.#compared++;
    for (const unit of INFERRED) {
      const km = activity.distance * DISTANCE_UNITS[unit];
      if (km * TOLERANCE < straight || km > longest) this.#wrong[unit]++;
    }
  }

  evidence(): DistanceEvidence {
    const possible = INFERRED.filter((unit) => this.#wrong[unit] <= this.#compared * MAX_WRONG);
    const [only, ...others] = possible;
    return { unit: others.length === 0 && this.#compared >= MIN_COMPARED ? only : undefined, compared: this.#compared, possible };
  }
}

/**
 * Infers the unit of the distance of tachograph activities, which is undocumented: what is driven is no shorter than the straight line between the ends, and no longer
 * than a vehicle can drive in the time.
 */
export function distanceUnitOf(activities: Iterable<TachoActivity>): DistanceEvidence {
  const tally = new DistanceTally();
  for (const activity of activities) tally.add(activity);
  return tally.evidence();
}

/** Returns the straight line in km between the ends of an activity; undefined if an end is unknown. */
export function straightKm({ startLatitude, startLongitude, endLatitude, endLongitude }: TachoActivity): number | undefined {
  if (startLatitude === undefined || startLongitude === undefined || endLatitude === undefined || endLongitude === undefined)
    return undefined;
  return distanceKm({ latitude: startLatitude, longitude: startLongitude }, { latitude: endLatitude, longitude: endLongitude });
}
