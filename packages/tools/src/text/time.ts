import { parseDateTime } from "@fleetwire/core/internal";
import { forgetOldest } from "../runtime/forget-oldest.ts";
import { withTexts } from "./visible-text.ts";

/** What clocks show in a time zone. */
interface LocalTimes {
  /** An IANA time zone such as Europe/Paris, or words for the host's if it has no name. */
  zone: string;
  /** The local time of an instant, such as 2026-11-20 09:30:00. */
  local: (instant: number) => string;
  /** How far clocks are ahead of UTC, in milliseconds. */
  offsetAt: (instant: number) => number;
  /** Whether clocks show the time of an instant twice, since they go back. */
  isTwice: (instant: number) => boolean;
  /** The instants at which clocks show a time, given as if it were in UTC: one, two when they go back, none when they go forward. */
  instantsAt: (wall: number) => readonly number[];
  /** The first instant at which clocks show a time, given as if it were in UTC, or have passed it. */
  firstAt: (wall: number) => number;
}

// A formatter takes longer to create than a list takes to format.
const formats = new Map<string | undefined, LocalTimes>();

/** The name of the host's time zone, which is unknown if the variable TZ holds a path, a rule or nothing. */
function hostZone(format: Intl.DateTimeFormat): string {
  const zone: string | undefined = format.resolvedOptions().timeZone;
  if (zone !== undefined && zone !== "Etc/Unknown") return zone;
  const isUtc = [0, 6].every((month) => format.format(Date.UTC(2026, month, 1, 12)).endsWith("01 12:00:00"));
  return isUtc ? "UTC" : "server time";
}

const DAY = 86_400_000;
/** About three years. */
const MAX_DAYS = 1_000;

/** Returns the first second, after the first instant and at the latest at the other, for which a test that stays true is true. */
function firstSecond([from, to]: readonly [number, number], isReached: (instant: number) => boolean): number {
  let [before, after] = [Math.floor(from / 1000), Math.floor(to / 1000)];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (isReached(middle * 1000)) after = middle;
    else before = middle;
  }
  return after * 1000;
}

/** Returns the local times of a zone, which defaults to the host's. */
function localTimesIn(timeZone: string | undefined): LocalTimes {
  const known = formats.get(timeZone);
  if (known) return known;
  const twoDigits = "2-digit";
  const format = new Intl.DateTimeFormat("sv-SE-u-ca-gregory-nu-latn", {
    timeZone,
    ...{ year: "numeric", month: twoDigits, day: twoDigits, hour: twoDigits, minute: twoDigits, second: twoDigits, hourCycle: "h23" },
  });
  // Text and record show the same instants.
  let [instant, text] = [Number.NaN, ""];
  const local = (other: number) => {
    if (other !== instant) [instant, text] = [other, format.format(other)];
    return text;
  };
  const wallAt = (at: number) => Date.parse(`${local(at).replace(" ", "T")}Z`);
  const offsetAt = (at: number) => wallAt(at) - Math.floor(at / 1000) * 1000;
  const instantsAt = (wall: number) => {
    const offsets = new Set([offsetAt(wall - DAY), offsetAt(wall + DAY)]);
    return [...offsets]
      .map((offset) => wall - offset)
      .filter((at) => offsetAt(at) === wall - at)
      .sort((a, b) => a - b);
  };
  /** Whether clocks change around a day. */
  const changing = new Map<number, boolean>();
  const changesAround = (day: number) => {
    const existing = changing.get(day);
    if (existing !== undefined) return existing;
    const changes = offsetAt((day - 1) * DAY) !== offsetAt((day + 2) * DAY);
    changing.set(day, changes);
    forgetOldest(changing, MAX_DAYS);
    return changes;
  };
  const times: LocalTimes = {
    zone: timeZone ?? hostZone(format),
    local,
    offsetAt,
    isTwice: (at) => changesAround(Math.floor(at / DAY)) && instantsAt(at + offsetAt(at)).length > 1,
    instantsAt,
    firstAt: (wall) => instantsAt(wall)[0] ?? firstSecond([wall - 2 * DAY, wall + 2 * DAY], (at) => at + offsetAt(at) >= wall),
  };
  formats.set(timeZone, times);
  return times;
}

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
export interface ZonedTimes extends Pick<LocalTimes, "zone" | "instantsAt" | "firstAt"> {
  /** To the minute, for text: 2026-11-20 09:30; with the offset where clocks show this time twice. */
  text: (instant: number) => string;
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
  const localText = (value: string) => {
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
    localized: (value) => withTexts(value, localText, (field) => field),
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

export const timesOf = ({ settings, now }: { settings: { timeZone?: string | undefined }; now: () => number }): ZonedTimes =>
  zonedTimes(settings.timeZone, now());

const COMPASS = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

/** Converts a heading in degrees to a compass point. */
export function compassPoint(degrees: number): string {
  return COMPASS.at(Math.round(degrees / 45) % 8) as string;
}

/** Returns a function that formats the age of a date-time from the service; undefined if the date-time is invalid. */
export const ageOf = (now: number) => (value: unknown) => {
  const instant = parseDateTime(value);
  return instant === undefined ? undefined : ageInWords(instant, now);
};

/** Like {@link compassPoint}, but returns undefined for anything that is not a number. */
export const directionOf = (value: unknown) => (typeof value === "number" ? compassPoint(value) : undefined);
