import type { Infringement, Rule } from "./infringement.ts";
import { LIMITS, WEEK, weekStart } from "./limits.ts";
import { rowOf } from "./paired-findings.ts";
import { lengthOf, type Record, type Stretch } from "./record.ts";
import type { Period } from "./timeline.ts";

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
