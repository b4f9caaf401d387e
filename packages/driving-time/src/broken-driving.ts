import { type Finding, type Infringement, type Rule, rowOf } from "./infringement.ts";
import { LIMITS, minutesDown, minutesUp, WEEK, weekStart } from "./limits.ts";
import { lengthOf, type Record, type Stretch, touches } from "./record.ts";
import type { Period } from "./timeline.ts";

const { drivingBeforeBreak, fullBreak, firstBreakPart, secondBreakPart } = LIMITS;

/** Whether availability was beside another driver, or leniently may have been: in a gap that it goes on in may have been one. */
export function isBeside({ reading, stretches, inTeam, maybeInTeam }: Record, index: number): boolean {
  const { kind, start, end } = stretches[index] as Stretch;
  if (kind !== "availability" || touches(inTeam, start, end)) return kind === "availability";
  const isGapAround = [stretches[index - 1], stretches[index + 1]].some((one) => one?.hasGap);
  return reading === "lenient" && (isGapAround || touches(maybeInTeam, start, end));
}

/** What may be a break: a rest, or 45 minutes of availability beside another driver (Article 7, third paragraph), to which gaps may belong. */
function breakAt(record: Record, index: number): Omit<Stretch, "kind"> | undefined {
  const { stretches, inTeam } = record;
  const stretch = stretches[index] as Stretch;
  if (stretch.kind === "rest") return stretch;
  if (!isBeside(record, index)) return undefined;
  let { start, end } = stretch;
  const isLong = () => minutesUp(end - start) >= fullBreak;
  if (isLong() && touches(inTeam, start, end)) return stretch;
  const goesOn = (one: Stretch | undefined): one is Stretch => one?.hasGap === true || one?.kind === "availability";
  for (let [at, one] = [index - 1, stretches[index - 1]]; !isLong() && goesOn(one); one = stretches[--at]) start = one.start;
  for (let [at, one] = [index + 1, stretches[index + 1]]; !isLong() && goesOn(one); one = stretches[++at]) end = one.end;
  return isLong() ? { start, end, hasGap: true } : undefined;
}

/** What may have been driven since the last break: nothing, or the least without and with the first part of the next. */
interface Driven {
  isNothing: boolean;
  whole: number;
  half: number;
}

const NEVER = Number.POSITIVE_INFINITY;
const NOTHING: Driven = { isNothing: true, whole: NEVER, half: NEVER };

const leastOf = ({ isNothing, whole, half }: Driven) => (isNothing ? 0 : minutesDown(Math.min(whole, half)));

/** Any part of a rest with a gap may have been something else, even driving. */
function afterBreak({ isNothing, whole, half }: Driven, { start, end, hasGap }: Omit<Stretch, "kind">): Driven {
  const length = minutesUp(end - start);
  const isPart = length >= firstBreakPart;
  const isSecond = length >= secondBreakPart;
  const mayBeOver = isNothing || length >= fullBreak || (isSecond && half < NEVER);
  if (hasGap) {
    const least = mayBeOver ? 0 : whole;
    return { isNothing: mayBeOver, whole: least, half: Math.min(half, isPart ? least : NEVER) };
  }
  if (length >= fullBreak) return NOTHING;
  return { isNothing: mayBeOver, whole: isPart ? NEVER : whole, half: Math.min(isPart ? whole : NEVER, isSecond ? NEVER : half) };
}

/** Driving between two breaks of 45 minutes, or of 15 and then 30 minutes (Article 7): the least that is possible. */
export function breakFindings(record: Record): Finding[] {
  const found: Finding[] = [];
  let current: Finding | undefined;
  let driven = NOTHING;
  for (const [index, stretch] of record.stretches.entries()) {
    const { kind, start, end } = stretch;
    if (kind === "driving") {
      const length = end - start;
      driven = { isNothing: false, whole: (driven.isNothing ? 0 : driven.whole) + length, half: driven.half + length };
      current ??= { start, end, at: end, limit: drivingBeforeBreak, actual: 0, isBroken: false };
      current.end = end;
      current.actual = leastOf(driven);
      if (!current.isBroken && current.actual > drivingBeforeBreak) {
        current.isBroken = true;
        current.at = end - (current.actual - drivingBeforeBreak);
      }
    }
    const taken = breakAt(record, index);
    if (!taken) continue;
    driven = afterBreak(driven, taken);
    if (!current || !driven.isNothing) continue;
    found.push(current);
    current = undefined;
  }
  return found;
}

/** Parts of activities by the week in which they are. */
export type Weeks = Map<number, Period[]>;

/** Splits what a driver did at the ends of weeks. */
export function weeksOf({ stretches }: Record, kinds: readonly Stretch["kind"][]): Weeks {
  const weeks: Weeks = new Map();
  for (const { kind, start, end } of stretches) {
    if (!kinds.includes(kind)) continue;
    for (let from = start; from < end; from = weekStart(from) + WEEK) {
      const week = weekStart(from);
      const parts = weeks.get(week) ?? [];
      weeks.set(week, parts);
      parts.push({ start: from, end: Math.min(end, week + WEEK) });
    }
  }
  return weeks;
}

/** When the sum of parts passes a limit; undefined if it does not. */
export function passing(parts: readonly Period[], limit: number): number | undefined {
  let sum = 0;
  for (const { start, end } of parts) {
    if (sum + end - start > limit) return start + limit - sum;
    sum += end - start;
  }
  return undefined;
}

/** Compares the sum of each run of weeks with a limit. */
export function weekFindings(rule: Rule, strict: Weeks, lenient: Weeks, limit: number, count: number): Infringement[] {
  const starts = [...strict.keys()].sort((a, b) => a - b);
  return starts.flatMap((last) => {
    const start = last - (count - 1) * WEEK;
    const partsOf = (weeks: Weeks) => {
      let parts: Period[] = [];
      for (let week = start; week <= last; week += WEEK) parts = parts.concat(weeks.get(week) ?? []);
      return parts;
    };
    const most = partsOf(strict);
    const at = passing(most, limit);
    if (at === undefined) return [];
    const least = partsOf(lenient);
    const certainty = lengthOf(least) > limit ? "certain" : "possible";
    return [rowOf(rule, { start, end: last + WEEK, at, limit }, [lengthOf(most), lengthOf(least)], certainty)];
  });
}

/** Driving in a week and in two consecutive weeks (Article 6(2) and 6(3)). */
export function drivingWeekFindings(strict: Record, lenient: Record): Infringement[] {
  const [most, least] = [weeksOf(strict, ["driving"]), weeksOf(lenient, ["driving"])];
  return [
    ...weekFindings("weeklyDriving", most, least, LIMITS.weeklyDriving, 1),
    ...weekFindings("fortnightlyDriving", most, least, LIMITS.fortnightlyDriving, 2),
  ];
}
