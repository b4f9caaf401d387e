import type { DrivingTime } from "@fleetwire/driving-time";
import { vehicleLabel } from "../fleet/entities.ts";
import type { Position } from "../fleet/position.ts";
import type { Row } from "../query/list-result.ts";
import { singleLine } from "../text/clip-values.ts";
import type { SeenFault } from "./faults.ts";
import { jobLabel, jobOf } from "./jobs.ts";
import { MAX_AHEAD, statedDate } from "./watch-clock.ts";
import type { WatchEvent } from "./watch-store.ts";

/** A driver's hours, with what shows them. */
export interface SeenHours {
  driver: { id: string; name?: string | undefined };
  /** The vehicle that last reported the driver. */
  vehicle?: Position | undefined;
  time: DrivingTime;
  shown: Row;
}

/** What one poll has read. */
export interface Observed {
  /** When the poll was answered. */
  now: number;
  /** Up to when the fleet is known to have sent what there was. */
  fleetNow: number;
  /** The same at the poll before. */
  fleetBefore: number;
  /** Records that differ from those of the poll before, or all of them. */
  positions: Iterable<Position>;
  /** Whether a record is the same as at the poll before. */
  isRepeated: (position: Position) => boolean;
  vehicleById: (id: string) => Position | undefined;
  faults?: Iterable<{ position: Position; faults: readonly SeenFault[] }> | undefined;
  hours?: Iterable<SeenHours> | undefined;
  jobs?: Iterable<Row> | undefined;
  timeZone?: string | undefined;
}

/** A record of one entity. */
export interface Sighting {
  entity: string;
  date: number;
  /** Without a date of its own, it is not known whether a vehicle still sends the same. */
  isUndated?: boolean;
  /** Whether it is the record of the poll before, and so no sign of life. */
  isRepeated?: boolean;
  record: unknown;
  about: Pick<WatchEvent, "vehicle" | "driver" | "job">;
  label: string;
  isPrivate: boolean;
}

const shownText = (text: string | undefined) => (text ? singleLine(text, 60) : undefined);

/** A record without a date, or with one that cannot be right, was made at the latest when the rest of the fleet sent its last. */
export function sightingOf(position: Position, { now, fleetNow, isRepeated }: Observed): Sighting | undefined {
  const stated = statedDate(position);
  const date = stated === undefined || stated > now + MAX_AHEAD ? fleetNow : stated;
  const { assetId, assetName, assetRegistration, driverId, driverName } = position;
  if (!assetId) return undefined;
  const vehicle = { id: assetId, name: shownText(assetName), registration: shownText(assetRegistration) };
  const driver = driverId || driverName ? { id: driverId, name: shownText(driverName) } : undefined;
  const isPrivate = position.privacy === true;
  const about = { vehicle, ...(driver && !isPrivate && { driver }) };
  const seen = { isUndated: stated === undefined, isRepeated: isRepeated(position) };
  return { entity: assetId, date, ...seen, record: position, about, label: vehicleLabel(position), isPrivate };
}

export function sightingOfHours({ driver: { id, name }, time, shown }: SeenHours): Sighting {
  const about = { driver: { id, name: shownText(name) } };
  return { entity: id, date: time.at, record: { ...time, ...shown }, about, label: shownText(name) ?? "A driver", isPrivate: false };
}

export function sightingOfJob(job: Row, date: number): Sighting | undefined {
  const { id, number } = jobOf(job);
  const entity = id ?? number;
  if (entity === undefined) return undefined;
  return { entity, date, record: job, about: { job: { id, number: shownText(number) } }, label: jobLabel(job), isPrivate: false };
}
