import { parseDateTime } from "@fleetwire/core";
import { ageInWords } from "./time.ts";

const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;

/**
 * Returns a function that formats a date-time from the service in a few tokens: its age within the last hour, such as "4 min ago", within the last week its
 * time in the user's zone, such as "19 Nov 06:12", otherwise the day, with the year unless it is the current one. Undefined if the date-time is invalid.
 */
export function briefTimeOf(now: number, timeZone: string | undefined): (value: unknown) => string | undefined {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const partsOf = (instant: number) => Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  const { year: thisYear } = partsOf(now);
  return (value) => {
    const instant = parseDateTime(value);
    if (instant === undefined) return undefined;
    if (instant <= now && now - instant < HOUR) return ageInWords(instant, now);
    const { day, month, year, hour, minute } = partsOf(instant);
    const date = `${day} ${month}${year === thisYear ? "" : ` ${year}`}`;
    return instant < now - WEEK ? date : `${date} ${hour}:${minute}`;
  };
}

/** States the zone of the times formatted by {@link briefTimeOf}. */
export const zoneNote = (timeZone: string | undefined): string =>
  `Times in ${timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone}.`;
