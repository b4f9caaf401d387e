import type { DrivingTime } from "@fleetwire/driving-time";
import {
  type ActivityWords,
  DEFAULT_WORDS,
  type Position,
  readActivities,
  readFleet,
  readHours,
  type ToolContext,
} from "@fleetwire/tools/internal";

const DAY = 24 * 60 * 60_000;

/** What a driver did, in milliseconds since 1970. */
interface DayActivity {
  /** Undefined if `word` has no known meaning: see FLEET_ACTIVITY_WORDS. */
  kind: ActivityWords[string] | undefined;
  word: string;
  start: number;
  end: number;
}

/** The last 24 hours of a vehicle's driver. */
export interface DriverDay {
  start: number;
  end: number;
  activities: DayActivity[];
  /** The driver's times under Regulation (EC) 561/2006; absent if the tachograph has a word of unknown meaning. */
  time?: Pick<DrivingTime, "activity" | "sinceBreak" | "day" | "left">;
}

/** Reads what the driver of a vehicle did until `at`; undefined if there is no driver or nothing is recorded. */
export async function readDriverDay({ driverId, driverName }: Position, at: number, context: ToolContext): Promise<DriverDay | undefined> {
  const drivers = await (await readFleet(context)).drivers();
  const driver = drivers.get(driverId ?? driverName)?.value;
  const [hours] = driver ? (await readHours({ drivers: [driver] }, at, context)).hours : [];
  if (!hours) return undefined;
  const words = { ...DEFAULT_WORDS, ...context.settings.activityWords };
  const start = at - DAY;
  const activities = readActivities(hours.record.activities, words, at).flatMap((read) => {
    if (!read) return [];
    const [from, to] = [Math.max(start, read.start), Math.min(at, read.end ?? at)];
    return from < to ? [{ kind: read.kind, word: read.word, start: from, end: to }] : [];
  });
  const { time } = hours;
  return {
    start,
    end: at,
    activities: activities.toSorted((a, b) => a.start - b.start),
    ...(time && { time: { activity: time.activity, sinceBreak: time.sinceBreak, day: time.day, left: time.left } }),
  };
}
