import { type DrivingTime, drivingTime, WEEKS_NEEDED, weekStart } from "@fleetwire/driving-time";
import { type KnownActivities, knownActivities, wordsOf } from "../fleet/activity-words.ts";
import type { FleetContext } from "../fleet/fleet-context.ts";
import { tachoPeriod } from "../fleet/tacho-pages.ts";
import { KNOWN_UNTIL } from "../fleet/tacho-record.ts";
import { recordsOf, type TachoRecord, type WantedDrivers } from "../fleet/tacho-records.ts";
import type { ActivityWords } from "../model/settings.ts";
import { TimeSlices } from "../runtime/time-slices.ts";
import { isKnown } from "./hours-texts.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Returns the time since which activities are needed. */
const neededSince = (at: number): number => weekStart(at) - WEEKS_NEEDED.hours * 7 * DAY;

/** A driver's hours. `time` is absent if nothing can be said. */
export interface DriverHours extends Omit<KnownActivities, "activities"> {
  record: TachoRecord;
  time?: DrivingTime;
  /** Whether what the driver did last has no end that anybody recorded, so that nothing is known of now. */
  isUnended: boolean;
}

/** Drivers who cannot be found by their vehicles are searched for in everyone's entries of this many days. */
const SEARCHED_DAYS = 3;

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
  const period = tachoPeriod(neededSince(at), end);
  const lately = tachoPeriod(end - SEARCHED_DAYS * DAY, end);
  const { records, unplaced } = await recordsOf(wanted, period, lately, context);
  const words = wordsOf(context.settings);
  const recorded = records.filter(({ activities }) => activities.length > 0);
  const hours: DriverHours[] = [];
  const slices = new TimeSlices();
  for (const record of recorded) {
    hours.push(hoursOf(record, words, at));
    if (slices.isOver) await slices.next();
  }
  return { hours, unplaced };
}
