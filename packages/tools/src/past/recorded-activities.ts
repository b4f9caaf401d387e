import type { TachoActivity } from "@fleetwire/core";
import { type ReadActivity, readActivities } from "../fleet/activity-words.ts";
import { PLACES_WITHHELD } from "../fleet/private-journeys.ts";
import type { TachoRecord } from "../fleet/tacho-records.ts";
import type { ActivityWords } from "../model/settings.ts";
import { plateOf } from "../text/spelling.ts";

export const MINUTE = 60_000;

/** An activity with readable times, in one vehicle. */
export interface RecordedActivity extends ReadActivity {
  recorded: TachoActivity;
  /** The key of the driver's record. */
  driver: string;
  isWithheld: boolean;
}

/** What is recorded of one vehicle. */
export interface RecordedVehicle {
  assetId: string | undefined;
  assetRegistration: string | undefined;
  vehicleFriendlyName: string | undefined;
  /** Sorted by start. */
  activities: RecordedActivity[];
}

export interface RecordedFleet {
  vehicles: RecordedVehicle[];
  /** What of the records cannot be used. */
  notes: string[];
}

/** Identifies a driver: the same in all activities. */
const driverKeyOf = ({ driverId, driverKey }: Pick<TachoRecord, "driverId" | "driverKey">): string => driverId ?? driverKey ?? "";

const counted = (count: number, what: string) => (count > 0 ? [`${count} ${what}`] : []);

/** Sorts activities by vehicle. A vehicle is recognized by its id or, in activities without one, by a registration that only one vehicle has. */
export function recordedFleet(records: readonly TachoRecord[], words: ActivityWords, now: number): RecordedFleet {
  let [unread, homeless, future, doubled] = [0, 0, 0, 0];
  const idsByPlate = new Map<string, Set<string>>();
  for (const { activities } of records)
    for (const { assetId, assetRegistration } of activities) {
      if (!assetId || !assetRegistration) continue;
      const plate = plateOf(assetRegistration);
      const ids = idsByPlate.get(plate);
      if (ids) ids.add(assetId);
      else idsByPlate.set(plate, new Set([assetId]));
    }
  const vehicles = new Map<string, RecordedVehicle>();
  const seen = new Set<string>();
  for (const record of records) {
    const driver = driverKeyOf(record);
    const times = readActivities(record.activities, words, now);
    record.activities.forEach((recorded, index) => {
      const { [index]: time } = times;
      const { assetId, assetRegistration, vehicleFriendlyName } = recorded;
      const plate = assetRegistration && plateOf(assetRegistration);
      const [onlyId, ...others] = plate ? (idsByPlate.get(plate) ?? []) : [];
      const id = assetId || (others.length === 0 ? onlyId : undefined);
      const key = id ? `id ${id}` : plate ? `plate ${plate}` : vehicleFriendlyName ? `name ${vehicleFriendlyName}` : undefined;
      if (!time || (time.end !== undefined && time.end < time.start)) unread++;
      else if (time.start > now) future++;
      else if (key === undefined) homeless++;
      else {
        const once = JSON.stringify([key, driver, time.start, time.end, time.word]);
        if (seen.has(once)) {
          doubled++;
          return;
        }
        seen.add(once);
        const vehicle = vehicles.get(key) ?? { assetId: id, assetRegistration, vehicleFriendlyName, activities: [] };
        vehicle.assetRegistration ??= assetRegistration;
        vehicle.vehicleFriendlyName ??= vehicleFriendlyName;
        vehicle.activities.push({ ...time, recorded, driver, isWithheld: PLACES_WITHHELD in recorded });
        vehicles.set(key, vehicle);
      }
    });
  }
  for (const { activities } of vehicles.values()) activities.sort((a, b) => a.start - b.start || (a.end ?? now) - (b.end ?? now));
  const left = [
    ...counted(unread, "without readable times"),
    ...counted(homeless, "of no vehicle"),
    ...counted(future, "in the future"),
    ...counted(doubled, "recorded twice"),
  ];
  return { vehicles: [...vehicles.values()], notes: left.length > 0 ? [`Odd activities, left out: ${left.join(", ")}.`] : [] };
}
