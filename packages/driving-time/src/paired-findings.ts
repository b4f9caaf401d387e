import { articleOf } from "./articles.ts";
import type { Infringement, InfringementDoubt, Rule } from "./infringement.ts";
import type { Range } from "./range.ts";
import { severityOf } from "./severities.ts";
import type { Period } from "./timeline.ts";

/** What one reading of the record shows of a period under a rule. */
export interface Finding extends Period {
  at: number;
  limit: number;
  actual: number;
  isBroken: boolean;
  /** Whether other readings may clear the driver although this lenient one does not. */
  isDoubtful?: boolean;
}

/** Rules that demand at least their limit. */
const MINIMUM: ReadonlySet<Rule> = new Set(["dailyRest", "weeklyRest", "weeklyRestCompensation", "workBreaks"]);

/** Makes a row of the figures that two readings have. */
export function rowOf(
  rule: Rule,
  { start, end, at, limit }: Period & Pick<Finding, "at" | "limit">,
  figures: readonly number[],
  certainty: Infringement["certainty"],
  doubts: readonly InfringementDoubt[] = [],
): Infringement {
  const actual: Range = { atLeast: Math.min(...figures), atMost: Math.max(...figures) };
  const excess = (figure: number) => Math.max(0, MINIMUM.has(rule) ? limit - figure : figure - limit);
  const overs = [excess(actual.atLeast), excess(actual.atMost)];
  const over: Range = { atLeast: Math.min(...overs), atMost: Math.max(...overs) };
  const severity = severityOf(rule, limit, certainty === "certain" ? over.atLeast : over.atMost);
  return { rule, article: articleOf(rule, limit), start, end, at, limit, actual, over, certainty, doubts: [...doubts], severity };
}

/** Makes a certain row only possible. */
export const onlyPossible = (row: Infringement, doubt: InfringementDoubt): Infringement => ({
  ...row,
  certainty: "possible",
  doubts: [...row.doubts, doubt],
  severity: severityOf(row.rule, row.limit, row.over.atMost),
});

export const overlaps = (a: Period, b: Period) => a.start < b.end && b.start < a.end;

/** Combines what both readings show under a rule: certain is what both do. Both lists are in order. */
export function paired(rule: Rule, strict: readonly Finding[], lenient: readonly Finding[]): Infringement[] {
  const rows: Infringement[] = [];
  const used = new Set<Finding>();
  let first = 0;
  for (const found of strict) {
    while (first < lenient.length && (lenient[first] as Finding).end <= found.start) first++;
    if (!found.isBroken) continue;
    const others: Finding[] = [];
    for (let index = first; index < lenient.length && (lenient[index] as Finding).start < found.end; index++) {
      const other = lenient[index] as Finding;
      if (overlaps(other, found)) others.push(other);
    }
    const broken = others.filter((other) => other.isBroken && !used.has(other));
    if (broken.length === 0) rows.push(rowOf(rule, found, [found.actual, ...mildest(rule, others)], "possible"));
    broken.forEach((other, index) => {
      used.add(other);
      const start = index === 0 ? Math.min(found.start, other.start) : other.start;
      const end = broken[index + 1]?.start ?? Math.max(found.end, other.end);
      const at = broken.length === 1 ? found.at : other.at;
      rows.push(rowOf(rule, { ...other, start, end, at }, [found.actual, other.actual], other.isDoubtful ? "possible" : "certain"));
    });
  }
  const alone = lenient.filter((found) => found.isBroken && !used.has(found));
  return [...rows, ...alone.map((found) => rowOf(rule, found, [found.actual], "possible"))];
}

/** The figure of the lenient reading for a period that only the strict one finds broken. */
function mildest(rule: Rule, others: readonly Finding[]): number[] {
  const figures = others.map(({ actual }) => actual);
  return MINIMUM.has(rule) ? figures.slice(0, 1) : [figures.reduce((most, one) => Math.max(most, one), 0)];
}
