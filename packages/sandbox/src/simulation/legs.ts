import { bearingDegrees, distanceKm, type Point } from "@fleetwire/core/internal";
import { offset, type Place } from "./places.ts";
import type { Road } from "./roads.ts";
import { GEOFENCE_KM, type Site } from "./sites.ts";

/** A section of a drive at one cruising speed. */
interface Block {
  readonly km: number;
  /** km/h */
  readonly cruise: number;
  /** How far traffic makes the speed oscillate, as a fraction of the cruising speed, and the period in s. */
  readonly swing: number;
  readonly swingSeconds: number;
}

interface Phase {
  readonly startMs: number;
  readonly startKm: number;
  readonly ms: number;
  readonly from: number;
  readonly to: number;
  readonly swing: number;
  readonly periodMs: number;
}

type SpeedProfile = ReturnType<typeof speedProfile>;

const HOUR_MS = 3_600_000;

const rampMs = (from: number, to: number, pull: number) => (Math.abs(to - from) / pull) * 1000;
const rampKm = (from: number, to: number, pull: number) => (((from + to) / 2) * rampMs(from, to, pull)) / HOUR_MS;

/** Lowers the cruising speed of blocks that are too short to reach it. */
function reachable(blocks: readonly Block[], pull: number): Block[] {
  const lowered = [...blocks];
  for (let round = 0; round < 40; round++) {
    const tight = lowered.findIndex((block, at) => {
      const before = lowered[at - 1]?.cruise ?? 0;
      const after = lowered[at + 1]?.cruise ?? 0;
      const ramps =
        (before < block.cruise ? rampKm(before, block.cruise, pull) : 0) + (after < block.cruise ? rampKm(block.cruise, after, pull) : 0);
      return ramps > block.km * 0.9;
    });
    const block = lowered[tight];
    if (!block) break;
    lowered[tight] = { ...block, cruise: block.cruise * 0.8 };
  }
  return lowered;
}

/**
 * Plans the speed of a drive over blocks of road, from standstill to standstill: ramps and gently oscillating cruises, with the distance of each in
 * closed form. `pull` is the vehicle's acceleration, in km/h per s.
 */
function speedProfile(road: readonly Block[], pull: number) {
  const blocks = reachable(road, pull);
  const phases: Phase[] = [];
  let ms = 0;
  let km = 0;
  const add = (length: number, phaseMs: number, from: number, to: number, swing: number, swingSeconds: number) => {
    const periodMs = phaseMs / Math.max(1, Math.round(phaseMs / (swingSeconds * 1000)));
    phases.push({ startMs: ms, startKm: km, ms: phaseMs, from, to, swing, periodMs });
    ms += phaseMs;
    km += length;
  };
  for (const [at, block] of blocks.entries()) {
    const before = blocks[at - 1]?.cruise ?? 0;
    const after = blocks[at + 1]?.cruise ?? 0;
    const up = before < block.cruise ? rampKm(before, block.cruise, pull) : 0;
    const down = after < block.cruise ? rampKm(block.cruise, after, pull) : 0;
    const cruiseKm = block.km - up - down;
    if (up > 0) add(up, rampMs(before, block.cruise, pull), before, block.cruise, 0, 60);
    add(cruiseKm, (cruiseKm / block.cruise) * HOUR_MS, block.cruise, block.cruise, block.swing, block.swingSeconds);
    if (down > 0) add(down, rampMs(block.cruise, after, pull), block.cruise, after, 0, 60);
  }
  return { phases, km, ms };
}

/** Distance in km and speed in km/h, some ms after departure. */
function driven(profile: SpeedProfile, ms: number): { readonly km: number; readonly speed: number } {
  if (ms <= 0) return { km: 0, speed: 0 };
  if (ms >= profile.ms) return { km: profile.km, speed: 0 };
  let at = profile.phases.length - 1;
  while (at > 0 && (profile.phases[at] as Phase).startMs > ms) at--;
  const phase = profile.phases[at] as Phase;
  const inside = ms - phase.startMs;
  const turn = (2 * Math.PI * inside) / phase.periodMs;
  const steady = (phase.from * inside + ((phase.to - phase.from) * inside * inside) / (2 * phase.ms)) / HOUR_MS;
  const swung = (phase.from * phase.swing * (1 - Math.cos(turn)) * phase.periodMs) / (2 * Math.PI * HOUR_MS);
  const speed = phase.from + ((phase.to - phase.from) * inside) / phase.ms + phase.from * phase.swing * Math.sin(turn);
  return { km: phase.startKm + steady + swung, speed };
}

/** A line through points, with the distance in km from its start to each. */
interface Path {
  readonly points: readonly Point[];
  readonly kmAt: readonly number[];
  readonly km: number;
}

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

/** The way from a site to another, driven in one style. */
export interface Route {
  readonly from: Site;
  readonly to: Site;
  readonly km: number;
  /** Whole seconds, in ms. */
  readonly driveMs: number;
  /** Computed on first use: for most routes, only the length matters. */
  readonly track: () => ReturnType<typeof trackOver>;
}

/** One drive over a route. */
export interface Leg extends Route {
  /** How long the engine runs before departure, in ms. */
  readonly idleMs: number;
  readonly isPrivate: boolean;
}

/** Leg lengths are multiples of a binary fraction of a km, so sums are exact and rounding never turns back an odometer. */
const KM_PARTS = 1024;

const inTown = (km: number, { town }: DrivingStyle): Block => ({ km, cruise: town, swing: 0.3, swingSeconds: 75 });
const onOpenRoad = (km: number, { open }: DrivingStyle): Block => ({ km, cruise: open, swing: 0.05, swingSeconds: 420 });

function bent(from: Point, to: Point): Point {
  const middle = { latitude: (from.latitude + to.latitude) / 2, longitude: (from.longitude + to.longitude) / 2 };
  return offset(middle, bearingDegrees(from, to) + 90, distanceKm(from, to) * 0.12);
}

/** A path over bends in towns and the roads between them. The lengths of the roads' steps are known. */
function pathOver(from: Site, to: Site, roads: readonly Road[]): Path {
  const first = roads[0]?.points[0];
  const last = roads.at(-1)?.points.at(-1);
  const points: Point[] = [from];
  const kmAt = [0];
  let km = 0;
  const goOn = (point: Point, step = distanceKm(points.at(-1) as Point, point)) => {
    km += step;
    points.push(point);
    kmAt.push(km);
  };
  goOn(bent(from, first ?? to));
  if (first) goOn(first);
  for (const [index, road] of roads.entries()) {
    // Where two roads meet, their ends may differ in the last digit.
    for (let at = 1; at < road.points.length; at++) goOn(road.points[at] as Point, at === 1 && index > 0 ? undefined : road.steps[at - 1]);
  }
  if (last) goOn(bent(last, to));
  goOn(to);
  return { points, kmAt, km };
}

/** What it takes to place a vehicle on a route. */
function trackOver(from: Site, to: Site, roads: readonly Road[], style: DrivingStyle) {
  const path = pathOver(from, to, roads);
  const stretches: Stretch[] = [{ fromKm: 0, place: from.place, road: from.road }];
  if (roads.length === 0) return { path, profile: speedProfile([inTown(path.km, style)], style.pull), stretches };
  const outKm = path.kmAt[2] ?? 0;
  const inKm = path.km - (path.kmAt[path.kmAt.length - 3] ?? 0);
  const blocks = [inTown(outKm, style), onOpenRoad(path.km - outKm - inKm, style), inTown(inKm, style)];
  let along = outKm;
  for (const { from: start, to: end, name: road, km } of roads) {
    stretches.push({ fromKm: along, place: start, road }, { fromKm: along + km / 2, place: end, road });
    along += km;
  }
  stretches.push({ fromKm: path.km - inKm, place: to.place, road: to.road });
  return { path, profile: speedProfile(blocks, style.pull), stretches };
}

/** Plans the way between two sites over the given roads; none within a town. */
export function planRoute(from: Site, to: Site, roads: readonly Road[], style: DrivingStyle): Route {
  const { path, profile } = trackOver(from, to, roads, style);
  let kept: ReturnType<typeof trackOver> | undefined;
  const track = () => {
    kept ??= trackOver(from, to, roads, style);
    return kept;
  };
  return { from, to, km: Math.floor(path.km * KM_PARTS) / KM_PARTS, driveMs: Math.ceil(profile.ms / 1000) * 1000, track };
}

export function legOver(route: Route, idleMs: number, isPrivate = false): Leg {
  return { ...route, idleMs, isPrivate };
}

/** The point at `km` along a path, and the direction of travel there. */
function alongPath(path: Path, km: number): Point & { readonly heading: number } {
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

/** A vehicle's state at a moment during a drive. */
export interface Moment extends Point {
  /** Degrees clockwise from north. */
  readonly heading: number;
  /** km/h */
  readonly speed: number;
  /** km since the start of the leg. */
  readonly km: number;
  /** The nearest town on the map, however far. */
  readonly place: Place;
  readonly road: string;
  /** The site that the vehicle is at, if any. */
  readonly site: Site | undefined;
}

/** More than a geofence in degrees of latitude, and in degrees of longitude up to 66 degrees north. */
const NEAR_LATITUDE = 0.0023;
const NEAR_LONGITUDE = 0.006;

function isAt(site: Site, latitude: number, longitude: number): boolean {
  const isNear = Math.abs(site.latitude - latitude) < NEAR_LATITUDE && Math.abs(site.longitude - longitude) < NEAR_LONGITUDE;
  return isNear && distanceKm(site, { latitude, longitude }) <= GEOFENCE_KM;
}

/** The state some ms after departure, clamped to the start and end of the leg. */
export function momentOf(leg: Leg, ms: number): Moment {
  const { path, profile, stretches } = leg.track();
  const { km: exactKm, speed } = driven(profile, ms);
  const km = Math.min(exactKm, leg.km);
  const { latitude, longitude, heading } = alongPath(path, km);
  const site = [leg.from, leg.to].find((end) => isAt(end, latitude, longitude));
  const { place, road } = site ?? (stretches.findLast(({ fromKm }) => fromKm <= km) as Stretch);
  return { latitude, longitude, heading, speed, km, place, road, site };
}
