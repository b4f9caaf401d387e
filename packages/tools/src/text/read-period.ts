import { FleetError } from "@fleetwire/core";
import { parseDateTime } from "@fleetwire/core/internal";
import { singleLine } from "./clip-values.ts";
import { type ZonedTimes, zonedTimes } from "./time.ts";

export interface Period {
  start: number;
  end: number;
  /** How the period was interpreted: the words, their time zone, and the instants. */
  text: string;
}

interface PeriodInWords extends Period {
  /** {@link text} without the instants. */
  words: string;
}

/** The accepted forms, as shown to a model. */
export const PERIOD = "today, yesterday, last week, last 24 hours, a date, first/last date, or start/end in ISO 8601";

type Day = readonly [year: number, month: number, day: number];

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/** Converts between instants and calendar days in a time zone. */
class ZonedDays {
  readonly #times: ZonedTimes;

  constructor(times: ZonedTimes) {
    this.#times = times;
  }

  dayOf(instant: number): Day {
    const [year, month, day] = this.#times.text(instant).split(/[- ]/).map(Number) as [number, number, number];
    return [year, month, day];
  }

  /** Returns the first instant of a day, found by bisection because clocks may go forward at midnight. */
  startOf(day: Day): number {
    const startOfDay = Date.UTC(day[0], day[1] - 1, day[2]);
    let [before, after] = [(startOfDay - DAY) / 1000, (startOfDay + DAY) / 1000];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      const [year, month, date] = this.dayOf(middle * 1000);
      if (Date.UTC(year, month - 1, date) >= startOfDay) after = middle;
      else before = middle;
    }
    return after * 1000;
  }
}

const plusDays = ([year, month, day]: Day, days: number): Day => {
  const date = new Date(Date.UTC(year, month - 1, day + days));
  return [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
};

const weekday = ([year, month, day]: Day) => new Date(Date.UTC(year, month - 1, day)).getUTCDay();
const monday = (day: Day) => plusDays(day, -((weekday(day) + 6) % 7));

/** Returns the first day that a date or words refer to, and the day after the last. */
function daysNamed(words: string, today: Day): readonly [Day, Day] | undefined {
  const date = dateIn(words);
  if (date) return [date, plusDays(date, 1)];
  const [year, month] = today;
  switch (words.replace(/^the /, "")) {
    case "today":
      return [today, plusDays(today, 1)];
    case "yesterday":
      return [plusDays(today, -1), today];
    case "tomorrow":
      return [plusDays(today, 1), plusDays(today, 2)];
    case "next week":
      return [plusDays(monday(today), 7), plusDays(monday(today), 14)];
    case "day before yesterday":
      return [plusDays(today, -2), plusDays(today, -1)];
    case "this week":
      return [monday(today), plusDays(monday(today), 7)];
    case "last week":
      return [plusDays(monday(today), -7), monday(today)];
    case "this month":
      return [[year, month, 1], plusDays([year, month + 1, 1], 0)];
    case "last month":
      return [plusDays([year, month - 1, 1], 0), [year, month, 1]];
  }
  const at = WEEKDAYS.indexOf(words.replace(/^(?:last|on) /, ""));
  if (at === -1) return undefined;
  // A weekday means its most recent occurrence, today included; "last Friday" said on a Friday means a week ago.
  const back = (weekday(today) - at + 7) % 7 || (words.startsWith("last ") ? 7 : 0);
  return [plusDays(today, -back), plusDays(today, 1 - back)];
}

const ROLLING = /^(?:the )?(?:last|past) (\d{1,4}) ?(h|hours?|days?|weeks?)$/;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

function dateIn(text: string): Day | undefined {
  const match = DATE.exec(text);
  if (!match) return undefined;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  // For a day that does not exist, the result is in another month.
  const existing = plusDays([year, month, day], 0);
  return existing[1] === month ? existing : undefined;
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
  const { text: local, zone } = times;
  const days = new ZonedDays(times);
  const words = text.trim().toLowerCase().replace(/\s+/g, " ");
  const spanOf = (start: number, end: number, how: string): PeriodInWords => {
    if (end <= start) throw refuse(text, "ends before it begins");
    const zoned = `${how} in ${zone}`;
    return { start, end, words: zoned, text: `${zoned}: ${local(start)} to ${local(end)}` };
  };
  const [, count, unit = ""] = ROLLING.exec(words) ?? [];
  if (count !== undefined) {
    const length = Number(count) * (unit.startsWith("h") ? HOUR : unit.startsWith("d") ? DAY : 7 * DAY);
    return spanOf(now - length, now, words);
  }
  const today = days.dayOf(now);
  const named = daysNamed(words, today);
  if (named) return spanOf(days.startOf(named[0]), days.startOf(named[1]), words);
  const since = daysNamed(words.replace(/^since /, ""), today);
  if (since) return spanOf(days.startOf(since[0]), now, words);
  const [from = "", to = "", ...more] = text.trim().split(/\s*\/\s*|\s+to\s+/i);
  const [first, last] = [from, to].map((one) => daysNamed(one.toLowerCase().replace(/^from /, ""), today));
  const start = first ? days.startOf(first[0]) : parseDateTime(from);
  const end = last ? days.startOf(last[1]) : parseDateTime(to);
  if (start === undefined || end === undefined || more.length > 0) throw refuse(text, "is not a valid period");
  const given = first || last ? `${from} ${last ? "through" : "to"} ${to}` : "as given";
  return spanOf(start, end, hasNoOffset(from) || hasNoOffset(to) ? `${given}, times without an offset read as UTC, shown` : given);
}
