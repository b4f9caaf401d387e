import { parseDateTime } from "@fleetwire/core/internal";
import { impossiblePoint, type Position } from "../fleet/position.ts";
import { reportedCountry } from "../lookup/fleet-towns.ts";
import { distanceKm, type Point, pointOf } from "../places/geography.ts";
import { townText } from "../places/towns.ts";

/** Whether a record meets a condition; undefined if it does not say, or lies in the margin between yes and no. */
export type Reading = boolean | undefined;

/** Where a vehicle was when it was last inside a place. */
interface LastInside extends Point {
  /** Whether it stood still there. */
  stands?: true;
  /** When it then seemed to stand elsewhere, in one record so far. */
  outsideAt?: number;
}

/** On which sides of a place a vehicle was last seen. */
export interface Sides {
  inside?: LastInside | undefined;
  /** Set while it stands still outside, with when it then seemed to stand inside, in one record so far. */
  outside?: { insideAt?: number } | undefined;
}

/** A place with its name resolved. */
export type Area =
  | { kind: "location"; id?: string | undefined; name: string; label: string }
  | { kind: "town"; names: ReadonlySet<string>; country?: string | undefined; label: string }
  | { kind: "country"; code: string; label: string }
  | { kind: "circle"; center: Point; radiusKm: number; label: string }
  | { kind: "vehicle"; vehicleId: string; radiusKm: number; label: string };

/** A vehicle counts as outside a circle from here on: positions of a parked vehicle drift. */
const MARGIN_KM = 0.1;
const MARGIN_FACTOR = 1.2;
/** How far from where it was inside a vehicle must be before it counts as outside, unless it is driving. */
const DRIFT_KM = 0.3;
const DRIVING_KMH = 5;
/** A parked vehicle's position differs by less from one record to the next. */
const SAME_POINT_KM = 0.05;
/** How much the reports of two vehicles may differ in time. */
const TOGETHER = 10 * 60_000;

function within(point: Point, center: Point, radiusKm: number): Reading {
  const km = distanceKm(point, center);
  if (km <= radiusKm) return true;
  return km > Math.max(radiusKm * MARGIN_FACTOR, radiusKm + MARGIN_KM) ? false : undefined;
}

function statedIn(position: Position, area: Extract<Area, { kind: "location" | "town" | "country" }>): Reading {
  if (area.kind === "location") {
    if (!position.locationId && !position.locationName) return false;
    return area.id === undefined ? townText(position.locationName ?? "") === area.name : position.locationId === area.id;
  }
  const country = reportedCountry(position);
  if (area.kind === "country") return country === undefined ? undefined : country === area.code;
  if (!position.city) return undefined;
  return area.names.has(townText(position.city)) && (area.country === undefined || country === area.country);
}

type VehicleById = (id: string) => Position | undefined;

const isDriving = ({ eventType, speed = 0 }: Position) => eventType === "driving" && speed >= DRIVING_KMH;

const isStanding = ({ eventType, speed }: Position) =>
  eventType === "stopped" || eventType === "idling" || (eventType !== "driving" && speed !== undefined && speed < DRIVING_KMH);

/** What one record says by itself. A position outside that may be drift says nothing. */
function recordIn(position: Position, area: Area, last: LastInside | undefined, vehicleById: VehicleById): Reading {
  const point = pointOf(position);
  if (!point || impossiblePoint(position) !== undefined) return undefined;
  if (area.kind === "circle") return within(point, area.center, area.radiusKm);
  if (area.kind === "vehicle") {
    const other = vehicleById(area.vehicleId);
    const center = other && other.privacy !== true && impossiblePoint(other) === undefined ? pointOf(other) : undefined;
    const [at, otherAt] = [parseDateTime(position.date), parseDateTime(other?.date)];
    if (!center || at === undefined || otherAt === undefined || Math.abs(at - otherAt) > TOGETHER) return undefined;
    return within(point, center, area.radiusKm);
  }
  const stated = statedIn(position, area);
  if (stated !== false || !last) return stated;
  return isDriving(position) || distanceKm(point, last) > DRIFT_KM ? false : undefined;
}

/**
 * Whether a vehicle is in an area. One that stood on one side and stands on the other, without having been seen to drive, needs a second record that
 * says so.
 */
export function isInside(position: Position, area: Area, { inside, outside }: Sides, vehicleById: VehicleById): Reading {
  const reading = recordIn(position, area, inside, vehicleById);
  const isDoubtful = reading ? outside && outside.insideAt === undefined : inside?.stands && inside.outsideAt === undefined;
  if (reading === undefined || !isDoubtful || !isStanding(position)) return reading;
  const other = area.kind === "vehicle" ? vehicleById(area.vehicleId) : undefined;
  return other && !isStanding(other) ? reading : undefined;
}

/** On which sides of an area a vehicle was last seen, after a record that was read so. */
export function sidesAfter(position: Position, area: Area, reading: Reading, date: number, before: Sides, vehicleById: VehicleById): Sides {
  const { inside } = before;
  if (reading === false) return isStanding(position) ? { outside: {} } : {};
  if (reading === undefined) {
    const said = recordIn(position, area, inside, vehicleById);
    if (said === undefined) return isDriving(position) ? { inside } : before;
    return said ? { outside: { insideAt: date } } : { inside: inside && { ...inside, outsideAt: date } };
  }
  const point = pointOf(position);
  if (!point) return {};
  const now: LastInside = { ...point, ...(isStanding(position) && { stands: true }) };
  const isSame = inside?.outsideAt === undefined && inside?.stands === now.stands;
  return { inside: inside && isSame && distanceKm(point, inside) < SAME_POINT_KM ? inside : now };
}
