import { conditionOf } from "./conditions.ts";
import type { Sides } from "./place-areas.ts";
import type { ResolvedRule } from "./rule-index.ts";
import { dwellOf } from "./rules.ts";

/** What is known of one rule and one vehicle, driver or job. */
export interface Track extends Sides {
  /** When the last record was made that was taken into account. */
  date: number;
  /** Whether the opposite of the condition has been seen since the last event. Without it, nothing has begun. */
  isArmed: boolean;
  /** When the first of the records was made that have met the condition since; undefined while it is not met. */
  since?: number | undefined;
  /** The faults seen, and when each was first missing; 0 while it is there. */
  codes?: Readonly<Record<string, number>> | undefined;
  /** When the last event happened. */
  toldAt?: number | undefined;
}

const SEPARATOR = "\n";

export const trackKey = (rule: ResolvedRule, entity: string): string => `${rule.key}${SEPARATOR}${entity}`;

/** The rule's key and the entity of a track. */
export function trackOwner(key: string): readonly [rule: string, entity: string] {
  const at = key.indexOf(SEPARATOR);
  return [key.slice(0, at), key.slice(at + 1)];
}

/** Whether only time has to pass until a track causes an event. */
export const isWaiting = ({ rule }: ResolvedRule, { isArmed, since }: Track): boolean =>
  isArmed && since !== undefined && dwellOf(rule) > 0 && !conditionOf(rule).isHeldByRecords;

/** Whether a track says the same after a restart. What the next record says anyway is left out. */
export function isSameTrack({ rule }: ResolvedRule, a: Track, b: Track): boolean {
  const { restarts, isHeldByRecords } = conditionOf(rule);
  const isHeld = isHeldByRecords && a.since !== undefined;
  if (a.isArmed !== b.isArmed || a.toldAt !== b.toldAt || a.inside !== b.inside || a.codes !== b.codes) return false;
  return (restarts || a.since === b.since) && (!isHeld || a.date === b.date);
}

/** A track with dates of the future, which a clock that was wrong has left: what it says holds, but nothing of it is later than now. */
export function corrected({ since, codes, toldAt, ...track }: Track, now: number): Track {
  const inPast = (at: number | undefined) => (at !== undefined && at > now ? undefined : at);
  const gone = codes && Object.fromEntries(Object.entries(codes).map(([code, at]) => [code, Math.min(at, now)]));
  return { ...track, date: 0, since: inPast(since), toldAt: inPast(toldAt), codes: gone };
}
