import { FleetError } from "@fleetwire/core";
import { parseDateTime } from "@fleetwire/core/internal";
import { readPeriod } from "./read-period.ts";

export interface Clock {
  now: number;
  timeZone: string | undefined;
}

/** The instants from `start` to before `end`. */
export interface Span {
  start: number;
  end: number;
}

const AGO = /^(\d{1,4}) ?(m|min|minutes?|h|hours?|d|days?|weeks?) ago$/i;
const LENGTHS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Reads a time such as "2 hours ago". */
function timeAgo(text: string, now: number): number | undefined {
  const [, count, unit = ""] = AGO.exec(text.trim()) ?? [];
  return count === undefined ? undefined : now - Number(count) * (LENGTHS[unit.charAt(0).toLowerCase()] ?? 0);
}

/** Reads an instant, a day or a period such as "last week"; undefined if it is none of these. */
export function spanOf(text: string, { now, timeZone }: Clock): Span | undefined {
  const instant = /\d[T ]\d{2}:/i.test(text) ? parseDateTime(text) : timeAgo(text, now);
  if (instant !== undefined) return { start: instant, end: instant + 1 };
  try {
    return readPeriod(text, now, timeZone);
  } catch (error) {
    if (error instanceof FleetError) return undefined;
    throw error;
  }
}
