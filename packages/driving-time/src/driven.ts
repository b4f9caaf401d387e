import { LIMITS, weekStart } from "./limits.ts";
import { exactly, including, NOTHING, type Period, plus, type Range, type Span } from "./timeline.ts";

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

/** Driving since the last break, by whether the first part of the next has been taken. Both are set if gaps leave this open. */
interface State {
  whole?: Range;
  half?: Range;
}

const { fullBreak, firstBreakPart, secondBreakPart } = LIMITS;

function include(state: State, part: keyof State, driven: Range): void {
  state[part] = including(state[part], driven);
}

/** A rest of a known length that may have been longer, up to the uninterrupted period around it. */
function afterRest({ whole, half }: State, known: number, longest: number): State {
  const next: State = {};
  if (whole) {
    // A part counts only if it is taken between periods of driving.
    const mayBeFirst = longest >= firstBreakPart && whole.atMost > 0;
    const mustBeFirst = known >= firstBreakPart && whole.atLeast > 0;
    if (longest >= fullBreak) include(next, "whole", NOTHING);
    if (known < fullBreak && mayBeFirst) include(next, "half", whole);
    if (known < fullBreak && !mustBeFirst) include(next, "whole", whole);
  }
  if (half) {
    if (longest >= secondBreakPart) include(next, "whole", NOTHING);
    if (known < secondBreakPart) include(next, "half", half);
  }
  return next;
}

/** Anything may have happened in a gap: driving, or a break together with the rest around it. */
function afterGap({ whole, half }: State, length: number, longest: number): State {
  const next: State = {};
  if (whole) include(next, "whole", plus(whole, 0, length));
  if (whole && longest >= firstBreakPart) include(next, "half", plus(whole, 0, length));
  if (half) include(next, "half", plus(half, 0, length));
  if ((whole && longest >= fullBreak) || (half && longest >= secondBreakPart)) {
    include(next, "whole", plus(NOTHING, 0, length));
    include(next, "half", plus(NOTHING, 0, length));
  }
  return next;
}

/**
 * Returns the driving since the last break of 45 minutes, or of 15 and then 30 minutes (Article 7), and how long the next must be: 45 minutes, or 30 if the
 * first part is taken. `beside` is where the driver was available beside another, in order: 45 minutes of it are a break.
 */
export function drivingSinceBreak(spans: readonly Span[], beside: readonly Period[]): { driven: Range; breakNeeded: Range } {
  let state: State = { whole: NOTHING };
  let next = 0;
  for (const { kind, start, end, run } of spans) {
    const [length, longest] = [end - start, run.end - run.start];
    if (kind === "driving") {
      state = Object.fromEntries(Object.entries(state).map(([part, driven]) => [part, plus(driven, length, length)]));
    }
    if (kind === "rest") state = afterRest(state, length, longest);
    if (kind === "unknown") state = afterGap(state, length, longest);
    if (kind !== "availability") continue;
    while ((beside[next]?.end ?? end) <= start) next++;
    for (let at = next; (beside[at]?.start ?? end) < end; at++) {
      const one = beside[at] as Period;
      if (Math.min(end, one.end) - Math.max(start, one.start) >= fullBreak) state = { whole: NOTHING };
    }
  }
  const { whole, half } = state;
  const driven = whole && half ? including(whole, half) : ((whole ?? half) as Range);
  const breakNeeded = whole && half ? { atLeast: secondBreakPart, atMost: fullBreak } : exactly(half ? secondBreakPart : fullBreak);
  return { driven, breakNeeded };
}
