import type { Range } from "@fleetwire/driving-time";
import { type KnownActivities, leftOutNotes } from "../fleet/activity-words.ts";
import { KNOWN_UNTIL } from "../fleet/tacho-record.ts";
import type { TachoRecord } from "../fleet/tacho-records.ts";
import { labelsOf } from "../lookup/named-vehicles.ts";
import { quotation, singleLine } from "../text/clip-values.ts";
import { hoursAndMinutes, type ZonedTimes } from "../text/time.ts";

/** Formats a duration; a range if gaps in the data leave it uncertain. */
export function hoursInRange({ atLeast, atMost }: Range): string {
  if (atLeast === atMost) return hoursAndMinutes(atLeast);
  return Number.isFinite(atMost) ? `${hoursAndMinutes(atLeast)}–${hoursAndMinutes(atMost)}` : `${hoursAndMinutes(atLeast)} or more`;
}

const MAX_NAMED = 5;

/** A driver with what could be read of the activities. */
export interface ReadDriver extends Omit<KnownActivities, "activities"> {
  record: TachoRecord;
}

/** Names drivers, the first few if there are many. */
export const namesOf = (drivers: readonly { record: TachoRecord }[], nameOf: (record: TachoRecord) => string): string =>
  labelsOf(drivers, ({ record }) => nameOf(record), MAX_NAMED);

/** Says whose activities nobody ended, and since when it is unknown what these drivers did. */
export function unendedNotes(records: readonly TachoRecord[], nameOf: (record: TachoRecord) => string, { text }: ZonedTimes): string[] {
  const since = records.flatMap((record) => {
    const [until] = record.activities.flatMap(({ [KNOWN_UNTIL]: known }) => known ?? []).toSorted((a, b) => b - a);
    return until === undefined ? [] : [`${singleLine(nameOf(record), 40)} ${text(until)}`];
  });
  if (since.length === 0) return [];
  return [`Recorded as in progress, but unknown since the last sign of life: ${labelsOf(since, String, MAX_NAMED)}.`];
}

/** Whether something can be said about a driver. */
export const isKnown = ({ unknownWords, isOverfull }: Omit<KnownActivities, "activities">): boolean =>
  unknownWords.length === 0 && !isOverfull;

/** Names drivers about whom nothing can be said, and why, after these words; and says what of the others is left out. */
export function unreadNotes(drivers: readonly ReadDriver[], nothing: string, nameOf: (record: TachoRecord) => string): string[] {
  const overfull = drivers.filter(({ isOverfull }) => isOverfull);
  const unknown = drivers.filter(({ unknownWords }) => unknownWords.length > 0);
  const words = [...new Set(unknown.flatMap(({ unknownWords }) => unknownWords))].slice(0, MAX_NAMED);
  const sum = (of: (driver: ReadDriver) => number) => drivers.reduce((all, driver) => all + of(driver), 0);
  return [
    ...(unknown.length === 0
      ? []
      : [`${nothing} ${namesOf(unknown, nameOf)}: not in FLEET_ACTIVITY_WORDS: ${words.map((word) => quotation(word, 30)).join(", ")}.`]),
    ...(overfull.length === 0 ? [] : [`${nothing} ${namesOf(overfull, nameOf)}: more activities in a day than tachographs record.`]),
    ...leftOutNotes([
      [sum(({ unread }) => unread), "without readable times"],
      [sum(({ future }) => future), "in the future"],
    ]),
  ];
}
