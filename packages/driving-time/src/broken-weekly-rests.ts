import type { Infringement } from "./infringement.ts";
import { LIMITS, WEEK, weekStart } from "./limits.ts";
import { type Finding, paired, rowOf } from "./paired-findings.ts";
import type { Record, Rest } from "./record.ts";

const { weeklyRest, reducedWeeklyRest, reducedDailyRest, betweenWeeklyRests } = LIMITS;

const longRestsOf = ({ rests }: Record): Rest[] => rests.filter(({ length }) => length >= reducedWeeklyRest);

/** The week that a rest at the end of a week belongs to. */
const weekOf = ({ end }: Rest) => weekStart(end - 1);

/** Rests that are needed, or not, whatever happened in gaps: those between a regular rest and the next gap that may be a weekly rest. */
function settledOf(long: readonly Rest[]): Set<Rest> {
  let isSettled = false;
  return new Set(
    long.filter((rest, index) => {
      isSettled = !rest.isDoubtful && (isSettled || rest.length >= weeklyRest);
      return isSettled && !long[index + 1]?.isDoubtful;
    }),
  );
}

/** Leaves out reduced rests that are not needed: a regular one is in the same week, or follows in time. */
function weeklyRestsOf(long: readonly Rest[]): Rest[] {
  const weekly: Rest[] = [];
  for (const [index, rest] of long.entries()) {
    const [before, next] = [weekly.at(-1), long[index + 1]];
    const isInTime = before && next && next.length >= weeklyRest && next.start <= before.end + betweenWeeklyRests;
    const isExtra = before && before.length >= weeklyRest && weekStart(before.start) === weekOf(rest);
    if (rest.length >= weeklyRest || !(isInTime || isExtra)) weekly.push(rest);
  }
  return weekly;
}

/** The time from one weekly rest to the next (Article 8(6), third subparagraph). */
const dueFindings = (long: readonly Rest[]): Finding[] =>
  long.slice(1).map((rest, index): Finding => {
    const before = long[index] as Rest;
    const [start, end, limit] = [before.end, rest.start, betweenWeeklyRests];
    return { start, end, at: start + limit, limit, actual: end - start, isBroken: end - start > limit };
  });

/** Weekly rests of less than 45 hours that follow another (Article 8(6), first subparagraph). */
function reducedFindings(weekly: readonly Rest[], settled: ReadonlySet<Rest>): Finding[] {
  return weekly.slice(1).map((rest, index): Finding => {
    const before = weekly[index] as Rest;
    const isBroken = before.length < weeklyRest && rest.length < weeklyRest;
    // The second in a row may be allowed abroad, the third is not.
    const isThird = (weekly[index - 1]?.length ?? weeklyRest) < weeklyRest;
    const isDoubtful = !isThird || !settled.has(rest);
    return { start: before.end, end: rest.end, at: rest.end, limit: weeklyRest, actual: rest.length, isBroken, isDoubtful };
  });
}

/** Reduced weekly rests without an equivalent rest by the end of the third week after them (Article 8(6b) and 8(7)). */
function compensationFindings({ rests }: Record, weekly: readonly Rest[], settled: ReadonlySet<Rest>, isGenerous: boolean): Finding[] {
  const owing = new Set(weekly.filter(({ length }) => length < weeklyRest));
  const used = new Set<Rest>();
  return rests.flatMap((rest, index): Finding[] => {
    if (!owing.has(rest)) return [];
    const due = weekOf(rest) + 4 * WEEK;
    const owed = weeklyRest - rest.length;
    const spare = (one: Rest) => {
      if (isGenerous || one.length < reducedWeeklyRest) return one.length - reducedDailyRest;
      return one.length - weeklyRest;
    };
    let longest = 0;
    for (let next = index + 1; next < rests.length && (rests[next] as Rest).start < due; next++) {
      const one = rests[next] as Rest;
      const counted = used.has(one) ? 0 : Math.min(spare(one), due - one.start - reducedDailyRest);
      if (counted < owed) longest = Math.max(longest, counted);
      else {
        if (!isGenerous) used.add(one);
        return [];
      }
    }
    return [{ start: rest.start, end: due, at: due, limit: owed, actual: longest, isBroken: true, isDoubtful: !settled.has(rest) }];
  });
}

/** Weekly rests, as both readings of a record have them. */
export function weeklyRestFindings(strict: Record, lenient: Record): Infringement[] {
  const [most, least] = [longRestsOf(strict), longRestsOf(lenient)];
  const [needed, leastNeeded] = [weeklyRestsOf(most), weeklyRestsOf(least)];
  const [settled, leastSettled] = [settledOf(most), settledOf(least)];
  const reduced = paired("weeklyRest", reducedFindings(needed, settled), reducedFindings(leastNeeded, leastSettled));
  const owing = new Map(compensationFindings(lenient, leastNeeded, leastSettled, true).map((found) => [found.end, found]));
  return [
    ...paired("weeklyRestDue", dueFindings(most), dueFindings(least)),
    ...reduced.map((row) => (row.certainty === "possible" ? { ...row, doubts: [...row.doubts, "abroad" as const] } : row)),
    ...compensationFindings(strict, needed, settled, false).map((found) => {
      const other = owing.get(found.end);
      if (other && !other.isDoubtful) return rowOf("weeklyRestCompensation", found, [found.actual, other.actual], "certain");
      return rowOf("weeklyRestCompensation", found, [found.actual], "possible", ["compensation"]);
    }),
  ];
}
