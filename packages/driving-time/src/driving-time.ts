import { type DrivingDay, drivingDays, drivingSinceBreak, extendedDays, extendedLimit } from "./driven.ts";
import { LIMITS, WEEK, weekStart } from "./limits.ts";
import { dailyRestDue, durationOf, lastRest, type RestPeriod, restPeriods, restsUntil } from "./shifts.ts";
import {
  type Activity,
  exactly,
  leftOf,
  NOTHING,
  type Period,
  plus,
  type Range,
  type Span,
  smallest,
  timelineOf,
  withEnds,
} from "./timeline.ts";

/** What makes figures uncertain. */
export type Doubt =
  /** Nothing is known about this period, which begins at `-Infinity` before the first activity. */
  | ({ kind: "gap" } & Period)
  /** Activities of different kinds overlap; the one that restricts the driver more was counted. */
  | ({ kind: "contradiction" } & Period)
  /** The data contains no rest of 9 hours, so the current shift has no known beginning. */
  | { kind: "noDailyRest" }
  /** The data contains no rest of 24 hours, so the next weekly rest has no known date. */
  | { kind: "noWeeklyRest" };

/** Driving in a period, and what is left of its limit, in milliseconds. */
export interface Driving {
  driven: Range;
  left: Range;
}

/** A driver's times under regulation (EC) 561/2006. Durations are in milliseconds, instants in milliseconds since 1970. */
export interface DrivingTime {
  at: number;
  /** What the driver is doing. */
  activity: Span["kind"];
  /** Since the last break of 45 minutes, or of 15 and then 30 minutes; 4.5 hours. `breakNeeded` is the length of the next. */
  sinceBreak: Driving & { breakNeeded: Range };
  /** Since the last daily or weekly rest; 9 hours. `extendedLeft` is what is left of 10 hours where the driver may use them. */
  day: Driving & { extendedLeft: Range; shiftStart: Range };
  /** Since Monday 00:00 UTC; 56 hours. `extendedDays` counts days of more than 9 hours, of which two are allowed. */
  week: Driving & { start: number; extendedDays: Range };
  /** In this week and the one before; 90 hours. */
  fortnight: Driving & { start: number };
  /** The rest or break in progress, 0 if there is none, and the last rest of at least 9 hours, undefined if there is none. */
  rest: { current: Range; last: Range | undefined };
  /** The next daily rest, as if a rest in progress ended now. `reducedTaken` counts reduced ones since the weekly rest; three are allowed. */
  dailyRest: { regularBy: Range; by: Range; reducedTaken: Range; partTaken: Range };
  /** The next weekly rest: until when it must begin, and how long it must be (24 hours unless the last was shorter than 45). */
  weeklyRest: { by: Range; needed: Range };
  /**
   * What is left under all limits together: before the next break, before a regular daily rest within 9 hours of driving and, if `extended`,
   * before the latest daily rest with the 10 hours, where the driver may use them.
   */
  left: { now: Range; today: Range; extended: Range };
  doubts: Doubt[];
}

/** Adds up driving from an instant on. Unknown time may have been driving. */
function drivenSince(spans: readonly Span[], from: number): Range {
  let sum = NOTHING;
  for (const { kind, start, end } of spans) {
    const length = Math.max(0, end - Math.max(start, from));
    if (kind === "driving") sum = plus(sum, length, length);
    if (kind === "unknown") sum = plus(sum, 0, length);
  }
  return sum;
}

const drivingOf = (driven: Range, limit: number): Driving => ({ driven, left: leftOf(exactly(limit), driven) });

const untilOf = ({ atLeast, atMost }: Range, at: number): Range => ({
  atLeast: Math.max(0, atLeast - at),
  atMost: Math.max(0, atMost - at),
});

function currentRest({ kind, start, end, run }: Span): Range {
  const longest = run.end - run.start;
  if (kind === "rest") return { atLeast: end - start, atMost: longest };
  return kind === "unknown" ? { atLeast: 0, atMost: longest } : NOTHING;
}

/** Returns the length of the last daily or weekly rest. */
function lastDailyRest(periods: readonly RestPeriod[]): Range | undefined {
  const index = periods.findLastIndex((period) => lastRest(period, LIMITS.reducedDailyRest));
  const period = periods[index];
  const rest = period && lastRest(period, LIMITS.reducedDailyRest);
  if (!rest) return undefined;
  const possible = periods.slice(index).filter((one) => durationOf(one) >= LIMITS.reducedDailyRest);
  const isLast = possible.length === 1 && period.end - rest.end < LIMITS.reducedDailyRest;
  return { atLeast: isLast ? rest.end - rest.start : LIMITS.reducedDailyRest, atMost: Math.max(...possible.map(durationOf)) };
}

/**
 * Computes a driver's times at an instant from activities in any order. They should reach back to the last weekly rest before the Monday
 * of the previous week, which {@link WEEKS_NEEDED} covers. Gaps are unknown time, not rest, so they turn figures into ranges.
 */
export function drivingTime(activities: readonly Activity[], at: number): DrivingTime {
  const { spans, contradictions } = timelineOf(activities, at);
  const last = spans.at(-1) as Span;
  const days = drivingDays(spans);
  const today = days[days.length - 1] as DrivingDay;
  const periods = restPeriods(spans);
  const rests = restsUntil(periods, at);
  const [week, fortnight] = [weekStart(at), weekStart(at) - WEEK];
  const team = withEnds(activities, at).filter((one) => one.kind === "availability" && one.team === true);
  const beside = timelineOf(team, at).spans.filter(({ kind }) => kind === "availability");
  const { driven, breakNeeded } = drivingSinceBreak(spans, beside);

  const sinceBreak = { ...drivingOf(driven, LIMITS.drivingBeforeBreak), breakNeeded };
  const inWeek = drivingOf(drivenSince(spans, week), LIMITS.weeklyDriving);
  const inFortnight = drivingOf(drivenSince(spans, fortnight), LIMITS.fortnightlyDriving);
  const day = { ...drivingOf(today.driven, LIMITS.dailyDriving), extendedLeft: leftOf(extendedLimit(days, at), today.driven) };
  const due = dailyRestDue(rests);
  const weeklyBy = plus(rests.weeklyRestEnd, LIMITS.betweenWeeklyRests, LIMITS.betweenWeeklyRests);
  const gaps = spans.filter(({ kind }) => kind === "unknown");
  const doubts = (kind: "gap" | "contradiction", periods: readonly Period[]) =>
    periods.filter(({ end }) => end > fortnight).map(({ start, end }): Doubt => ({ kind, start, end }));
  const overall = [inWeek.left, inFortnight.left, untilOf(weeklyBy, at)];
  const leftToday = smallest(day.left, untilOf(due.regularBy, at), ...overall);
  return {
    at,
    activity: last.kind,
    sinceBreak,
    day: { ...day, shiftStart: rests.shiftStart },
    week: { ...inWeek, start: week, extendedDays: extendedDays(days, week) },
    fortnight: { ...inFortnight, start: fortnight },
    rest: { current: currentRest(last), last: lastDailyRest(periods) },
    dailyRest: { ...due, reducedTaken: rests.reducedDailyRests, partTaken: rests.restPartTaken },
    weeklyRest: { by: weeklyBy, needed: rests.weeklyRestNeeded },
    left: {
      now: smallest(sinceBreak.left, leftToday),
      today: leftToday,
      extended: smallest(day.extendedLeft, untilOf(due.by, at), ...overall),
    },
    doubts: [
      ...doubts("gap", gaps),
      ...doubts("contradiction", contradictions),
      ...(days.length === 1 ? [{ kind: "noDailyRest" } as const] : []),
      ...(rests.weeklyRestEnd.atLeast === Number.NEGATIVE_INFINITY ? [{ kind: "noWeeklyRest" } as const] : []),
    ],
  };
}
