import { bearingDegrees, distanceKm, type Point } from "@fleetwire/core/internal";
import type { CountryCode } from "./countries.ts";
import { alongPath, offset, type Path, pathThrough } from "./geometry.ts";
import type { Place } from "./places.ts";
import type { Road } from "./roads.ts";
import { countryOf, GEOFENCE_KM, roadside, type Site } from "./sites.ts";
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

/** What it takes to place a vehicle on a route. */
interface Track {
  readonly path: Path;
  readonly profile: SpeedProfile;
  readonly stretches: readonly Stretch[];
  readonly countries: Road["countries"];
}

/** The way from a site to another, driven in one style. */
export interface Route {
  readonly from: Site;
  readonly to: Site;
  readonly km: number;
  /** Whole seconds, in ms. */
  readonly driveMs: number;
  /** Computed on first use: for most routes, only the length matters. */
  readonly track: () => Track;
  /** The same way with a jam, or undefined if it leads over no road. */
  readonly jammed: (jam: Jam) => Route | undefined;
  /** The way up to a parking place beside the road after a share of the roads, and the way on from there. */
  readonly parted: (share: number) => readonly [Route, Route] | undefined;
}

/** A jam after a share of the roads. */
export interface Jam {
  readonly share: number;
  readonly km: number;
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
const inJam = (km: number): Block => ({ km, cruise: 9, swing: 0.8, swingSeconds: 100 });
const onOpenRoad = (km: number, { open }: DrivingStyle): Block => ({ km, cruise: open, swing: 0.05, swingSeconds: 420 });

function bent(from: Point, to: Point): Point {
  const middle = { latitude: (from.latitude + to.latitude) / 2, longitude: (from.longitude + to.longitude) / 2 };
  return offset(middle, bearingDegrees(from, to) + 90, distanceKm(from, to) * 0.12);
}

/** A path over bends in towns and the roads between them. The lengths of the roads' steps are known. */
function pathOver(from: Site, to: Site, roads: readonly Road[]): Path {
  const first = roads[0]?.points[0];
  const last = roads.at(-1)?.points.at(-1);
  if (!first || !last) return pathThrough([from, bent(from, to), to]);
  const points: Point[] = [from];
  const kmAt = [0];
  let km = 0;
  const goOn = (point: Point, step = distanceKm(points.at(-1) as Point, point)) => {
    km += step;
    points.push(point);
    kmAt.push(km);
  };
  goOn(bent(from, first));
  goOn(first);
  for (const [index, road] of roads.entries()) {
    // Where two roads meet, their ends may differ in the last digit.
    for (let at = 1; at < road.points.length; at++) goOn(road.points[at] as Point, at === 1 && index > 0 ? undefined : road.steps[at - 1]);
  }
  goOn(bent(last, to));
  goOn(to);
  return { points, kmAt, km };
}

function trackOver(from: Site, to: Site, roads: readonly Road[], style: DrivingStyle, jam?: Jam): Track {
  const path = pathOver(from, to, roads);
  const stretches: Stretch[] = [{ fromKm: 0, place: from.place, road: from.road }];
  const countries = [{ fromKm: 0, country: countryOf(from) }];
  if (roads.length === 0) return { path, profile: speedProfile([inTown(path.km, style)], style.pull), stretches, countries };
  const outKm = path.kmAt[2] ?? 0;
  const inKm = path.km - (path.kmAt[path.kmAt.length - 3] ?? 0);
  const openKm = path.km - outKm - inKm;
  const clearKm = jam ? (openKm - jam.km) * jam.share : openKm;
  const open = jam
    ? [onOpenRoad(clearKm, style), inJam(jam.km), onOpenRoad(openKm - jam.km - clearKm, style)]
    : [onOpenRoad(openKm, style)];
  const blocks = [inTown(outKm, style), ...open, inTown(inKm, style)];
  let along = outKm;
  for (const road of roads) {
    stretches.push(
      { fromKm: along, place: road.from, road: road.name },
      { fromKm: along + (road.halfKm ?? road.km / 2), place: road.to, road: road.name },
    );
    for (const { fromKm, country } of road.countries) countries.push({ fromKm: along + Math.max(0, fromKm), country });
    along += road.km;
  }
  stretches.push({ fromKm: path.km - inKm, place: to.place, road: to.road });
  return { path, profile: speedProfile(blocks, style.pull), stretches, countries };
}

/** Plans the way between two sites over the given roads; none within a town. */
export function planRoute(from: Site, to: Site, roads: readonly Road[], style: DrivingStyle, jam?: Jam): Route {
  const { path, profile } = trackOver(from, to, roads, style, jam);
  const driveMs = Math.ceil(profile.ms / 1000) * 1000;
  const km = Math.floor(path.km * KM_PARTS) / KM_PARTS;
  let kept: Track | undefined;
  const track = () => {
    kept ??= trackOver(from, to, roads, style, jam);
    return kept;
  };
  const jammed = (happened: Jam) => (roads.length > 0 ? planRoute(from, to, roads, style, happened) : undefined);
  const parted = (share: number): [Route, Route] | undefined => {
    const cut = cutRoads(roads, share);
    return cut && [planRoute(from, cut.site, cut.before, style), planRoute(cut.site, to, cut.after, style)];
  };
  return { from, to, km, driveMs, track, jammed, parted };
}

const BESIDE_ROAD_KM = 0.12;

/** Cuts roads in two at one of their points, not at an end of a road. */
function cutRoads(roads: readonly Road[], share: number) {
  let km = share * roads.reduce((sum, road) => sum + road.km, 0);
  for (const [index, road] of roads.entries()) {
    if (km > road.km) {
      km -= road.km;
      continue;
    }
    const at = Math.round((km / road.km) * (road.points.length - 1));
    const point = road.points[at];
    const next = road.points[at + 1];
    if (at < 1 || !point || !next) return undefined;
    const doneKm = road.steps.slice(0, at).reduce((sum, step) => sum + step, 0);
    const halfKm = road.km / 2;
    const onwards = road.countries.map(({ fromKm, country }) => ({ fromKm: fromKm - doneKm, country }));
    const { country } = onwards.findLast(({ fromKm }) => fromKm <= 0) ?? road.from;
    const upTo: Road = { ...road, points: road.points.slice(0, at + 1), steps: road.steps.slice(0, at), km: doneKm, halfKm };
    const onward: Road = {
      ...road,
      points: road.points.slice(at),
      steps: road.steps.slice(at),
      km: road.km - doneKm,
      halfKm: halfKm - doneKm,
      countries: onwards,
    };
    const site = roadside(
      offset(point, bearingDegrees(point, next) + 90, BESIDE_ROAD_KM),
      at < road.points.length / 2 ? road.from : road.to,
      country,
      road.name,
    );
    return { site, before: [...roads.slice(0, index), upTo], after: [onward, ...roads.slice(index + 1)] };
  }
  return undefined;
}

export function legOver(route: Route, idleMs: number, isPrivate = false): Leg {
  return { ...route, idleMs, isPrivate };
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
  readonly country: CountryCode;
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

function lastFrom<Part extends { readonly fromKm: number }>(parts: readonly Part[], km: number): Part {
  let at = parts.length - 1;
  while (at > 0 && (parts[at] as Part).fromKm > km) at--;
  return parts[at] as Part;
}

/** The state some ms after departure, clamped to the start and end of the leg. */
export function momentOf(leg: Leg, ms: number): Moment {
  const { path, profile, stretches, countries } = leg.track();
  const { km: exactKm, speed } = driven(profile, ms);
  const km = Math.min(exactKm, leg.km);
  const { latitude, longitude, heading } = alongPath(path, km);
  const site = isAt(leg.from, latitude, longitude) ? leg.from : isAt(leg.to, latitude, longitude) ? leg.to : undefined;
  const { place, road } = site ?? lastFrom(stretches, km);
  const { country } = site ? { country: countryOf(site) } : lastFrom(countries, km);
  return { latitude, longitude, heading, speed, km, place, country, road, site };
}
