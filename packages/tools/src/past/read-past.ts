import { FleetError } from "@fleetwire/core";
import { DISTANCE_UNITS, distanceUnitOf, parseDateTime, straightKm } from "@fleetwire/core/internal";
import { distanceUnitFrom, type TachoRecord, wordsOf } from "../fleet/activity-words.ts";
import { type Driver, groupLabel, vehicleName } from "../fleet/entities.ts";
import type { FleetContext } from "../fleet/fleet-context.ts";
import { ifReadable, readFleet } from "../fleet/fleet-reader.ts";
import type { FleetView } from "../fleet/fleet-view.ts";
import type { Position } from "../fleet/position.ts";
import { chained, ROUNDING } from "../fleet/spans.ts";
import { recordsOf } from "../fleet/tacho-records.ts";
import type { ChosenBy } from "../lookup/chosen-drivers.ts";
import { groupsNamed, labelsOf, vehicleLabels, vehiclesNamed } from "../lookup/find-entities.ts";
import { pointOf } from "../places/geography.ts";
import { forEachInSlices, TimeSlices } from "../runtime/time-slices.ts";
import { singleLine } from "../text/clip-values.ts";
import type { Span } from "../text/read-period.ts";
import { plateOf } from "../text/spelling.ts";
import { timesOf } from "../text/time.ts";
import { driverKeyOf, MINUTE, type RecordedActivity, type RecordedVehicle, recordedFleet } from "./recorded-activities.ts";
import { tachoQuestion, unendedNotes, withoutData } from "./tacho-question.ts";
import { isSamePlace, type Part, partsIn, pointAt } from "./vehicle-days.ts";

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
  /** Says which of the drivers who were asked for have no records in a period. */
  driversWithout: (period: Span) => string[];
  /** Returns the name of a driver by the key in activities. */
  driverName: (key: string) => string;
  /** Returns the length of activities in km and, if their unit is not certain, that it is a straight line, which is at least as much. */
  lengthOf: (activities: readonly RecordedActivity[]) => number | undefined;
  /** Whether only some drivers' activities were read, which tell where vehicles were only while these did not rest. */
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

const DAY = 24 * 60 * MINUTE;
const NAME_LENGTH = 40;

/** With more vehicles than this, everyone's entries are read, because a request that names them all would be very long. */
const MAX_NAMED = 100;

/** A drive is odd if its distance is shorter than the straight line by more than this, in km and as a part, or faster than any vehicle. */
const SLACK_KM = 2;
const SLACK = 0.9;
const MAX_SPEED = 160;
/** Whoever drives for longer has moved by more than is rounded to 0. */
const MAX_SHUNT = 10 * MINUTE;

/** Reads the activities of a vehicle, of a driver, of a group's vehicles, or of all, in a period. */
async function readPast({ vehicle, driver, group }: ChosenBy, { start, end }: Span, context: FleetContext): Promise<Past> {
  const now = context.now();
  const fleet = await readFleet(context);
  // Whole minutes, so that requests stay the same for a while and can be cached.
  const period = { start: Math.floor(start / MINUTE) * MINUTE, end: Math.ceil(end / MINUTE) * MINUTE };
  const named = vehicle === undefined ? undefined : await vehiclesNamed(vehicle, await readFleet(context, { withSold: true }));
  const groups = group === undefined ? undefined : await groupsNamed(group, fleet);
  const groupIds = groups && new Set<unknown>(groups.map(({ id }) => id));
  const members = named ?? (groupIds && fleet.positions.filter(({ assetGroupId }) => groupIds.has(assetGroupId)));
  const asked = named?.length === 1 ? named[0] : undefined;
  const plates = members?.flatMap(({ assetRegistration }) => assetRegistration || []) ?? [];
  const areNamed = members && driver === undefined && plates.length === members.length && members.length <= MAX_NAMED;
  const question = await tachoQuestion({ driver, registrations: areNamed ? plates : undefined }, context);
  if (members?.length === 0)
    throw new FleetError("input", "group: no vehicle is in it", { advice: "Tell the user, or name another group" });
  const { wanted, driverName, understood } = question;
  const { records } = await question.read(period);

  const positions = named ?? fleet.positions;
  const recorded = await recordedFleet(records, positions, wordsOf(context.settings), now);
  const byVehicle = new Map<string, Position | undefined>();
  await forEachInSlices(positions, (position) => {
    const plate = position.assetRegistration && `plate ${plateOf(position.assetRegistration)}`;
    // A registration that several vehicles have is of none of them.
    const isShared = plate && byVehicle.has(plate) && byVehicle.get(plate)?.assetId !== position.assetId;
    if (plate) byVehicle.set(plate, isShared ? undefined : position);
    if (position.assetId) byVehicle.set(`id ${position.assetId}`, position);
  });
  const positionOf = ({ assetId, assetRegistration }: RecordedVehicle) =>
    byVehicle.get(`id ${assetId}`) ?? (assetRegistration ? byVehicle.get(`plate ${plateOf(assetRegistration)}`) : undefined);
  const isMember = members && new Set(members);
  const vehicles = recorded.vehicles.flatMap((one): PastVehicle[] => {
    const position = positionOf(one);
    if (isMember && !(position && isMember.has(position))) return [];
    const name = position ? vehicleName(position) : (one.vehicleFriendlyName ?? one.assetRegistration ?? one.assetId ?? "-");
    const activities = wanted ? one.activities : one.activities.map(untilSeenElsewhere(position, now));
    return [{ ...one, activities, position, name: singleLine(name, NAME_LENGTH) }];
  });

  const unit = await unitOf(records, context);
  return {
    fleet,
    vehicles,
    asked,
    members: wanted ? [] : (members ?? fleet.positions),
    driversWithout: (period) => {
      const isIn = (one: RecordedActivity) => one.start < period.end && (one.end ?? now) > period.start;
      const keys = new Set(vehicles.flatMap(({ activities }) => activities.filter(isIn).map((one) => one.driver)));
      const recorded = records.filter((record) => keys.has(driverKeyOf(record)));
      return withoutData(wanted?.drivers ?? [], recorded, false);
    },
    unit,
    driverName,
    isOfDriver: wanted !== undefined,
    drivers: wanted?.drivers ?? [],
    lengthOf: (activities) => lengthOf(activities, unit, now),
    understood,
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
    unit = inferred((await ifReadable(() => recordsOf(undefined, { start: end - DAY, end }, context)))?.records ?? []);
  }
  units.set(context.reader, { unit, at: now });
  return unit;
}

/** Whether the distance of a drive cannot be true. */
export function isOddLength({ recorded, start, end }: RecordedActivity, unit: Past["unit"]): boolean {
  if (!unit || recorded.distance === undefined) return false;
  const km = recorded.distance * DISTANCE_UNITS[unit];
  if (end !== undefined && km - SLACK_KM > ((end - start) / (60 * MINUTE)) * MAX_SPEED) return true;
  return km < 0 || (km === 0 && end !== undefined && end - start > MAX_SHUNT) || km + SLACK_KM < (straightKm(recorded) ?? 0) * SLACK;
}

/** Returns which part of each span, sorted by start, counts, from 0 to 1: of those that overlap, the longest first, and of the others what it does not cover. */
function sharesOf<Item extends Span>(spans: readonly Item[]): [item: Item, share: number][] {
  return chained(spans, -ROUNDING).flatMap((group) => {
    if (group.length === 1) return group.map((item): [Item, number] => [item, 1]);
    const edges = [...new Set(group.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
    const indexOf = new Map(edges.map((edge, at) => [edge, at]));
    /** From each edge, the way to the next one after which nothing is counted yet. */
    const next = edges.map((_, at) => at);
    const nextFree = (from: number) => {
      let at = from;
      for (let to = next[at]; to !== undefined && to !== at; to = next[at]) {
        next[at] = next[to] ?? to;
        at = to;
      }
      return at;
    };
    return group
      .toSorted((a, b) => b.end - b.start - (a.end - a.start))
      .map((item): [Item, number] => {
        const [length, last] = [item.end - item.start, indexOf.get(item.end) ?? 0];
        let added = 0;
        for (let at = nextFree(indexOf.get(item.start) ?? 0); at < last; at = nextFree(at)) {
          added += (edges[at + 1] ?? 0) - (edges[at] ?? 0);
          next[at] = at + 1;
        }
        if (length - added <= ROUNDING && added > ROUNDING) return [item, 1];
        return [item, added <= ROUNDING ? 0 : added / length];
      });
  });
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

/** How far before and after a period to look for the ends of what lasts over its edges, in days. Most vehicles drive daily; some stand over a weekend, or for weeks. */
export const REACH = [1, 4, 30];
/** Edges of more vehicles than this, times the days, are left as they are: reading them would take too long. */
const MAX_VEHICLE_DAYS = 1000;

/** What a vehicle did. */
export interface Day {
  vehicle: PastVehicle;
  parts: Part[];
}

export interface ReadParts {
  past: Past;
  days: Day[];
  /** What was read: the period, and what is around it. */
  read: Span;
}

/** Reads what vehicles did in a period. What lasts over its edges is read until both ends are known, as far as {@link REACH} allows; so is what a single vehicle did, or whoever is `sought`, if nothing is recorded in the period. */
export async function readParts(of: ChosenBy, period: Span, context: FleetContext, isSought = false): Promise<ReadParts> {
  const now = context.now();
  const { start, end } = period;
  for (let at = 0; ; at++) {
    const reach = (REACH[at] ?? 0) * DAY;
    const read = { start: start - reach, end: Math.min(now, end + reach) };
    const past = await readPast(of, read, context);
    const days: Day[] = [];
    const slices = new TimeSlices();
    for (const vehicle of past.vehicles) {
      days.push({ vehicle, parts: await slices.run(partsIn(past)(vehicle.activities, read, now)) });
      if (slices.isOver) await slices.next();
    }
    const within = days.flatMap(({ parts }) => parts.filter((part) => part.start < end && (part.end > start || part.isOpen)));
    const isWhole = within.every(({ isCut }) => !isCut.start && !(isCut.end && read.end < now));
    const isFound = within.length > 0 || !(isSought || past.asked);
    const next = REACH[at + 1];
    const isFar = next !== undefined && (2 * next * DAY + end - start) * days.length > MAX_VEHICLE_DAYS * DAY;
    if (next === undefined || isFar || (isWhole && isFound)) return { past, days, read };
  }
}
