import { parseDateTime } from "@fleetwire/core/internal";
import { zonedTimes } from "../text/time.ts";
import type { WatchRule } from "./rules.ts";

const MINUTE = 60_000;

/** Whether a rule applies at an instant: before its end, and within its hours of the day. */
export function appliesAt({ between, until }: WatchRule, at: number, timeZone: string | undefined): boolean {
  if (until !== undefined && at > (parseDateTime(until) as number)) return false;
  if (!between) return true;
  const [from, to] = between;
  const time = zonedTimes(timeZone, at).text(at).slice(11);
  return from <= to ? time >= from && time < to : time >= from || time < to;
}

/** Whether the last event about the same entity is so recent that another one is not reported. */
export const isCoolingDown = ({ coolDownMinutes = 0 }: WatchRule, toldAt: number | undefined, at: number): boolean =>
  toldAt !== undefined && Math.abs(at - toldAt) < coolDownMinutes * MINUTE;
