import { FleetError } from "@fleetwire/core";
import { parseDateTime } from "@fleetwire/core/internal";
import * as z from "zod";
import { DAY, type Day, dateOf, dayIn, daysNamed, monthsFrom } from "./calendar-days.ts";
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
export const PERIOD = "today, last week, October, last 24 hours, or start/end: dates or ISO 8601";

/** Two years, of which one may be a leap year, and the hour by which clocks may differ. No question needs more, and it would take very many requests. */
const MAX_LENGTH = 731 * DAY + DAY / 24;

const LENGTHS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: DAY, w: 7 * DAY };
const lengthOf = (count: string, unit: string) => Number(count) * (LENGTHS[unit.charAt(0)] ?? 0);

const plain = (text: string) => text.trim().toLowerCase().replace(/\s+/g, " ");

const ROLLING = /^(?:the )?(last|past|next) (\d{1,4}) ?(m|min|minutes?|h|hours?|days?|weeks?|months?)$/;
const NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
const inDigits = (word: string) => (NUMBERS.includes(word) ? String(NUMBERS.indexOf(word)) : word);
const AGO = /^(\d{1,4}) ?(m|min|minutes?|h|hours?|d|days?|weeks?) ago$/;
const TIME_OF_DAY = /^(?:(.+?)(?:, ?| |(?<=\d)t(?=\d)))?(at )?(\d{1,2})(?::(\d{2})(?::(\d{2})(?:\.\d+)?)?)? ?([ap]m)?$/;

const CLOCK = String.raw`(\d{1,2})(:\d{2})?(?: ?([ap]m))?`;
/** Times of one day, such as "yesterday from 6 to 10 am"; the day may follow. */
const BETWEEN = new RegExp(`^(?:(.+?),? )??(?:(from|between|at) )?${CLOCK} ?(?:to|and|until|till|-|–) ?${CLOCK}(?: (?:on )?(.+))?$`);

/** Hours that are named. A part of a day is told with its times. */
const PARTS_OF_DAY: Readonly<Record<string, string>> = { morning: "0:00 to 12:00", afternoon: "12:00 to 18:00", evening: "18:00 to 24:00" };

/** Writes times of one day, or a part of it, as that day and two times: "yesterday morning" as "yesterday 0:00 to 12:00"; and "2-8 November" as two dates. */
function spelledOut(words: string, today: Day): string {
  const [, of = "", part = ""] = /^(.+) (morning|afternoon|evening)$/.exec(words) ?? [];
  if (part !== "") return `${of.replace(/^(?:in |during )?(?:this|the)$/, "today")} ${PARTS_OF_DAY[part]}`;
  const [, before, word, hour = "", minutes, half, endHour = "", endMinutes, endHalf, after] = BETWEEN.exec(words) ?? [];
  // A number alone may be a day of the month.
  if (hour === "" || (before !== undefined && after !== undefined) || !(before ?? word ?? after ?? minutes)) return words;
  const day = before ?? after;
  if (!minutes && daysNamed(`${hour} ${day}`, today)) return `${hour} ${day} to ${endHour} ${day}`;
  const isEarlier = Number(hour) % 12 < Number(endHour) % 12;
  const firstHalf = half ?? (endHalf && (isEarlier ? endHalf : endHalf === "pm" ? "am" : "pm"));
  const clock = (at: string, past: string | undefined, of: string | undefined) => `${at}${past ?? ":00"}${of ? ` ${of}` : ""}`;
  return `${day === undefined ? "" : `${day} `}${clock(hour, minutes, firstHalf)} to ${clock(endHour, endMinutes, endHalf)}`;
}

/** A time as written. */
interface WrittenTime {
  /** Two if clocks show it twice. */
  instants: readonly [number, ...number[]];
  form: "ISO" | "ISO without an offset" | "words" | "time of day";
  /** The time of day if clocks show it twice or never. */
  odd?: string | undefined;
}

/** Reads "yesterday 17:00", "on Monday at 5 pm", "17:00" and "2026-11-03T17:00" in the user's zone. A time alone is on `day`. */
function readLocalTime(words: string, day: Day, times: ZonedTimes, isAhead: boolean): WrittenTime | undefined {
  const [, named, hourFollows, hours = "", minutes, seconds = "0", half] = TIME_OF_DAY.exec(words.replace(/\bnoon$/, "12:00")) ?? [];
  if ((hourFollows ?? minutes ?? half) === undefined) return undefined;
  const on = named === undefined ? { first: day, end: day + 1 } : daysNamed(named.replace(/ at$/, ""), todayIn(times), isAhead);
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === "pm" ? 12 : 0);
  const minuteOfDay = hour * 60 + Number(minutes ?? 0);
  if (on?.end !== (on?.first ?? 0) + 1 || Number(minutes ?? 0) > 59 || Number(seconds) > 59 || minuteOfDay > 24 * 60) return undefined;
  const wall = on.first * DAY + (minuteOfDay * 60 + Number(seconds)) * 1000;
  const [first = times.firstAt(wall), ...others] = times.instantsAt(wall);
  const isOdd = times.instantsAt(wall).length !== 1;
  return {
    instants: [first, ...others],
    form: named === undefined ? "time of day" : /^\d{4}-/.test(named) ? "ISO without an offset" : "words",
    odd: isOdd ? new Date(wall).toISOString().slice(11, 16) : undefined,
  };
}

const todayIn = ({ text, now }: ZonedTimes): Day => dayIn(text(now));

/** Reads an instant as people and programs write it. Every tool reads times here, so that a text means the same in all. */
function readTime(words: string, times: ZonedTimes, day = todayIn(times), isAhead = false): WrittenTime | undefined {
  const [, count, unit = ""] = AGO.exec(words) ?? [];
  const ago = count === undefined ? (words === "now" ? 0 : undefined) : lengthOf(count, unit);
  if (ago !== undefined) return { instants: [times.now - ago], form: "words" };
  const stated = /\d[t ]\d{2}:.*(?:z|[+-]\d{2}:?\d{2})$/.test(words) ? parseDateTime(words) : undefined;
  return stated === undefined ? readLocalTime(words, day, times, isAhead) : { instants: [stated], form: "ISO" };
}

/** Says how a time was read that clocks show twice or never. */
function oddIn({ instants: [first, second], odd }: WrittenTime, instant: number, times: ZonedTimes): string[] {
  if (odd === undefined) return [];
  if (second === undefined) return [`clocks skip ${odd}, read as ${times.text(first).slice(11)}`];
  return [`clocks show ${odd} twice, read as the ${instant === first ? "first" : "second"}`];
}

const refuse = (text: string, why: string, advice = `Use ${PERIOD}`) =>
  new FleetError("input", `period: "${singleLine(text, 60)}" ${why}`, { advice });

const SEPARATOR = /\s*\/\s*|\s+(?:to|until|till|through|-)\s+|\s*–\s*/i;

/** Parses a period of any length. Days begin and end in the given time zone, which defaults to the host's. */
function readAnyPeriod(text: string, { now, timeZone }: Clock, isAhead = false): PeriodInWords {
  const times = zonedTimes(timeZone, now);
  const read = readWritten(text, times, isAhead) ?? readWritten(spelledOut(plain(text), todayIn(times)), times, isAhead);
  if (!read) throw refuse(text, "is not a valid period");
  return read;
}

/** Parses a period, without times of one day that {@link spelledOut} writes apart; undefined if it is none. */
function readWritten(text: string, times: ZonedTimes, isAhead: boolean): PeriodInWords | undefined {
  const { now } = times;
  const today = todayIn(times);
  const words = plain(text).replace(/(?<=^(?:the )?(?:last|past|next) )[a-z]+/, inDigits);
  const period = (start: number, end: number, how: string, remarks: readonly string[] = []): PeriodInWords => {
    if (end <= start) throw refuse(text, "ends before it begins");
    const zoned = [`${how} in ${times.zone}`, ...remarks].join("; ");
    return { start, end, words: zoned, text: `${zoned}: ${times.text(start)} to ${times.text(end)}` };
  };
  const startOf = (day: Day) => times.firstAt(day * DAY);
  const [, towards, count, unit = ""] = ROLLING.exec(words) ?? [];
  if (count !== undefined) {
    const sign = towards === "next" ? 1 : -1;
    const other = unit.startsWith("month") ? startOf(monthsFrom(today, sign * Number(count))) : now + sign * lengthOf(count, unit);
    // Of days that are still to come, the last one is whole.
    const last = sign > 0 && other - now >= DAY ? startOf(dayIn(times.text(other)) + 1) : Math.max(now, other);
    return period(Math.min(now, other), last, words);
  }
  const named = daysNamed(words, today, isAhead);
  const before = named?.before === undefined ? [] : [`the one before: ${dateOf(named.before)}`];
  if (named) return period(startOf(named.first), startOf(named.end), words, before);

  const firstIn = (written: string, ahead: boolean) => {
    const days = daysNamed(written, today, ahead);
    const time = days ? undefined : readTime(written, times, today, ahead);
    const start = days ? startOf(days.first) : time?.instants[0];
    return start === undefined ? undefined : { start, time };
  };
  const since = firstIn(words.replace(/^since /, ""), false);
  if (since && words.startsWith("since ")) return period(since.start, now, words, since.time && oddIn(since.time, since.start, times));

  const [from = "", to = "", ...more] = text.trim().split(SEPARATOR);
  const first = firstIn(plain(from).replace(/^from /, ""), isAhead);
  if (!first || more.length > 0) return undefined;
  const { start } = first;
  const firstDay = dayIn(times.text(start));
  const days = daysNamed(plain(to), isAhead ? firstDay : today, isAhead);
  if (days)
    return period(
      start,
      startOf(days.end),
      `${from} through ${to}${first.time ? without([first.time]) : ""}`,
      first.time && oddIn(first.time, start, times),
    );

  const onSameDay = readTime(plain(to), times, firstDay, isAhead);
  const isNextDay = onSameDay?.form === "time of day" && onSameDay.instants.every((instant) => instant <= start);
  const last = isNextDay ? readTime(plain(to), times, firstDay + 1, isAhead) : onSameDay;
  if (!last) return undefined;
  const end = last.instants.find((instant) => instant > start) ?? last.instants[0];
  const given = [...(first.time ? [first.time] : []), last];
  const isIso = given.length === 2 && given.every(({ form }) => form.startsWith("ISO"));
  const odd = [...(first.time ? oddIn(first.time, start, times) : []), ...oddIn(last, end, times)];
  return period(start, end, `${isIso ? "as given" : `${from} to ${to}`}${without(given)}`, [...new Set(odd)]);
}

const without = (given: readonly WrittenTime[]) =>
  given.some(({ form }) => form === "ISO without an offset") ? ", times without an offset read" : "";

/** Like {@link readAnyPeriod}, for a period to read: not too long. `isAhead` says that what is still to come is meant first. */
export function readPeriod(text: string, now: number, timeZone: string | undefined, isAhead = false): PeriodInWords {
  const period = readAnyPeriod(text, { now, timeZone }, isAhead);
  requireReadable(period, text);
  return period;
}

/** Throws if a period is too long to be read. */
export function requireReadable({ start, end }: Span, text: string): void {
  if (end - start > MAX_LENGTH) throw refuse(text, "is longer than two years", "Ask for at most two years, or for each year by itself");
}

/** Schemas for the start and end of a period, which a cursor carries so that "last 24 hours" means the same on later pages. */
export const carriedSpan = [z.number(), z.number()];

/** Reads a period, or takes over what a cursor carried. */
export function periodOf(text: string, carried: readonly unknown[] | undefined, times: ZonedTimes, timeZone: string | undefined): Period {
  const [start, end] = carried ?? [];
  if (typeof start === "number" && typeof end === "number") {
    const span = { start, end, text: `${times.text(start)} to ${times.text(end)} in ${times.zone}` };
    requireReadable(span, span.text);
    return span;
  }
  return readPeriod(text, times.now, timeZone);
}

/** Reads an instant such as "2 hours ago", a day or a period such as "last week"; undefined if it is none of these. */
export function spanOf(text: string, clock: Clock): Span | undefined {
  const time = readTime(plain(text), zonedTimes(clock.timeZone, clock.now));
  if (time) return { start: time.instants[0], end: time.instants[0] + 1 };
  try {
    return readAnyPeriod(text, clock);
  } catch (error) {
    if (error instanceof FleetError) return undefined;
    throw error;
  }
}

/** Says what was assumed of a time that {@link spanOf} or {@link readInstant} reads: its zone, and which one if clocks show it twice or never. */
export function assumedIn(text: string, { now, timeZone }: Clock): string[] {
  const times = zonedTimes(timeZone, now);
  const time = readTime(plain(text), times);
  if (!time) return [];
  const zone = time.form === "ISO without an offset" ? [`read in ${times.zone}`] : [];
  const assumed = [...zone, ...oddIn(time, time.instants[0], times)];
  return assumed.length === 0 ? [] : [`${singleLine(text, 40)}: ${assumed.join("; ")}.`];
}

/** The forms of an instant, as shown to a model. */
export const INSTANT = "yesterday 17:00, 2 hours ago, or ISO 8601";

/** Reads an instant; a time without an offset is in the given time zone. */
export function readInstant(text: string, field: string, { now, timeZone }: Clock): number {
  const time = readTime(plain(text), zonedTimes(timeZone, now));
  if (time) return time.instants[0];
  throw new FleetError("input", `${field}: "${singleLine(text, 60)}" is not a time`, { advice: `Use ${INSTANT}` });
}
