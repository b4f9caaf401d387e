import { alongPath, bearing, distanceKm, offset, type Path, type Point, pathThrough } from "./geometry.ts";
import type { Place } from "./places.ts";
import type { Road } from "./roads.ts";
import { GEOFENCE_KM, type Site } from "./sites.ts";
import { type Block, driven, type SpeedProfile, speedProfile } from "./speed-profile.ts";

/** How a type of vehicle drives: speeds in km/h, `pull` (acceleration) in km/h per s. */
export interface DrivingStyle {
  readonly town: number;
  readonly open: number;
  readonly pull: number;
}

/** From `fromKm` on, the vehicle is on this road, and this place is the nearest. */
interface Stretch {
  readonly fromKm: number;
  readonly place: Place;
  readonly road: string;
}

/** One drive from a site to another. */
export interface Leg {
  readonly from: Site;
  readonly to: Site;
  readonly path: Path;
  readonly km: number;
  readonly profile: SpeedProfile;
  /** Whole seconds, in ms. */
  readonly driveMs: number;
  /** How long the engine runs before departure, in ms. */
  readonly idleMs: number;
  readonly isPrivate: boolean;
  readonly stretches: readonly Stretch[];
}

/** Leg lengths are multiples of a binary fraction of a km, so sums are exact and rounding never turns back an odometer. */
const KM_PARTS = 1024;

const TOWN = { swing: 0.3, swingSeconds: 75 };
const OPEN = { swing: 0.05, swingSeconds: 420 };

function bent(from: Point, to: Point): Point {
  const middle = { latitude: (from.latitude + to.latitude) / 2, longitude: (from.longitude + to.longitude) / 2 };
  return offset(middle, bearing(from, to) + 90, distanceKm(from, to) * 0.12);
}

/** Plans the drive between two sites over the given roads; none within a town. */
export function planLeg(from: Site, to: Site, roads: readonly Road[], style: DrivingStyle, idleMs: number, isPrivate = false): Leg {
  const junctions = roads.flatMap((road, at) => (at === 0 ? road.points : road.points.slice(1)));
  const first = junctions[0];
  const last = junctions.at(-1);
  const path = pathThrough(first && last ? [from, bent(from, first), ...junctions, bent(last, to), to] : [from, bent(from, to), to]);
  const stretches: Stretch[] = [{ fromKm: 0, place: from.place, road: from.road }];
  let blocks: Block[] = [{ km: path.km, cruise: style.town, ...TOWN }];
  if (first && last) {
    const outKm = path.kmAt[2] ?? 0;
    const inKm = path.km - (path.kmAt[path.kmAt.length - 3] ?? 0);
    blocks = [
      { km: outKm, cruise: style.town, ...TOWN },
      { km: path.km - outKm - inKm, cruise: style.open, ...OPEN },
      { km: inKm, cruise: style.town, ...TOWN },
    ];
    let along = outKm;
    for (const road of roads) {
      stretches.push(
        { fromKm: along, place: road.from, road: road.name },
        { fromKm: along + road.km / 2, place: road.to, road: road.name },
      );
      along += road.km;
    }
    stretches.push({ fromKm: path.km - inKm, place: to.place, road: to.road });
  }
  const profile = speedProfile(blocks, style.pull);
  const driveMs = Math.ceil(profile.ms / 1000) * 1000;
  const km = Math.floor(path.km * KM_PARTS) / KM_PARTS;
  return { from, to, path, km, profile, driveMs, idleMs, isPrivate, stretches };
}

/** A vehicle's state at a moment during a drive. */
export interface Moment extends Point {
  /** Degrees clockwise from north. */
  readonly heading: number;
  /** km/h */
  readonly speed: number;
  /** km since the start of the leg. */
  readonly km: number;
  readonly place: Place;
  readonly road: string;
  /** The site that the vehicle is at, if any. */
  readonly site: Site | undefined;
}

/** The state some ms after departure, clamped to the start and end of the leg. */
export function momentOf(leg: Leg, ms: number): Moment {
  const { km: exactKm, speed } = driven(leg.profile, ms);
  const km = Math.min(exactKm, leg.km);
  const position = alongPath(leg.path, km);
  const stretch = leg.stretches.findLast((candidate) => candidate.fromKm <= km);
  const site = [leg.from, leg.to].find((candidate) => distanceKm(candidate, position) <= GEOFENCE_KM);
  const place = site?.place ?? stretch?.place ?? leg.from.place;
  return { ...position, speed, km, place, road: site?.road ?? stretch?.road ?? leg.from.road, site };
}
