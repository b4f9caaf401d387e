import { LIMITS } from "./limits.ts";
import { exactly, NOTHING, type Period, type Range, type Span } from "./timeline.ts";

/** An uninterrupted period of rest and unknown time. */
export interface RestPeriod extends Period {
  /** What is certainly rest, in order. */
  rests: readonly Period[];
  /** Whether all of it is rest. */
  isCertain: boolean;
}

/** Of a rest, the longest that is possible. */
export const durationOf = ({ start, end }: Period): number => end - start;

/** Returns the last rest that certainly has at least this length. */
export const lastRest = ({ rests }: RestPeriod, least: number): Period | undefined => rests.findLast((rest) => durationOf(rest) >= least);

/** Returns the periods of rest and unknown time in order, skipping all others. */
export function restPeriods(spans: readonly Span[]): RestPeriod[] {
  const periods: (RestPeriod & { rests: Period[] })[] = [];
  for (const { kind, start, end, run } of spans) {
    if (kind !== "rest" && kind !== "unknown") continue;
    if (run.start === start) periods.push({ ...run, rests: [], isCertain: true });
    const period = periods[periods.length - 1] as (typeof periods)[number];
    period.end = run.end;
    if (kind === "rest") period.rests.push({ start, end });
    else period.isCertain = false;
  }
  return periods;
}

/** The rest taken so far, and since when the driver has been on duty. */
interface Rests {
  /** When the last daily or weekly rest ended; the time of the question if one is in progress. */
  shiftStart: Range;
  /** Whether the first part of a daily rest in two parts has been taken in this shift: 0 no, 1 yes. */
  restPartTaken: Range;
  /** Reduced daily rests since the last weekly rest. */
  reducedDailyRests: Range;
  /** When the last weekly rest ended; the time of the question if one is in progress. */
  weeklyRestEnd: Range;
  /** How long the next weekly rest must be. */
  weeklyRestNeeded: Range;
}

const { dailyRest, reducedDailyRest, firstRestPart, shift, weeklyRest, reducedWeeklyRest } = LIMITS;

const UNKNOWN: Range = { atLeast: Number.NEGATIVE_INFINITY, atMost: Number.NEGATIVE_INFINITY };
const START: Rests = {
  shiftStart: UNKNOWN,
  restPartTaken: NOTHING,
  reducedDailyRests: NOTHING,
  weeklyRestEnd: UNKNOWN,
  weeklyRestNeeded: { atLeast: reducedWeeklyRest, atMost: weeklyRest },
};

/**
 * Whether a daily rest is a reduced one: less than 11 hours of it are in the 24 hours after the last rest (Article 8(2)), and it is not the
 * second part of a daily rest in two parts. 0 no, 1 yes.
 */
function isReduced(rest: RestPeriod, { shiftStart, restPartTaken }: Rests): Range {
  const within = (start: number) => Math.min(rest.end, start + shift) - rest.start;
  const isWhole = (portion: number, hasPart: number) => portion >= dailyRest || (portion >= reducedDailyRest && hasPart === 1);
  return {
    atLeast: isWhole(within(shiftStart.atMost), restPartTaken.atMost) ? 0 : 1,
    atMost: isWhole(within(shiftStart.atLeast), restPartTaken.atLeast) ? 0 : 1,
  };
}

function reducedRestsAfter(rest: RestPeriod, before: Rests, isOver: boolean): Range {
  const { atLeast, atMost } = before.reducedDailyRests;
  const possible = durationOf(rest);
  if (rest.isCertain) {
    if (possible >= reducedWeeklyRest) return NOTHING;
    const reduced = isOver ? isReduced(rest, before) : NOTHING;
    return { atLeast: atLeast + reduced.atLeast, atMost: atMost + reduced.atMost };
  }
  const weekly = lastRest(rest, reducedWeeklyRest);
  if (weekly) return { atLeast: 0, atMost: Math.floor((rest.end - weekly.end) / reducedDailyRest) };
  const hidden = Math.floor(possible / reducedDailyRest);
  return { atLeast: possible >= reducedWeeklyRest ? 0 : atLeast, atMost: atMost + hidden };
}

function weeklyRestAfter(rest: RestPeriod, before: Rests): Pick<Rests, "weeklyRestEnd" | "weeklyRestNeeded"> {
  const last = lastRest(rest, reducedWeeklyRest);
  const weeklyRestEnd = { atLeast: last?.end ?? before.weeklyRestEnd.atLeast, atMost: rest.end };
  // A gap may hide a weekly rest after this one, or may have been part of it.
  const isLast = last !== undefined && rest.end - last.end < reducedWeeklyRest;
  if (isLast && last.end - last.start >= weeklyRest) return { weeklyRestEnd, weeklyRestNeeded: exactly(reducedWeeklyRest) };
  if (isLast && durationOf(rest) < weeklyRest) return { weeklyRestEnd, weeklyRestNeeded: exactly(weeklyRest) };
  return { weeklyRestEnd, weeklyRestNeeded: START.weeklyRestNeeded };
}

/** Goes through the periods of rest, and takes into account what gaps may hide. */
export function restsUntil(periods: readonly RestPeriod[], at: number): Rests {
  let rests = START;
  for (const rest of periods) {
    const possible = durationOf(rest);
    const daily = lastRest(rest, reducedDailyRest);
    const after: Rests = { ...rests };
    if (possible >= firstRestPart && possible < reducedDailyRest) {
      after.restPartTaken = { atLeast: lastRest(rest, firstRestPart) ? 1 : rests.restPartTaken.atLeast, atMost: 1 };
    }
    if (possible >= reducedDailyRest) {
      after.reducedDailyRests = reducedRestsAfter(rest, rests, rest.end < at);
      after.shiftStart = { atLeast: daily?.end ?? rests.shiftStart.atLeast, atMost: rest.end };
      after.restPartTaken = { atLeast: 0, atMost: !daily || rest.end - daily.end >= firstRestPart ? 1 : 0 };
    }
    if (possible >= reducedWeeklyRest) Object.assign(after, weeklyRestAfter(rest, rests));
    rests = after;
  }
  return rests;
}

/**
 * When the next daily rest must begin: until when one of 11 hours can (`regularBy`), or the 9 hours after a first part of 3 hours, and until when any that is
 * still available can (`by`), which is one of 9 hours if fewer than three were taken.
 */
export function dailyRestDue({ shiftStart, restPartTaken, reducedDailyRests }: Rests): { regularBy: Range; by: Range } {
  const startOf = (start: number, isShort: boolean) => start + shift - (isShort ? reducedDailyRest : dailyRest);
  const mayReduce = (taken: number) => taken < LIMITS.reducedDailyRests;
  const [strict, lenient] = [restPartTaken.atLeast === 1, restPartTaken.atMost === 1];
  return {
    regularBy: { atLeast: startOf(shiftStart.atLeast, strict), atMost: startOf(shiftStart.atMost, lenient) },
    by: {
      atLeast: startOf(shiftStart.atLeast, strict || mayReduce(reducedDailyRests.atMost)),
      atMost: startOf(shiftStart.atMost, lenient || mayReduce(reducedDailyRests.atLeast)),
    },
  };
}
