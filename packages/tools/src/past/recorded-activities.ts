import type { TachoActivity } from "@fleetwire/core";
import { isOverfull, leftOutNotes, type ReadActivity, readActivities, type TachoRecord } from "../fleet/activity-words.ts";
import type { Position } from "../fleet/position.ts";
import { PLACES_WITHHELD } from "../fleet/private-journeys.ts";
import { chained, ROUNDING } from "../fleet/spans.ts";
import type { ActivityWords } from "../model/settings.ts";
import { TimeSlices } from "../runtime/time-slices.ts";
import type { Span } from "../text/read-period.ts";
import { plateOf } from "../text/spelling.ts";

export const MINUTE = 60_000;

/** An activity with readable times, in one vehicle. */
export interface RecordedActivity extends ReadActivity {
  recorded: TachoActivity;
  /** The key of the driver's record. */
  driver: string;
  isWithheld: boolean;
  /** Whether its driver is recorded as driving another vehicle at the time. */
  isContradicted: boolean;
}

/** What is recorded of one vehicle. */
export interface RecordedVehicle {
  assetId: string | undefined;
  assetRegistration: string | undefined;
  vehicleFriendlyName: string | undefined;
  /** Sorted by start. */
  activities: RecordedActivity[];
}

interface Drive extends Span {
  /** The vehicle. */
  key: string;
  activity: RecordedActivity;
}

interface RecordedFleet {
  vehicles: RecordedVehicle[];
  /** What of the records cannot be used. */
  notes: string[];
}

/** Identifies a driver: the same in all activities. */
export const driverKeyOf = ({ driverId, driverKey }: Pick<TachoRecord, "driverId" | "driverKey">): string => driverId ?? driverKey ?? "";

/** Sorts activities by vehicle. A vehicle is recognized by its id or, in activities without one, by a registration that only one vehicle has, also in live positions. */
export async function recordedFleet(
  records: readonly TachoRecord[],
  positions: readonly Position[],
  words: ActivityWords,
  now: number,
): Promise<RecordedFleet> {
  let [unread, homeless, future, doubled, excess] = [0, 0, 0, 0, 0];
  const idsByPlate = new Map<string, Set<string>>();
  const slices = new TimeSlices();
  const learn = ({ assetId, assetRegistration }: Pick<Position, "assetId" | "assetRegistration">) => {
    if (!assetId || !assetRegistration) return;
    const plate = plateOf(assetRegistration);
    const ids = idsByPlate.get(plate);
    if (ids) ids.add(assetId);
    else idsByPlate.set(plate, new Set([assetId]));
  };
  await slices.each(positions, learn);
  for (const { activities } of records) await slices.each(activities, learn);
  const vehicles = new Map<string, RecordedVehicle>();
  const seen = new Set<string>();
  const isLive = new Set(positions.map(({ assetId }) => `id ${assetId}`));
  /** Who drives two vehicles of one registration at a time drives one, which has several ids. */
  const moveToNamesake = (drive: Drive, group: readonly Drive[]) => {
    const plate = plateOf(drive.activity.recorded.assetRegistration ?? "");
    const same = plate === "" ? [] : group.filter(({ activity }) => plateOf(activity.recorded.assetRegistration ?? "") === plate);
    const { key = drive.key } = same.find((one) => isLive.has(one.key)) ?? same[0] ?? {};
    const [from, to] = [vehicles.get(drive.key), vehicles.get(key)];
    if (key === drive.key || !from || !to) return;
    from.activities.splice(from.activities.indexOf(drive.activity), 1);
    to.activities.push(drive.activity);
    drive.key = key;
  };
  for (const record of records) {
    const driver = driverKeyOf(record);
    if (isOverfull(record.activities)) {
      excess += record.activities.length;
      continue;
    }
    const times = readActivities(record.activities, words, now);
    const drives: Drive[] = [];
    await slices.each(record.activities.entries(), ([index, recorded]) => {
      const { [index]: time } = times;
      const { assetId, assetRegistration, vehicleFriendlyName } = recorded;
      const plate = assetRegistration && plateOf(assetRegistration);
      const [onlyId, ...others] = plate ? (idsByPlate.get(plate) ?? []) : [];
      const id = assetId || (others.length === 0 ? onlyId : undefined);
      const key = id ? `id ${id}` : plate ? `plate ${plate}` : vehicleFriendlyName ? `name ${vehicleFriendlyName}` : undefined;
      if (!time) unread++;
      else if (time.start > now) future++;
      else if (key === undefined) homeless++;
      else {
        const once = JSON.stringify([key, driver, time.start, time.end, time.word, recorded.distance]);
        if (seen.has(once)) {
          doubled++;
          return;
        }
        seen.add(once);
        const vehicle = vehicles.get(key) ?? { assetId: id, assetRegistration, vehicleFriendlyName, activities: [] };
        vehicle.assetRegistration ??= assetRegistration;
        vehicle.vehicleFriendlyName ??= vehicleFriendlyName;
        const activity = { ...time, recorded, driver, isWithheld: PLACES_WITHHELD in recorded, isContradicted: false };
        vehicle.activities.push(activity);
        vehicles.set(key, vehicle);
        if (time.kind === "driving" && driver !== "") drives.push({ start: time.start, end: time.end ?? now, key, activity });
      }
    });
    for (const group of chained(
      drives.sort((a, b) => a.start - b.start),
      -ROUNDING,
    )) {
      if (new Set(group.map(({ key }) => key)).size === 1) continue;
      for (const one of group) moveToNamesake(one, group);
      if (new Set(group.map(({ key }) => key)).size > 1) for (const { activity } of group) activity.isContradicted = true;
    }
  }
  for (const { activities } of vehicles.values()) activities.sort((a, b) => a.start - b.start || (a.end ?? now) - (b.end ?? now));
  const notes = leftOutNotes([
    [unread, "without readable times"],
    [homeless, "of no vehicle"],
    [future, "in the future"],
    [doubled, "recorded twice"],
    [excess, "of drivers with more in a day than tachographs record"],
  ]);
  return { vehicles: [...vehicles.values()].filter(({ activities }) => activities.length > 0), notes };
}
