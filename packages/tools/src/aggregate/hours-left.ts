import { type DrivingTime, drivingTime, weekStart } from "@fleetwire/driving-time";
import { readFleet } from "../fleet/fleet-reader.ts";
import { ifReadable } from "../fleet/if-readable.ts";
import { entriesOf, tachoEntries, tachoPeriod } from "../fleet/tacho-entries.ts";
import type { Driver } from "../names/fleet-names.ts";
import type { ToolContext } from "../tool.ts";
import { type ActivityWords, DEFAULT_WORDS, knownActivity, readActivity } from "./activity-words.ts";
import type { ReadDrivingLeft } from "./driving-left.ts";
import { recordsByDriver, type TachoRecord } from "./tacho-records.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** How many days before the previous week to search for the last rest before it. */
const LEAD_DAYS = 3;

/** Returns the time since which activities are needed: from the rest before the Monday of the previous week. */
const neededSince = (at: number): number => weekStart(at) - (7 + LEAD_DAYS) * DAY;

/** A driver's hours. `time` is absent if the tachograph has a word of unknown meaning. */
export interface DriverHours {
  record: TachoRecord;
  time?: DrivingTime;
  unknownWords: string[];
}

/** Drivers who cannot be found by their vehicles are searched for in everyone's entries of this many days. */
const SEARCHED_DAYS = 3;

function hoursOf(record: TachoRecord, words: ActivityWords, at: number): DriverHours {
  const read = record.activities.flatMap((activity) => readActivity(activity, words) ?? []);
  const unknownWords = [...new Set(read.flatMap(({ kind, word }) => (kind === undefined ? [word] : [])))].sort();
  if (unknownWords.length > 0) return { record, unknownWords };
  return {
    record,
    unknownWords,
    time: drivingTime(
      read.flatMap((one) => knownActivity(one) ?? []),
      at,
    ),
  };
}

/** Reads the hours of some drivers, or of all. Drivers without tachograph activities are left out. */
export async function readHours(drivers: readonly Driver[] | undefined, at: number, context: ToolContext): Promise<DriverHours[]> {
  // Whole minutes, so that requests stay the same for a while and can be cached.
  const end = Math.ceil(at / MINUTE) * MINUTE;
  const period = tachoPeriod(neededSince(at), end);
  const lately = tachoPeriod(end - SEARCHED_DAYS * DAY, end);
  const entries = await (drivers ? entriesOf(drivers, period, lately, context) : tachoEntries(period, context));
  const words = { ...DEFAULT_WORDS, ...context.settings.activityWords };
  return recordsByDriver(entries)
    .filter(({ activities }) => activities.length > 0)
    .map((record) => hoursOf(record, words, at));
}

/** Reads how long drivers may still drive today, within 9 hours; undefined if the tachographs cannot be read. */
export const readDrivingLeft: ReadDrivingLeft = async (driverIds, context) => {
  const index = await (await readFleet(context)).drivers();
  const drivers = driverIds.flatMap((id) => index.get(id)?.value ?? []);
  const hours = await ifReadable(() => readHours(drivers, context.now(), context));
  return (
    hours &&
    new Map(
      hours.flatMap(({ record, time }) => (record.driverId !== undefined && time ? [[record.driverId, time.left.today] as const] : [])),
    )
  );
};
