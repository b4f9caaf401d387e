import { FleetError } from "@fleetwire/core";
import { parseDateTime } from "@fleetwire/core/internal";
import * as z from "zod";
import { singleLine } from "./clip-values.ts";
import { type ZonedTimes, zonedTimes } from "./time.ts";

/** The instants from `start` to before `end`. */
export interface Span {
  start: number;
  end: number;
}

export interface Period extends Span {
  /** How the period was interpreted: the words, their time zone, and the instants. */
  text: string;
}

interface PeriodInWords extends Period {
  /** {@link text} without the instants. */
  words: string;
}

export interface Clock {
  now: number;
  timeZone: string | undefined;
}

/** The accepted forms, as shown to a model. */
export const PERIOD = "today, yesterday, last week, last 24 hours, a date, first/last date, or start/end in ISO 8601";

const DAY = 86_400_000;
const LENGTHS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: DAY, w: 7 * DAY };
const lengthOf = (count: string, unit: string) => Number(count) * (LENGTHS[unit.charAt(0).toLowerCase()] ?? 0);

const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/** A day of the calendar, numbered from 1970-01-01. */
type Day = number;

const dayOf = (date: string): Day => Date.parse(`${date}T00:00Z`) / DAY;
const dateOf = (day: Day) => new Date(day * DAY).toISOString().slice(0, 10);
const today = ({ now, text }: ZonedTimes): Day => dayOf(text(now).slice(0, 10));

/** Returns the first instant of a day in a time zone, found by bisection because clocks may go forward at midnight. */
function startOf(day: Day, { text }: ZonedTimes): number {
  return firstSecond([(day - 1) * DAY, (day + 1) * DAY], (instant) => dayOf(text(instant).slice(0, 10)) >= day);
}

/** Returns the first second, after the first instant and at the latest at the other, for which a test that stays true is true. */
function firstSecond([from, to]: readonly [number, number], isReached: (instant: number) => boolean): number {
  let [before, after] = [from / 1000, to / 1000];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (isReached(middle * 1000)) after = middle;
    else before = middle;
  }
  return after * 1000;
}

/** Returns the first day that a date or words refer to, and the day after the last. */
function daysNamed(words: string, today: Day): readonly [Day, Day] | undefined {
  const date = dateIn(words);
  if (date !== undefined) return [date, date + 1];
  const weekday = new Date(today * DAY).getUTCDay();
  const monday = today - ((weekday + 6) % 7);
  const month = (offset: number): Day => {
    const day = new Date(today * DAY);
    return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + offset, 1) / DAY;
  };
  switch (words.replace(/^the /, "")) {
    case "today":
      return [today, today + 1];
    case "yesterday":
      return [today - 1, today];
    case "tomorrow":
      return [today + 1, today + 2];
    case "day before yesterday":
      return [today - 2, today - 1];
    case "next week":
      return [monday + 7, monday + 14];
    case "this week":
      return [monday, monday + 7];
    case "last week":
      return [monday - 7, monday];
    case "this month":
      return [month(0), month(1)];
    case "last month":
      return [month(-1), month(0)];
  }
  const at = WEEKDAYS.indexOf(words.replace(/^(?:last|on) /, ""));
  if (at === -1) return undefined;
  // A weekday means its most recent occurrence, today included; "last Friday" said on a Friday means a week ago.
  const day = today - ((weekday - at + 7) % 7 || (words.startsWith("last ") ? 7 : 0));
  return [day, day + 1];
}

const ROLLING = /^(?:the )?(?:last|past) (\d{1,4}) ?(h|hours?|days?|weeks?)$/;

function dateIn(text: string): Day | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const day = dayOf(text);
  // A day that does not exist may be read as one in the next month.
  return Number.isNaN(day) || dateOf(day) !== text ? undefined : day;
}

/** Whether a text ends with a time without an offset, which is read as UTC. */
export const hasNoOffset = (text: string): boolean => /[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/i.test(text.trim());

const refuse = (text: string, why: string) =>
  new FleetError("input", `period: "${singleLine(text, 60)}" ${why}`, {
    advice: `Use ${PERIOD}`,
  });

/** Parses a period as people phrase it. Days begin and end in the given time zone, which defaults to the host's. */
export function readPeriod(text: string, now: number, timeZone: string | undefined): PeriodInWords {
  const times = zonedTimes(timeZone, now);
  const words = text.trim().toLowerCase().replace(/\s+/g, " ");
  const period = (start: number, end: number, how: string): PeriodInWords => {
    if (end <= start) throw refuse(text, "ends before it begins");
    const zoned = `${how} in ${times.zone}`;
    return { start, end, words: zoned, text: `${zoned}: ${times.text(start)} to ${times.text(end)}` };
  };
  const [, count, unit = ""] = ROLLING.exec(words) ?? [];
  if (count !== undefined) return period(now - lengthOf(count, unit), now, words);
  const named = (words: string) => daysNamed(words, today(times))?.map((day) => startOf(day, times)) as [number, number] | undefined;
  const days = named(words);
  if (days) return period(...days, words);
  const since = named(words.replace(/^since /, ""));
  if (since) return period(since[0], now, words);
  const [from = "", to = "", ...more] = text.trim().split(/\s*\/\s*|\s+to\s+/i);
  const [first, last] = [from, to].map((one) => named(one.toLowerCase().replace(/^from /, "")));
  const start = first ? first[0] : parseDateTime(from);
  const end = last ? last[1] : parseDateTime(to);
  if (start === undefined || end === undefined || more.length > 0) throw refuse(text, "is not a valid period");
  const how = first || last ? `${from} ${last ? "through" : "to"} ${to}` : "as given";
  return period(start, end, hasNoOffset(from) || hasNoOffset(to) ? `${how}, times without an offset read as UTC, shown` : how);
}

/** Schemas for the start and end of a period, which a cursor carries so that "last 24 hours" means the same on later pages. */
export const carriedSpan = [z.number(), z.number()];

/** Reads a period, or takes over what a cursor carried. */
export function periodOf(text: string, carried: readonly unknown[] | undefined, times: ZonedTimes, timeZone: string | undefined): Period {
  const [start, end] = carried ?? [];
  if (typeof start === "number" && typeof end === "number")
    return { start, end, text: `${times.text(start)} to ${times.text(end)} in ${times.zone}` };
  return readPeriod(text, times.now, timeZone);
}

const AGO = /^(\d{1,4}) ?(m|min|minutes?|h|hours?|d|days?|weeks?) ago$/i;

/** Reads an instant such as "2 hours ago", a day or a period such as "last week"; undefined if it is none of these. */
export function spanOf(text: string, { now, timeZone }: Clock): Span | undefined {
  const [, count, unit = ""] = AGO.exec(text.trim()) ?? [];
  const ago = count === undefined ? undefined : now - lengthOf(count, unit);
  const instant = /\d[T ]\d{2}:/i.test(text) ? parseDateTime(text) : ago;
  if (instant !== undefined) return { start: instant, end: instant + 1 };
  try {
    return readPeriod(text, now, timeZone);
  } catch (error) {
    if (error instanceof FleetError) return undefined;
    throw error;
  }
}

const TIME_OF_DAY = /^(.*?),? ?(?:at |, )?(\d{1,2})(?::(\d{2})| ?(?=[ap]m))(?::\d{2})? ?([ap]m)?$/i;

/** Reads the day and time of "yesterday 17:00", "on Monday at 5 pm" and "17:00", which means today. */
function timeOfDay(words: string, times: ZonedTimes): number | undefined {
  const [, day = "", hours = "", minutes = "0", half = ""] = TIME_OF_DAY.exec(words) ?? [];
  if (hours === "") return undefined;
  const [first] = daysNamed(day === "" ? "today" : day, today(times)) ?? [];
  const hour = half === "" ? Number(hours) : (Number(hours) % 12) + (half === "pm" ? 12 : 0);
  if (first === undefined || hour > 23 || Number(minutes) > 59) return undefined;
  const wanted = `${dateOf(first)} ${String(hour).padStart(2, "0")}:${minutes.padStart(2, "0")}`;
  // The first minute with this time or, where clocks skip it, the next.
  return firstSecond([startOf(first, times) - 1000, startOf(first + 1, times)], (instant) => times.text(instant) >= wanted);
}

/** The forms of an instant, as shown to a model. */
export const INSTANT = "yesterday 17:00, 2 hours ago, or ISO 8601";

/** Reads an instant as people phrase it: a time of day is in the given time zone, one in ISO 8601 without an offset in UTC. */
export function readInstant(text: string, field: string, { now, timeZone }: Clock): number {
  const words = text.trim().toLowerCase().replace(/\s+/g, " ");
  const [, count, unit = ""] = AGO.exec(words) ?? [];
  if (count !== undefined) return now - lengthOf(count, unit);
  if (words === "now") return now;
  const instant = timeOfDay(words, zonedTimes(timeZone, now)) ?? (/\d[T ]\d{2}:/i.test(text) ? parseDateTime(text.trim()) : undefined);
  if (instant !== undefined) return instant;
  throw new FleetError("input", `${field}: "${singleLine(text, 60)}" is not a time`, { advice: `Use ${INSTANT}` });
}
