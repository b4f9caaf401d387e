import { isRecord, parseDateTime } from "@fleetwire/core/internal";
import { localTimesIn } from "./local-times.ts";

const UNITS = [
  ["day", 86_400],
  ["h", 3_600],
  ["min", 60],
] as const;

const CLOCKS_DIFFER_SECONDS = 300;

/** Formats an age, such as "4 min ago". */
export function ageInWords(instant: number, now: number): string {
  const seconds = Math.floor((now - instant) / 1000);
  if (seconds < -CLOCKS_DIFFER_SECONDS) return "in the future";
  for (const [unit, length] of UNITS) {
    const count = Math.floor(seconds / length);
    if (count >= 1) return `${count} ${unit === "day" && count > 1 ? "days" : unit} ago`;
  }
  return seconds < 5 ? "just now" : `${seconds} s ago`;
}

/** Formats a duration, such as "7 h 05 min". */
export function durationInWords(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return hours === 0 ? `${rest} min` : `${hours} h ${String(rest).padStart(2, "0")} min`;
}

/** Formats a duration in hours and minutes, such as 4:30, without rounding up. */
export function hoursAndMinutes(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}

/** Formats instants in the user's time zone. */
export interface ZonedTimes {
  /** An IANA time zone such as Europe/Paris, or words for the host's if it has no name. */
  zone: string;
  /** To the minute, for text: 2026-11-20 09:30; with the offset where clocks show this time twice. */
  text: (instant: number) => string;
  /** The instants at which clocks show a time, given as if it were in UTC: one, two when they go back, none when they go forward. */
  instantsAt: (wall: number) => readonly number[];
  /** The first instant at which clocks show a time, given as if it were in UTC, or have passed it. */
  firstAt: (wall: number) => number;
  /** The day of the week: Fri. */
  day: (instant: number) => string;
  /** To the second and with the offset, for records: 2026-11-20T09:30:00+01:00. */
  iso: (instant: number) => string;
  /** Converts a value for the record if it is an instant with an offset, at any depth. */
  localized: (value: unknown) => unknown;
  /** A sentence that names the zone and the time now. */
  note: string;
  /** The time now, in milliseconds since 1970. */
  now: number;
}

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

const WITH_OFFSET = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/;

/** Returns the instant in a string that states its offset; undefined for anything else. */
export function instantIn(value: unknown): number | undefined {
  return typeof value === "string" && WITH_OFFSET.test(value) ? parseDateTime(value) : undefined;
}

function offsetInWords(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return minutes === 0 ? "Z" : `${minutes < 0 ? "-" : "+"}${String(hours).padStart(2, "0")}:${String(rest).padStart(2, "0")}`;
}

/** Returns formatters for a time zone, which defaults to the host's. */
export function zonedTimes(timeZone: string | undefined, now: number): ZonedTimes {
  const { zone, local, offsetAt, isTwice, instantsAt, firstAt } = localTimesIn(timeZone);
  const offset = (instant: number) => offsetInWords(Math.round(offsetAt(instant) / 60_000));
  const text = (instant: number) => `${local(instant).slice(0, 16)}${isTwice(instant) ? offset(instant) : ""}`;
  const iso = (instant: number) => `${local(instant).replace(" ", "T")}${offset(instant)}`;
  const localized = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(localized);
    if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, localized(inner)]));
    const instant = instantIn(value);
    return instant === undefined ? value : iso(instant);
  };
  const day = (instant: number) => WEEKDAYS[new Date(`${text(instant).slice(0, 10)}T00:00Z`).getUTCDay()] as string;
  return {
    zone,
    text,
    instantsAt,
    firstAt,
    day,
    iso,
    localized,
    get note() {
      return `Times in ${zone}, now ${text(now)}.`;
    },
    now,
  };
}

const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Formats the day in the user's zone, such as "19 Nov", with the year unless it is the current one, and the time of day. */
export function dayAndTime(instant: number, { now, text }: ZonedTimes): readonly [day: string, time: string] {
  const [date = "", time = ""] = text(instant).split(" ");
  const [year = "", month, day] = date.split("-");
  return [`${Number(day)} ${MONTHS[Number(month) - 1]}${text(now).startsWith(year) ? "" : ` ${year}`}`, time];
}

/**
 * Formats an instant in a few tokens: within the last hour, its age, such as "4 min ago"; in the future or the last week, its time in the
 * user's zone, such as "19 Nov 06:12"; otherwise the day, with the year unless it is the current one. The day is omitted if the preceding instant in
 * the row has the same one, and the time is kept with `hasTime`.
 */
export function briefTime(
  instant: number,
  times: ZonedTimes,
  { before, hasTime = false }: { before?: number | undefined; hasTime?: boolean | undefined } = {},
): string {
  const { now } = times;
  if (!hasTime && instant <= now && now - instant < HOUR) return ageInWords(instant, now);
  const [day, time] = dayAndTime(instant, times);
  if (!hasTime && now - instant > WEEK) return day;
  const isSaid = before !== undefined && (hasTime || now - before >= HOUR) && dayAndTime(before, times)[0] === day;
  return isSaid ? time : `${day} ${time}`;
}

/** Returns the formatters for a call. */
export const timesOf = ({ settings, now }: { settings: { timeZone?: string | undefined }; now: () => number }): ZonedTimes =>
  zonedTimes(settings.timeZone, now());

const COMPASS = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

/** Converts a heading in degrees to a compass point. */
export function compassPoint(degrees: number): string {
  return COMPASS.at(Math.round(degrees / 45) % 8) as string;
}

/** Returns a function that formats the age of a date-time from the service; undefined if the date-time is invalid. */
export function ageOf(now: number): (value: unknown) => string | undefined {
  return (value) => {
    const instant = parseDateTime(value);
    return instant === undefined ? undefined : ageInWords(instant, now);
  };
}

/** Like {@link compassPoint}, but returns undefined for anything that is not a number. */
export const directionOf = (value: unknown) => (typeof value === "number" ? compassPoint(value) : undefined);
