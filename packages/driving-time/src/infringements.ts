import { breakFindings } from "./broken-breaks.ts";
import { dailyRestFindings, drivingDayFindings, shiftsOf } from "./broken-shifts.ts";
import { weeklyRestFindings } from "./broken-weekly-rests.ts";
import { drivingWeekFindings } from "./broken-weeks.ts";
import { workingTimeFindings } from "./broken-working-time.ts";
import type { Infringement } from "./infringement.ts";
import { doubtsIn } from "./infringement-doubts.ts";
import { DAY, MINUTE, WEEK, WEEKS_NEEDED } from "./limits.ts";
import { onlyPossible, overlaps, paired } from "./paired-findings.ts";
import { recordSteps } from "./record.ts";
import { type Activity, nearestMinute, type Period, withEnds } from "./timeline.ts";

/**
 * Returns the infringements in a period that a driver's activities show, by the time when the rule was broken. Activities may come in any order. They
 * should reach back as many weeks before the period as {@link WEEKS_NEEDED} says, and as far behind it as they can: those after `now` are ignored, and one
 * without an end lasts until the next begins, or until now.
 */
export function infringements(activities: readonly Activity[], period: Period, now: number = period.end): Infringement[] {
  const steps = infringementSteps(activities, period, now);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Computes the same step by step, so that other work can run between the steps. Times are judged in the whole minutes that a tachograph records; what depends
 * on less than a minute of more exact times is only possible.
 */
export function* infringementSteps(activities: readonly Activity[], period: Period, now: number): Generator<void, Infringement[], void> {
  const known = activities.filter(({ start, end = start }) => Number.isFinite(start) && Number.isFinite(end));
  const isExact = known.every(({ start, end = start }) => start % MINUTE === 0 && end % MINUTE === 0);
  const rows = yield* foundIn(known, period, nearestMinute(now), !isExact);
  if (isExact || !rows.some(({ certainty }) => certainty === "certain")) return rows;
  const exact = yield* foundIn(known, { start: period.start - DAY, end: period.end + DAY }, now, false);
  const isProven = (row: Infringement) =>
    exact.some((one) => one.rule === row.rule && one.certainty === "certain" && one.over.atLeast >= MINUTE && overlaps(one, row));
  return rows.map((row) => (row.certainty === "possible" || isProven(row) ? row : onlyPossible(row, "seconds")));
}

function* foundIn(known: readonly Activity[], period: Period, now: number, isRounded: boolean): Generator<void, Infringement[], void> {
  const ended = withEnds(known, now);
  const { strict, lenient, contradictions } = yield* recordSteps(ended, period.start - WEEKS_NEEDED.averageWork * WEEK, now, isRounded);
  const strictShifts = shiftsOf(strict);
  yield;
  const lenientShifts = shiftsOf(lenient);
  const rows: Infringement[] = [];
  const searches = [
    () => paired("drivingWithoutBreak", breakFindings(strict), breakFindings(lenient)),
    () => paired("dailyDriving", drivingDayFindings(strict, strictShifts), drivingDayFindings(lenient, lenientShifts)),
    () => drivingWeekFindings(strict, lenient),
    () => paired("dailyRest", dailyRestFindings(strictShifts), dailyRestFindings(lenientShifts)),
    () => weeklyRestFindings(strict, lenient),
    () => workingTimeFindings(strict, lenient, strictShifts, lenientShifts),
  ];
  for (const search of searches) {
    yield;
    for (const row of search()) if (row.at >= period.start && row.at < period.end) rows.push(row);
  }
  yield;
  const doubts = doubtsIn(ended, strict, contradictions, now);
  return rows
    .sort((a, b) => a.at - b.at || a.start - b.start)
    .map((row) => ({ ...row, doubts: [...new Set([...row.doubts, ...doubts(row)])] }));
}
