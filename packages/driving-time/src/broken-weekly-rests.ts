import { type Broken, DEMANDS, Fortnights } from "./fortnights.ts";
import { type Finding, type Infringement, type InfringementDoubt, overlaps, paired, rowOf } from "./infringement.ts";
import { LIMITS, WEEK, weekStart } from "./limits.ts";
import type { Record, Rest } from "./record.ts";
import type { Period } from "./timeline.ts";

const { weeklyRest, reducedWeeklyRest, reducedDailyRest, betweenWeeklyRests } = LIMITS;

/**
 * The rests that may count in weeks. Strictly, the first has lasted since the first activity or for 45 hours, whichever is longer; leniently, since ever.
 */
function countedRests({ reading, weeklyRests, since }: Record): Rest[] {
  const [first, ...others] = weeklyRests as [Rest, ...Rest[]];
  if (reading === "lenient") return [first, ...others];
  const start = Math.min(since, first.end - weeklyRest);
  return [{ ...first, start, length: first.end - start }, ...others];
}

const isInterrupted = ({ start, end, length }: Rest) => end - start > length;

/** The time from one weekly rest to the next (Article 8(6), second subparagraph). */
const dueFindings = ({ weeklyRests }: Record): Finding[] =>
  weeklyRests.slice(1).map((rest, index): Finding => {
    const before = weeklyRests[index] as Rest;
    const [start, end, limit] = [before.end, rest.start, betweenWeeklyRests];
    return { start, end, at: start + limit, limit, actual: end - start, isBroken: end - start > limit };
  });

/** The longest rest in a period that is too short. */
const longestBelow = (limit: number, { rests, weeklyRests }: Record, period: Period) =>
  Math.max(0, ...[...rests, ...weeklyRests].filter((rest) => rest.length < limit && overlaps(rest, period)).map(({ length }) => length));

/**
 * Weeks with too few weekly rests, or without a regular one (Article 8(6), first and third subparagraphs). Certain is what even drivers abroad may not
 * do, however rests are counted, unless a longer rest is in doubt.
 */
function fortnightRows(strict: Record, lenient: Record): Infringement[] {
  const [most, least] = [new Fortnights(countedRests(strict)), new Fortnights(countedRests(lenient))];
  const breaks = most.broken(DEMANDS.regular);
  if (breaks.length === 0) return [];
  // A week of the strict reading is broken in each of the lenient one, which has more rests.
  const matched = (found: readonly Broken[]) =>
    new Map(found.map((one) => [breaks.findLast(({ last }) => last >= one.first && last <= one.last), one] as const));
  const [home, abroad] = [matched(least.broken(DEMANDS.regular)), matched(least.broken(DEMANDS.regularInThree))];
  return breaks.map((found) => {
    const surely = abroad.get(found);
    const mayBe = (found: Broken) =>
      lenient.weeklyRests.filter((rest) => rest.isDoubtful && rest.length >= weeklyRest && overlaps(rest, found));
    const isCertain = surely !== undefined && mayBe(surely).length === 0 && least.surelyBreaks(surely, DEMANDS.regularInThree);
    const [weeks, fortnights] = isCertain ? [surely, least] : [found, most];
    const limit = fortnights.isBroken(weeks, DEMANDS.two) ? reducedWeeklyRest : weeklyRest;
    const ended = strict.weeklyRests.findLast((rest) => overlaps(rest, { start: found.last, end: found.last + WEEK }))?.end ?? weeks.end;
    const actual = (isCertain ? [strict, lenient] : [strict]).map((record) => longestBelow(limit, record, weeks));
    const doubts: InfringementDoubt[] = [];
    if (!isCertain && mayBe(found).some(isInterrupted)) doubts.push("ferry");
    else if (!isCertain && !most.isBroken(found, DEMANDS.regularInThree)) doubts.push("abroad");
    // What was before the first activity may have been in order.
    if (!isCertain && !home.has(found) && mayBe(found).length === 0) doubts.push("gap");
    return rowOf("weeklyRest", { ...weeks, at: Math.min(ended, weeks.end), limit }, actual, isCertain ? "certain" : "possible", doubts);
  });
}

/** Reduced weekly rests without which more weeks would be broken. Of several, the longest are needed. */
function neededReduced(record: Record): Rest[] {
  let counted = countedRests(record);
  const reduced = counted.filter(({ length }) => length < weeklyRest).sort((a, b) => a.length - b.length || a.start - b.start);
  if (reduced.length === 0) return [];
  const { brokenWeeks } = new Fortnights(counted);
  for (const rest of reduced) {
    const others = counted.filter((one) => one !== rest);
    if (new Fortnights(others).brokenWeeks === brokenWeeks) counted = others;
  }
  return counted.filter(({ length }) => length < weeklyRest);
}

/** Reduced weekly rests without an equivalent rest by the end of the third week after them (Article 8(6b) and 8(7)). */
function compensationFindings(record: Record, isGenerous: boolean): Finding[] {
  const needed = neededReduced(record);
  const used = new Set<number>();
  const others = isGenerous ? record.rests : record.rests.filter((one) => !needed.some((rest) => overlaps(rest, one)));
  const spare = ({ length }: Rest) => length - (isGenerous || length < weeklyRest ? reducedDailyRest : weeklyRest);
  return needed.flatMap((rest): Finding[] => {
    const due = weekStart(rest.end - 1) + 4 * WEEK;
    const owed = weeklyRest - rest.length;
    let longest = 0;
    for (const one of others) {
      if (one.start < rest.end || one.start >= due) continue;
      const counted = used.has(one.start) ? 0 : Math.min(spare(one), due - one.start - reducedDailyRest);
      if (counted < owed) longest = Math.max(longest, counted);
      else {
        if (!isGenerous) used.add(one.start);
        return [];
      }
    }
    return [{ start: rest.start, end: due, at: due, limit: owed, actual: longest, isBroken: true }];
  });
}

/**
 * Returns what says whether a reduced rest is needed whatever was before the weeks that may decide about it: up to four before it, as far as nothing from
 * then until compensation is due may have been another rest.
 */
function surelyNeededIn(record: Record): (owing: Period) => boolean {
  const rests = countedRests(record);
  const fortnights = new Fortnights(rests);
  return (owing) => {
    const { start, end } = owing;
    const doubtful = record.weeklyRests.filter((rest) => rest.isDoubtful && rest.start < end);
    const since = Math.max(weekStart(start) - 4 * WEEK, ...doubtful.map((rest) => weekStart(rest.end - 1) + WEEK));
    if (since > start) return false;
    const others = new Fortnights(rests.filter((rest) => rest.start !== start));
    return fortnights.surelyNeeds({ start: since, end }, others, owing);
  };
}

/** Weekly rests, as both readings of a record have them. */
export function weeklyRestFindings(strict: Record, lenient: Record): Infringement[] {
  if (strict.weeklyRests.length < 2) return [];
  const due = paired("weeklyRestDue", dueFindings(strict), dueFindings(lenient));
  // A rest that is overdue is not missing too.
  const isOverdue = (row: Infringement) =>
    row.limit === reducedWeeklyRest &&
    due.some((one) => overlaps(one, row) && (one.certainty === "certain" || row.certainty === "possible"));
  const owing = new Map(compensationFindings(lenient, true).map((found) => [found.start, found]));
  const isSurelyNeeded = surelyNeededIn(lenient);
  const compensation = compensationFindings(strict, false).map((found) => {
    const other = owing.get(found.start);
    if (other?.limit === found.limit && isSurelyNeeded(other))
      // Some of what was taken may have been owed for others.
      return rowOf("weeklyRestCompensation", found, [0, other.actual], "certain");
    return rowOf("weeklyRestCompensation", found, [found.actual], "possible", ["compensation"]);
  });
  const mayBeOnFerry = (row: Infringement) =>
    row.certainty === "possible" && lenient.weeklyRests.some((rest) => rest.isDoubtful && isInterrupted(rest) && overlaps(rest, row));
  return [
    ...[...due, ...compensation].map((row) => (mayBeOnFerry(row) ? { ...row, doubts: [...row.doubts, "ferry" as const] } : row)),
    ...fortnightRows(strict, lenient).filter((row) => !isOverdue(row)),
  ];
}
