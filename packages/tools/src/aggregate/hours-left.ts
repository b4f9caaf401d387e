import { type DrivingTime, drivingTime, type Range, weekStart } from "@fleetwire/driving-time";
import { type ActivityWords, knownActivity, readActivity } from "./activity-words.ts";
import type { TachoRecord } from "./tacho-records.ts";

const DAY = 24 * 3_600_000;

/** The days before the previous week in which the last rest before it is looked for. */
const LEAD_DAYS = 3;

/** Returns since when activities are needed: the Monday of the previous week, and the rest before it. */
export const neededSince = (at: number): number => weekStart(at) - (7 + LEAD_DAYS) * DAY;

/** A driver's hours; without `time` if a word of the tachograph has no known meaning. */
export interface DriverHours {
  record: TachoRecord;
  time?: DrivingTime;
  unknownWords: string[];
}

/** Computes a driver's hours from what the tachograph recorded since {@link neededSince}. */
export function driverHours(record: TachoRecord, words: ActivityWords, at: number): DriverHours {
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

/** What is left of this week: of its 56 hours, and of the 90 in two weeks. */
export const leftThisWeek = ({ week, fortnight }: DrivingTime): Range => ({
  atLeast: Math.min(week.left.atLeast, fortnight.left.atLeast),
  atMost: Math.min(week.left.atMost, fortnight.left.atMost),
});
