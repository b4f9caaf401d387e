import { type DrivingTime, drivingTime, type Range, WEEKS_NEEDED, weekStart } from "@fleetwire/driving-time";
import { KNOWN_UNTIL, type KnownActivities, knownActivities, leftOutNotes, type TachoRecord, wordsOf } from "../fleet/activity-words.ts";
import type { FleetContext } from "../fleet/fleet-context.ts";
import { recordsOf, type WantedDrivers } from "../fleet/tacho-records.ts";
import { labelsOf } from "../lookup/named-vehicles.ts";
import type { ActivityWords } from "../model/settings.ts";
import { TimeSlices } from "../runtime/time-slices.ts";
import { quotation } from "../text/clip-values.ts";
import { hoursAndMinutes } from "../text/time.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Drivers who cannot be found by their vehicles are searched for in everyone's entries of this many days. */
const SEARCHED_DAYS = 3;
const MAX_NAMED = 5;

/** A driver with what could be read of the activities. */
export interface ReadDriver extends Omit<KnownActivities, "activities"> {
  record: TachoRecord;
}

/** A driver's hours. `time` is absent if nothing can be said. */
export interface DriverHours extends ReadDriver {
  time?: DrivingTime;
  /** Whether what the driver did last has no end that anybody recorded, so that nothing is known of now. */
  isUnended: boolean;
}

/** Whether something can be said about a driver. */
export const isKnown = ({ unknownWords, isOverfull }: Omit<KnownActivities, "activities">): boolean =>
  unknownWords.length === 0 && !isOverfull;

function hoursOf(record: TachoRecord, words: ActivityWords, at: number): DriverHours {
  const { activities, ...known } = knownActivities(record.activities, words, at);
  const time = isKnown(known) ? drivingTime(activities, at) : undefined;
  const isUnended = time?.activity === "unknown" && record.activities.some((activity) => KNOWN_UNTIL in activity);
  return { record, ...known, isUnended, ...(time && { time }) };
}

/** Reads the hours of some drivers, or of all. Drivers without tachograph activities are left out. `unplaced` is as in {@link recordsOf}. */
export async function readHours(
  wanted: WantedDrivers | undefined,
  at: number,
  context: FleetContext,
): Promise<{ hours: DriverHours[]; unplaced: number }> {
  // Whole minutes, so that requests stay the same for a while and can be cached.
  const end = Math.ceil(at / MINUTE) * MINUTE;
  const period = { start: weekStart(at) - WEEKS_NEEDED.hours * 7 * DAY, end };
  const { records, unplaced } = await recordsOf(wanted, period, context, { search: { start: end - SEARCHED_DAYS * DAY, end } });
  const words = wordsOf(context.settings);
  const hours: DriverHours[] = [];
  const slices = new TimeSlices();
  for (const record of records) {
    if (record.activities.length > 0) hours.push(hoursOf(record, words, at));
    if (slices.isOver) await slices.next();
  }
  return { hours, unplaced };
}

/** Formats a duration; a range if gaps in the data leave it uncertain. */
export function hoursInRange({ atLeast, atMost }: Range): string {
  if (atLeast === atMost) return hoursAndMinutes(atLeast);
  return Number.isFinite(atMost) ? `${hoursAndMinutes(atLeast)}–${hoursAndMinutes(atMost)}` : `${hoursAndMinutes(atLeast)} or more`;
}

/** Names drivers, the first few if there are many. */
export const namesOf = (drivers: readonly { record: TachoRecord }[], nameOf: (record: TachoRecord) => string): string =>
  labelsOf(drivers, ({ record }) => nameOf(record), MAX_NAMED);

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
