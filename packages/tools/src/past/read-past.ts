import { FleetError } from "@fleetwire/core";
import { DISTANCE_UNITS, distanceUnitOf, parseDateTime, straightKm } from "@fleetwire/core/internal";
import { wordsOf } from "../fleet/activity-words.ts";
import { groupLabel, vehicleName } from "../fleet/entity-labels.ts";
import type { FleetContext } from "../fleet/fleet-context.ts";
import type { Driver } from "../fleet/fleet-names.ts";
import { ifReadable, readFleet } from "../fleet/fleet-reader.ts";
import type { FleetView } from "../fleet/fleet-view.ts";
import { distanceUnitFrom } from "../fleet/observed-facts.ts";
import type { Position } from "../fleet/position.ts";
import { tachoPeriod } from "../fleet/tacho-pages.ts";
import { recordsOf, type TachoRecord } from "../fleet/tacho-records.ts";
import { type ChosenBy, chosenDrivers, driversByKey } from "../lookup/chosen-drivers.ts";
import { groupsNamed, labelsOf, vehicleLabels, vehiclesNamed } from "../lookup/named-vehicles.ts";
import { pointOf } from "../places/geography.ts";
import { forEachInSlices } from "../runtime/time-slices.ts";
import { singleLine } from "../text/clip-values.ts";
import type { Span } from "../text/read-period.ts";
import { plateOf } from "../text/spelling.ts";
import { timesOf } from "../text/time.ts";
import { sharesOf } from "./counted-once.ts";
import { unendedNotes } from "./hours-texts.ts";
import { driverKeyOf, MINUTE, type RecordedActivity, type RecordedVehicle, recordedFleet } from "./recorded-activities.ts";
import { isSamePlace, pointAt } from "./vehicle-trips.ts";

/** A vehicle with what is recorded of it. */
export interface PastVehicle extends RecordedVehicle {
  /** The vehicle in the live positions; undefined if it is in none. */
  position: Position | undefined;
  name: string;
}

/** What tachographs recorded of some vehicles. */
export interface Past {
  fleet: FleetView;
  vehicles: PastVehicle[];
  /** The only vehicle that was asked for, which may have no records. */
  asked: Position | undefined;
  /** All vehicles that were asked about; none if it was about a driver. */
  members: readonly Position[];
  /** Returns the name of a driver by the key in activities. */
  driverName: (key: string) => string;
  /** Returns the length of activities in km and, if their unit is not certain, that it is a straight line, which is at least as much. */
  lengthOf: (activities: readonly RecordedActivity[]) => number | undefined;
  /** Whether only one driver's activities were read, which tell where vehicles were only while this driver did not rest. */
  isOfDriver: boolean;
  /** The drivers who were asked for. */
  drivers: readonly Driver[];
  /** The unit in which distances are recorded; undefined if it is not certain. */
  unit: keyof typeof DISTANCE_UNITS | undefined;
  /** How the names of drivers were understood. */
  understood: readonly string[];
  /** Whose past it is. */
  only: readonly string[];
  /** What of the records cannot be used. */
  odd: readonly string[];
}

const NAME_LENGTH = 40;

/** With more vehicles than this, everyone's entries are read, because a request that names them all would be very long. */
const MAX_NAMED = 100;

/** A drive is odd if its distance is shorter than the straight line by more than this, in km and as a part, or faster than any vehicle. */
const SLACK_KM = 2;
const SLACK = 0.9;
const MAX_SPEED = 160;

/** Whose past to read. */
export type PastOf = { [Argument in keyof ChosenBy]: ChosenBy[Argument] | undefined };

/** Reads the activities of a vehicle, of a driver, of a group's vehicles, or of all, in a period. */
export async function readPast({ vehicle, driver, group }: PastOf, { start, end }: Span, context: FleetContext): Promise<Past> {
  const now = context.now();
  const fleet = await readFleet(context);
  // Whole minutes, so that requests stay the same for a while and can be cached.
  const period = tachoPeriod(Math.floor(start / MINUTE) * MINUTE, Math.ceil(end / MINUTE) * MINUTE);
  const named = vehicle === undefined ? undefined : await vehiclesNamed(vehicle, await readFleet(context, { withSold: true }));
  const groups = group === undefined ? undefined : await groupsNamed(group, fleet);
  const groupIds = groups && new Set<unknown>(groups.map(({ id }) => id));
  const members = named ?? (groupIds && fleet.positions.filter(({ assetGroupId }) => groupIds.has(assetGroupId)));
  const asked = named?.length === 1 ? named[0] : undefined;
  const chosen = driver === undefined ? { wanted: undefined, notes: [] } : await chosenDrivers({ driver }, fleet);
  const registrations = members?.flatMap(({ assetRegistration }) => assetRegistration || []) ?? [];
  const areNamed = members && !chosen.wanted && registrations.length === members.length && members.length <= MAX_NAMED;
  if (members?.length === 0)
    throw new FleetError("input", "group: no vehicle is in it", { advice: "Tell the user, or name another group" });
  const { records } = await recordsOf(chosen.wanted, period, period, context, areNamed ? { registrations } : {});

  const byKey = await driversByKey(fleet);
  const positions = named ?? fleet.positions;
  const recorded = await recordedFleet(records, positions, wordsOf(context.settings), now);
  const byVehicle = new Map<string, Position>();
  await forEachInSlices(positions, (position) => {
    if (position.assetRegistration) byVehicle.set(`plate ${plateOf(position.assetRegistration)}`, position);
    if (position.assetId) byVehicle.set(`id ${position.assetId}`, position);
  });
  const positionOf = ({ assetId, assetRegistration }: RecordedVehicle) =>
    byVehicle.get(`id ${assetId}`) ?? (assetRegistration ? byVehicle.get(`plate ${plateOf(assetRegistration)}`) : undefined);
  const isMember = members && new Set(members);
  const vehicles = recorded.vehicles.flatMap((one): PastVehicle[] => {
    const position = positionOf(one);
    if (isMember && !(position && isMember.has(position))) return [];
    const name = position ? vehicleName(position) : (one.vehicleFriendlyName ?? one.assetRegistration ?? one.assetId ?? "-");
    const activities = chosen.wanted ? one.activities : one.activities.map(untilSeenElsewhere(position, now));
    return [{ ...one, activities, position, name: singleLine(name, NAME_LENGTH) }];
  });

  const unit = await unitOf(records, context);
  const driverName = driverNames(byKey, fleet);
  return {
    fleet,
    vehicles,
    asked,
    members: chosen.wanted ? [] : (members ?? fleet.positions),
    unit,
    driverName,
    isOfDriver: chosen.wanted !== undefined,
    drivers: chosen.wanted?.drivers ?? [],
    lengthOf: (activities) => lengthOf(activities, unit, now),
    understood: chosen.notes,
    only: [...(named ? [`Only ${vehicleLabels(named)}.`] : []), ...(groups ? [`Only vehicles of ${labelsOf(groups, groupLabel)}.`] : [])],
    odd: [...recorded.notes, ...unendedNotes(records, (record) => driverName(driverKeyOf(record)), timesOf(context))],
  };
}

/** Returns a function that ends a rest in progress when the vehicle is seen elsewhere: somebody drove it without a card, or it is not recorded yet. */
const untilSeenElsewhere =
  (position: Position | undefined, now: number) =>
  (activity: RecordedActivity): RecordedActivity => {
    if (activity.end !== undefined || activity.kind !== "rest") return activity;
    const [seen, left] = [position && pointOf(position), pointAt("start", activity)];
    const at = parseDateTime(position?.date) ?? activity.start;
    if (!seen || !left || isSamePlace(seen, left) || at <= activity.start || at > now) return activity;
    return { ...activity, end: at, isUnended: true };
  };

const DAY = 24 * 60 * MINUTE;

/** What is known of the unit of each fleet's distances, and when it was last looked for. */
const units = new WeakMap<object, { unit: Past["unit"]; at: number }>();

/** Returns the unit of distances: as set or, if a fleet's activities leave no other, as inferred from these or from everyone's of the last day. */
async function unitOf(records: readonly TachoRecord[], context: FleetContext): Promise<Past["unit"]> {
  const known = units.get(context.reader);
  const existing = distanceUnitFrom(context.settings) ?? known?.unit;
  if (existing) return existing;
  const now = context.now();
  const inferred = (some: readonly TachoRecord[]) => distanceUnitOf(some.flatMap(({ activities }) => activities)).unit;
  let unit = inferred(records);
  const isNeeded = records.some(({ activities }) => activities.some(({ distance }) => distance !== undefined));
  if (!unit && isNeeded && !(known && now - known.at < 60 * MINUTE)) {
    const end = Math.floor(now / MINUTE) * MINUTE;
    const lately = tachoPeriod(end - DAY, end);
    unit = inferred((await ifReadable(() => recordsOf(undefined, lately, lately, context)))?.records ?? []);
  }
  units.set(context.reader, { unit, at: now });
  return unit;
}

function driverNames(drivers: ReadonlyMap<unknown, Driver>, { seenDrivers }: FleetView): Past["driverName"] {
  return (key) => {
    const name = seenDrivers.nameOf(key, drivers);
    return singleLine(name ?? (key === "" ? "unknown driver" : `id ${key}`), NAME_LENGTH);
  };
}

/** Whether the distance of a drive cannot be true. */
export function isOddLength({ recorded, start, end }: RecordedActivity, unit: Past["unit"]): boolean {
  if (!unit || recorded.distance === undefined) return false;
  const km = recorded.distance * DISTANCE_UNITS[unit];
  const isTooLong = end !== undefined && km - SLACK_KM > ((end - start) / (60 * MINUTE)) * MAX_SPEED;
  return isTooLong || km + SLACK_KM < (straightKm(recorded) ?? 0) * SLACK;
}

/**
 * Adds up the distances of activities that are possible, or straight lines if the unit is not certain; undefined if nothing is known. Where activities overlap,
 * the longest counts; of another, a distance counts by time, and a straight line, which has to be at least so, not at all.
 */
function lengthOf(activities: readonly RecordedActivity[], unit: Past["unit"], now: number): number | undefined {
  const lengths = activities.flatMap((activity) => {
    const { distance } = activity.recorded;
    const isUsable = unit && distance !== undefined && !isOddLength(activity, unit);
    const km = isUsable ? distance * DISTANCE_UNITS[unit] : straightKm(activity.recorded);
    return km === undefined ? [] : [{ start: activity.start, end: activity.end ?? now, km, isUsable: isUsable === true }];
  });
  if (lengths.length === 0) return undefined;
  lengths.sort((a, b) => a.start - b.start || b.end - a.end || Number(b.isUsable) - Number(a.isUsable) || b.km - a.km);
  return sharesOf(lengths).reduce((sum, [{ km, isUsable }, share]) => sum + km * (isUsable || share === 1 ? share : 0), 0);
}
