import { LIMITS, weekStart } from "./limits.ts";
import { NOTHING, plus, type Range } from "./range.ts";
import type { Span } from "./timeline.ts";

const { dailyDriving, reducedDailyRest, extendedDaysPerWeek } = LIMITS;

/** The time between two daily rests that are certain. Gaps may hide further daily rests in it. */
export interface DrivingDay {
  start: number;
  end: number;
  driven: Range;
  /** Driving and unknown time together. */
  potential: number;
  hasGap: boolean;
  /** Whether a gap may hide a daily rest. */
  mayBeSeveral: boolean;
  /** When certain driving passed 9 hours. */
  extendedAt: number | undefined;
}

const dayFrom = (start: number): DrivingDay => ({
  start,
  end: start,
  driven: NOTHING,
  potential: 0,
  hasGap: false,
  mayBeSeveral: false,
  extendedAt: undefined,
});

/** Splits a timeline into days at the daily rests that are certain. The last day is the current one. */
export function drivingDays(spans: readonly Span[]): [...DrivingDay[], DrivingDay] {
  const days: DrivingDay[] = [];
  let day = dayFrom(Number.NEGATIVE_INFINITY);
  for (const { kind, start, end, run } of spans) {
    const length = end - start;
    if (kind === "rest" && length >= reducedDailyRest) {
      days.push(day);
      day = dayFrom(end);
      continue;
    }
    day.end = end;
    if (kind === "driving") {
      day.extendedAt ??= day.driven.atLeast + length > dailyDriving ? start + dailyDriving - day.driven.atLeast : undefined;
      day.driven = plus(day.driven, length, length);
      day.potential += length;
    }
    if (kind === "unknown") {
      day.driven = plus(day.driven, 0, length);
      day.potential += length;
      day.hasGap = true;
      // A run without a gap is a single rest.
      if (run.end - run.start >= reducedDailyRest) {
        day.driven = { ...day.driven, atLeast: 0 };
        day.mayBeSeveral = true;
      }
    }
  }
  return [...days, day];
}

/** How many days of more than 9 hours' driving a period, counted as one day, adds to a week. */
function extendedDaysIn(day: DrivingDay, week: number): Range {
  const isCertain = day.extendedAt !== undefined && weekStart(day.extendedAt) === week;
  if (!day.hasGap) return isCertain ? { atLeast: 1, atMost: 1 } : NOTHING;
  const most = day.potential > dailyDriving && day.end > week ? (day.mayBeSeveral ? Math.floor(day.potential / dailyDriving) : 1) : 0;
  return { atLeast: isCertain && day.start >= week ? 1 : 0, atMost: most };
}

const sumOf = (ranges: readonly Range[]) => ranges.reduce((sum, { atLeast, atMost }) => plus(sum, atLeast, atMost), NOTHING);

/** Counts the days of a week, the current one included, with more than 9 hours of driving. A day counts where it passes 9 hours. */
export const extendedDays = (days: readonly DrivingDay[], week: number): Range => sumOf(days.map((day) => extendedDaysIn(day, week)));

/** The limit for the current day: 10 hours if fewer than two other days of the week have used them, otherwise 9. */
export function extendedLimit(days: readonly [...DrivingDay[], DrivingDay], at: number): Range {
  const current = days[days.length - 1] as DrivingDay;
  const isUncertain = current.hasGap && current.start < weekStart(at);
  const others = extendedDays(days.slice(0, -1), weekStart(current.extendedAt ?? at));
  const hidden = current.mayBeSeveral ? Math.floor(current.potential / dailyDriving) : 0;
  const used = isUncertain ? { atLeast: 0, atMost: extendedDaysPerWeek } : plus(others, 0, hidden);
  const limitAfter = (count: number) => (count < extendedDaysPerWeek ? LIMITS.extendedDailyDriving : dailyDriving);
  return { atLeast: limitAfter(used.atMost), atMost: limitAfter(used.atLeast) };
}
