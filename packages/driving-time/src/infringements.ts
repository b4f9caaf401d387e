import { breakFindings, drivingWeekFindings } from "./broken-driving.ts";
import { dailyRestFindings, drivingDayFindings, shiftsOf } from "./broken-shifts.ts";
import { weeklyRestFindings } from "./broken-weekly-rests.ts";
import { workingTimeFindings } from "./broken-working-time.ts";
import { type Infringement, type InfringementDoubt, onlyPossible, overlaps, paired } from "./infringement.ts";
import { DAY, MINUTE, WEEK, WEEKS_NEEDED } from "./limits.ts";
import { type Record, recordSteps, touches } from "./record.ts";
import { type Activity, nearestMinute, type Period, timelineOf, withEnds } from "./timeline.ts";

/** Returns what finds the doubts that concern an infringement: those within its period. */
function doubtsIn(
  activities: readonly Activity[],
  { gaps, maybeInTeam, stretches }: Record,
  contradictions: readonly Period[],
  now: number,
): (row: Infringement) => InfringementDoubt[] {
  const entered = timelineOf(
    activities.filter(({ manual }) => manual),
    now,
  );
  const periods: [InfringementDoubt, readonly Period[]][] = [
    ["gap", gaps],
    ["contradiction", contradictions],
    ["manual", entered.spans.filter(({ kind }) => kind !== "unknown")],
  ];
  const available = stretches.filter(({ kind }) => kind === "availability");
  return ({ rule, start, end, certainty }) => {
    const found = periods.filter(([, where]) => touches(where, start, end)).map(([doubt]) => doubt);
    const isRest = certainty === "possible" && (rule === "dailyRest" || rule === "dailyDriving");
    if (isRest && touches(maybeInTeam, start, end)) found.push("team");
    if (isRest && found.length === 0) found.push("ferry");
    const isBreak = certainty === "possible" && rule === "workBreaks" && touches(maybeInTeam, start, end);
    if (isBreak && touches(available, start, end)) found.push("availability");
    return found;
  };
}

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

/**
 * What tachograph activities do not show, one sentence each. Show them with every figure: none says that a journey is legal.
 */
export const NOT_CONSIDERED: readonly string[] = [
  "Activities not yet downloaded, and manual entries still to come, are missing.",
  "Interrupted rest on ferries and trains (Article 9), the longer days of two drivers in a vehicle (Article 8(5)), departures from the limits to reach a stopping place (Article 12), and national exceptions are not considered.",
  "A reduced weekly rest is assumed to follow a regular one; compensation for it, and the exceptions for journeys abroad and for coaches, are not considered.",
  "Other rules, such as those on working time, are not considered.",
];

/** The same for infringements. Show these sentences with every list of them: none of it is proof. */
export const INFRINGEMENTS_NOT_CONSIDERED: readonly string[] = [
  "Activities not yet downloaded are missing, and gaps of 24 hours or more, such as before the first activity, are not searched.",
  "Whether a team, a ferry or a train allowed a rest is only known where activities say so.",
  "Departures from the limits to reach a stopping place or home (Article 12), the exceptions for coaches, and national exceptions are not considered.",
  "Journeys abroad, which allow two reduced weekly rests in a row, are not known; reduced daily rests of a team are not counted.",
  "Nights are from 00:00 to 04:00 UTC and the reference period of working time is any 17 weeks, although member states may define both otherwise.",
];
