import { parseDateTime, type TachoActivity } from "@fleetwire/core";
import type { Activity, ActivityKind } from "@fleetwire/driving-time";
import { type SpanFields, withoutOddEnd } from "./odd-end.ts";

export const ACTIVITY_KINDS = ["driving", "work", "availability", "rest", "unknown"] as const satisfies readonly ActivityKind[];

export type ActivityWords = Readonly<Record<string, (typeof ACTIVITY_KINDS)[number]>>;

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
export function readActivity(activity: TachoActivity, words: ActivityWords) {
  const { activity: word = NO_WORD, startTime, endTime, inProgress } = withoutOddEnd(activity, ACTIVITY_SPAN);
  const [start, end] = [parseDateTime(startTime), parseDateTime(endTime)];
  if (start === undefined || (end === undefined && inProgress !== true)) return undefined;
  return { kind: Object.hasOwn(words, word) ? words[word] : undefined, word, start, end } satisfies ReadActivity;
}

/** Returns the activity for a computation of driving time; undefined if its word has no known meaning. */
export const knownActivity = ({ kind, start, end }: ReadActivity): Activity | undefined => (kind ? { kind, start, end } : undefined);
