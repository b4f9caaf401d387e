import type { TachoActivity } from "@fleetwire/core";
import { parseDateTime } from "@fleetwire/core/internal";
import type { Activity } from "@fleetwire/driving-time";
import type { ActivityWords } from "../model/settings.ts";
import { type SpanFields, withoutOddEnd } from "./odd-end.ts";

/** The default meanings of words for tachograph activities, which FLEET_ACTIVITY_WORDS can replace. The interface lists no words (2.7). */
export const DEFAULT_WORDS: ActivityWords = { DRIVING: "driving", WORK: "work", AVAILABILITY: "availability", REST: "rest" };

const NO_WORD = "not labelled";

/** An activity with its times, in milliseconds since 1970. */
export interface ReadActivity {
  /** Undefined if the word has no known meaning. */
  kind: ActivityWords[string] | undefined;
  word: string;
  start: number;
  /** Undefined if the activity is in progress. */
  end: number | undefined;
}

export const ACTIVITY_SPAN: SpanFields = ["startTime", "endTime", "inProgress"];

/** Reads an activity of the service; undefined if it has no readable times. */
function readActivity(activity: TachoActivity, words: ActivityWords): ReadActivity | undefined {
  const { activity: word = NO_WORD, startTime, endTime, inProgress } = withoutOddEnd(activity, ACTIVITY_SPAN);
  const [start, end] = [parseDateTime(startTime), parseDateTime(endTime)];
  if (start === undefined || (end === undefined && inProgress !== true)) return undefined;
  return { kind: Object.hasOwn(words, word) ? words[word] : undefined, word, start, end };
}

/**
 * Reads a driver's activities; undefined for each without readable times. An activity in progress ends when the next one begins, and one whose end is in the
 * future is in progress.
 */
export function readActivities(activities: readonly TachoActivity[], words: ActivityWords, now: number): (ReadActivity | undefined)[] {
  const read = activities.map((activity) => readActivity(activity, words));
  const starts = read.flatMap((one) => (one && one.start <= now ? [one.start] : [])).sort((a, b) => a - b);
  return read.map((one) => {
    if (!one || (one.end ?? Number.POSITIVE_INFINITY) <= now) return one;
    return { ...one, end: starts.find((start) => start > one.start) };
  });
}

/** Returns the activity for a computation of driving time; undefined if its word has no known meaning. */
export const knownActivity = ({ kind, start, end }: ReadActivity): Activity | undefined => (kind ? { kind, start, end } : undefined);
