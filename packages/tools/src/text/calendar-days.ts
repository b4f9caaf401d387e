/** A day of the calendar, numbered from 1970-01-01. */
export type Day = number;

/** Days from the first to before the last. */
export interface Days {
  first: Day;
  end: Day;
  /** The first day of the one before, of days that come again and of which the next are meant. */
  before?: Day | undefined;
}

export const DAY = 86_400_000;

const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const MONTHS = "january february march april may june july august september october november december".split(" ");
const MONTHS_PER_YEAR = 12;

export const dateOf = (day: Day): string => new Date(day * DAY).toISOString().slice(0, 10);
/** Returns the day of a local time such as 2026-11-20 09:30. */
export const dayIn = (local: string): Day => Date.parse(`${local.slice(0, 10)}T00:00Z`) / DAY;
const days = (first: Day, length: number): Days => ({ first, end: first + length });
export const mondayOf = (day: Day): Day => day - ((new Date(day * DAY).getUTCDay() + 6) % 7);
const yearOf = (day: Day) => new Date(day * DAY).getUTCFullYear();

/** Returns some months, counted from January of a year, which may be more than twelve away. */
const months = (year: number, first: number, count: number): Days => ({
  first: Date.UTC(year, first, 1) / DAY,
  end: Date.UTC(year, first + count, 1) / DAY,
});

/** Returns the day some months ahead or, if negative, ago. */
export const monthsFrom = (day: Day, count: number): Day =>
  Date.UTC(yearOf(day), new Date(day * DAY).getUTCMonth() + count, new Date(day * DAY).getUTCDate()) / DAY;

/** Days that come again, by how many times after those of this week or year. */
type Recurring = (offset: number) => Days | undefined;

function dateIn(year: number, month: number, day: number): Days | undefined {
  const { first, end } = months(year, month, 1);
  return month >= 0 && month < MONTHS_PER_YEAR && day >= 1 && first + day <= end ? days(first + day - 1, 1) : undefined;
}

const indexIn = (names: readonly string[], word: string | undefined) =>
  word === undefined || word.length < 3 ? -1 : names.findIndex((name) => name.startsWith(word));

const WEEKS_PER_YEAR = 53;

/** Returns the part of each year that words name: a quarter, a week by its number, a month, or a date in it. */
function partOfYear(words: string): ((year: number) => Days | undefined) | undefined {
  const quarter = /^(?:q|quarter )([1-4])$/.exec(words)?.[1];
  if (quarter !== undefined) return (year) => months(year, (Number(quarter) - 1) * 3, 3);
  const week = Number(/^(?:week |w|kw ?)(\d{1,2})$/.exec(words)?.[1]);
  if (week >= 1 && week <= WEEKS_PER_YEAR) return (year) => days(mondayOf(Date.UTC(year, 0, 4) / DAY) + 7 * (week - 1), 7);
  const [, before, name, after] =
    /^(?:(\d{1,2})(?:st|nd|rd|th|\.)? (?:of )?)?(\p{L}{3,})\.?(?: (\d{1,2})(?:st|nd|rd|th)?)?$/u.exec(words) ?? [];
  const month = indexIn(MONTHS, name);
  if (month === -1 || (before !== undefined && after !== undefined)) return undefined;
  const day = before ?? after;
  return (year) => (day === undefined ? months(year, month, 1) : dateIn(year, month, Number(day)));
}

function recurringIn(words: string, today: Day): Recurring | undefined {
  const monday = mondayOf(today);
  const weekday = indexIn(WEEKDAYS, words);
  if (weekday !== -1) return (offset) => days(monday + weekday + 7 * offset, 1);
  if (words === "weekend") return (offset) => days(monday + 5 + 7 * offset, 2);
  const part = partOfYear(words);
  return part && ((offset) => part(yearOf(today) + offset));
}

/** Returns the week, month and the like that lies some of them ahead. */
function unitOf(unit: string, today: Day, offset: number): Days | undefined {
  const [year, month] = [yearOf(today), new Date(today * DAY).getUTCMonth()];
  if (unit === "week") return days(mondayOf(today) + 7 * offset, 7);
  if (unit === "weekend") return days(mondayOf(today) + 5 + 7 * offset, 2);
  if (unit === "month") return months(year, month + offset, 1);
  if (unit === "quarter") return months(year, (Math.floor(month / 3) + offset) * 3, 3);
  return unit === "year" ? months(year + offset, 0, MONTHS_PER_YEAR) : undefined;
}

const RELATIVE: Readonly<Record<string, number>> = {
  "day before yesterday": -2,
  yesterday: -1,
  today: 0,
  tomorrow: 1,
  "day after tomorrow": 2,
};

const OFFSETS: Readonly<Record<string, number>> = { last: -1, previous: -1, past: -1, this: 0, current: 0, next: 1, coming: 1 };

/** Returns the days of a date written in digits, or of a month or year. */
function daysInDigits(words: string): Days | undefined {
  const [, year, month, day] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(words) ?? [];
  const [, dottedDay, dottedMonth, dottedYear] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(words) ?? [];
  if (dottedYear !== undefined) return dateIn(Number(dottedYear), Number(dottedMonth) - 1, Number(dottedDay));
  if (year === undefined || Number(year) < 1000) return undefined;
  if (day !== undefined) return dateIn(Number(year), Number(month) - 1, Number(day));
  if (month === undefined) return months(Number(year), 0, MONTHS_PER_YEAR);
  return Number(month) >= 1 && Number(month) <= MONTHS_PER_YEAR ? months(Number(year), Number(month) - 1, 1) : undefined;
}

/**
 * Returns the days that a date or words in lower case refer to. A name that comes again, such as a weekday or a month, means its most recent occurrence, today
 * included or, if `isAhead`, the next.
 */
export function daysNamed(text: string, today: Day, isAhead = false): Days | undefined {
  const words = text.replace(/^(?:(?:on|in|during|for|the) )+/, "").replace(/,/g, "");
  const inDigits = daysInDigits(words);
  if (inDigits) return inDigits;
  if (Object.hasOwn(RELATIVE, words)) return days(today + (RELATIVE[words] as number), 1);
  const [, unit = "", named] = /^(weekend|week) of (.+)$/.exec(words) ?? [];
  if (named !== undefined) {
    const around = daysNamed(named, today, isAhead);
    return around && around.end - around.first === 1 ? unitOf(unit, around.first, 0) : undefined;
  }
  // Of a year: "Q4 last year", "10 October 2025", "2025 Q3".
  const [, part, which, digits] = /^(.+?) (?:of )?(?:(last|this|next) year|(\d{4}))$/.exec(words) ?? [];
  const [, digitsFirst, partAfter] = /^(\d{4})[ -](q[1-4]|w\d{2})$/.exec(words) ?? [];
  const year = digits ?? digitsFirst ?? (which === undefined ? undefined : yearOf(today) + (OFFSETS[which] as number));
  if (year !== undefined) return partOfYear(part ?? partAfter ?? "")?.(Number(year));

  const [, order, rest = words] = /^(last|previous|past|this|current|next|coming) (.+)$/.exec(words) ?? [];
  const offset = order === undefined ? undefined : (OFFSETS[order] as number);
  const exact = offset === undefined ? undefined : unitOf(rest, today, offset);
  if (exact) return exact;
  const recurring = recurringIn(rest, today);
  const current = recurring?.(0);
  if (!recurring || !current) return undefined;
  // "Last Friday" said on a Friday means a week ago.
  if (offset === -1) return current.end <= today ? current : recurring(-1);
  if (offset === 0) return current;
  if (offset === 1) return current.first > today ? current : recurring(1);
  if (!isAhead) return current.first <= today ? current : recurring(-1);
  const at = current.end > today ? 0 : 1;
  const next = recurring(at);
  return next && { ...next, before: recurring(at - 1)?.first };
}
