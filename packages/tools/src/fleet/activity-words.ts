import type { DeploymentProfile, TachoActivity, TachoDriver } from "@fleetwire/core";
import { ACTIVITIES_PATH, DISTANCE_UNITS, type DistanceUnit, type DurationUnit, factsOf, parseDateTime } from "@fleetwire/core/internal";
import type { ActivityWords } from "../model/settings.ts";
import type { ToolSettings } from "../model/tool.ts";
import { type SpanFields, withoutOddEnd } from "./spans.ts";

/** Until when an activity that nobody ended certainly lasted. A symbol, so that it appears in no list of fields and in no result. */
export const KNOWN_UNTIL: unique symbol = Symbol("known until");

/** An activity as the service sent it, read with the others of its driver and vehicle. */
export type RecordedTacho = TachoActivity & { [KNOWN_UNTIL]?: number };

/** What tachographs recorded of one driver. */
export interface TachoRecord {
  driverId: string | undefined;
  /** The first of `driverKeys`. */
  driverKey: string | undefined;
  /** The keys of all cards. */
  driverKeys: string[];
  /** Whether an entry has no key, so that the service does not find it by one. */
  lacksKey: boolean;
  /** With the key of the card that was used, unless it was always `driverKey`. */
  activities: (RecordedTacho & Pick<TachoDriver, "driverKey">)[];
}

export const SECOND_SLOT = 2;

/** Whether the card was in the slot of who sits beside the driver. */
export const isBeside = ({ driverCardSlot, flagManualEntry }: TachoActivity): boolean =>
  Number(driverCardSlot) === SECOND_SLOT && flagManualEntry !== true;

/** The default meanings of words for tachograph activities, which FLEET_ACTIVITY_WORDS can replace. The interface lists no words (2.7). */
const DEFAULT_WORDS: ActivityWords = { DRIVING: "driving", WORK: "work", AVAILABILITY: "availability", REST: "rest" };

/** The meanings of words with these settings. */
export const wordsOf = ({ activityWords }: Pick<ToolSettings, "activityWords">): ActivityWords => ({ ...DEFAULT_WORDS, ...activityWords });

/** What a word for activities means. */
export const meaningOf = (word: string, words: ActivityWords): ActivityWords[string] | undefined =>
  Object.hasOwn(words, word) ? words[word] : undefined;

const NO_WORD = "not labelled";

/** An activity with its times, in milliseconds since 1970. */
export interface ReadActivity {
  /** Undefined if the word has no known meaning. */
  kind: ActivityWords[string] | undefined;
  word: string;
  start: number;
  /** Undefined if the activity is in progress. */
  end: number | undefined;
  /** Whether nobody ended it: it may have gone on after its end. */
  isUnended?: true;
}

export const ACTIVITY_SPAN: SpanFields = ["startTime", "endTime", "inProgress"];

/** Reads an activity of the service; undefined if it has no readable times, or ends before it begins. */
function readActivity(activity: TachoActivity, words: ActivityWords): ReadActivity | undefined {
  const { activity: word = NO_WORD, startTime, endTime, inProgress } = withoutOddEnd(activity, ACTIVITY_SPAN);
  const [start, end] = [parseDateTime(startTime), parseDateTime(endTime)];
  if (start === undefined || (end === undefined ? inProgress !== true : end < start)) return undefined;
  const kind = meaningOf(word, words);
  // Whoever sits beside the driver does not drive, whatever the service calls it.
  return { kind: kind === "driving" && isBeside(activity) ? "availability" : kind, word, start, end };
}

/**
 * Reads a driver's activities; undefined for each without readable times. An activity in progress ends when the next one begins or where nothing shows that it
 * went on, and one whose end is in the future is in progress.
 */
export function readActivities(activities: readonly RecordedTacho[], words: ActivityWords, now: number): (ReadActivity | undefined)[] {
  const read = activities.map((activity) => readActivity(activity, words));
  const starts = [...new Set(read.flatMap((one) => (one && one.start <= now ? [one.start] : [])))].sort((a, b) => a - b);
  const nextStart = new Map(starts.map((start, at) => [start, starts[at + 1]]));
  return read.map((one, at) => {
    const until = activities[at]?.[KNOWN_UNTIL];
    if (one && until !== undefined) return { ...one, end: until, isUnended: true };
    if (!one || (one.end ?? Number.POSITIVE_INFINITY) <= now) return one;
    return { ...one, end: nextStart.get(one.start) };
  });
}

/** A tachograph records at most one activity a minute. */
const MAX_A_DAY = 24 * 60;

/** Whether a driver has more activities on a day than a tachograph can record. */
export function isOverfull(activities: readonly TachoActivity[]): boolean {
  if (activities.length <= MAX_A_DAY) return false;
  const counts = new Map<string, number>();
  for (const { startTime = "" } of activities) {
    const day = startTime.slice(0, "2026-11-20".length);
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  return Math.max(...counts.values()) > MAX_A_DAY;
}

/** Says how many activities of each kind are left out. */
export function leftOutNotes(counts: readonly (readonly [count: number, which: string])[]): string[] {
  const some = counts.flatMap(([count, which]) => (count > 0 ? [`${count} ${which}`] : []));
  return some.length > 0 ? [`Odd activities, left out: ${some.join(", ")}.`] : [];
}

type Profile = DeploymentProfile | undefined;

/** The unit of a field of tachograph activities that a profile observed. */
export const observedUnit = (field: "duration" | "distance", profile: Profile): DistanceUnit | DurationUnit | undefined =>
  factsOf(profile, "unit").find(({ path }) => path === `${ACTIVITIES_PATH}.${field}`)?.unit;

const isDistance = (unit: string | undefined): unit is DistanceUnit => unit !== undefined && Object.hasOwn(DISTANCE_UNITS, unit);

/** The unit of distances: as set, or as a profile observed it. */
export function distanceUnitFrom({ distanceUnit, profile }: Pick<ToolSettings, "distanceUnit" | "profile">): DistanceUnit | undefined {
  const observed = observedUnit("distance", profile);
  return distanceUnit ?? (isDistance(observed) ? observed : undefined);
}
