import { HOUR, LIMITS, WORK_LIMITS } from "./limits.ts";
import type { Period, Range } from "./timeline.ts";

/** A rule of regulation (EC) 561/2006 or directive 2002/15/EC. */
export type Rule =
  /** Driving for more than 4.5 hours without a break. */
  | "drivingWithoutBreak"
  /** Driving for more than 9 hours between two daily rests, or 10 on two days of a week. */
  | "dailyDriving"
  | "weeklyDriving"
  | "fortnightlyDriving"
  /** Too short a daily rest within 24 hours of the last rest, or within 30 for a team. */
  | "dailyRest"
  /** A weekly rest that begins more than six periods of 24 hours after the last. */
  | "weeklyRestDue"
  /** Too few weekly rests in two consecutive weeks, or none of 45 hours. */
  | "weeklyRest"
  /** A reduced weekly rest without compensation by the end of the third week after it. */
  | "weeklyRestCompensation"
  | "weeklyWork"
  /** More than 48 hours of work a week on average over 17 weeks. */
  | "averageWork"
  /** More than 10 hours of work in the 24 hours after a rest, with work at night. */
  | "nightWork"
  /** Work for more than 6 hours without a break of 15 minutes. */
  | "workWithoutBreak"
  /** Too short breaks in a shift with more than 6 or 9 hours of work. */
  | "workBreaks";

/** Why an infringement is only possible, or its size a range. */
export type InfringementDoubt =
  /** Nothing is known about some time. */
  | "gap"
  /** Activities of different kinds overlap. */
  | "contradiction"
  /** The times are exact to the second, and less than a minute decides. */
  | "seconds"
  /** The driver entered activities by hand. */
  | "manual"
  /** Another driver may have been in the vehicle all the time (Article 8(5)). */
  | "team"
  /** The rest may have been interrupted on a ferry or train (Article 9). */
  | "ferry"
  /** Two reduced weekly rests in a row are allowed to drivers of goods abroad (Article 8(6)). */
  | "abroad"
  /** A longer rest may have included the compensation. */
  | "compensation"
  /** Availability beside a driver may have been a break. */
  | "availability"
  /** Member states define the night. */
  | "night";

/**
 * The categories of regulation (EU) 2016/403 as amended by (EU) 2022/694: serious (SI), very serious (VSI) and most serious (MSI); minor (MI) are those
 * of annex III of directive 2006/22/EC.
 */
export type Severity = "MI" | "SI" | "VSI" | "MSI";

/** What activities show of a broken rule. It is no proof. Instants and durations are in milliseconds. */
export interface Infringement extends Period {
  rule: Rule;
  /** The other rule that the same hours broke: a missing break is one infringement under both sentences of Article 5(1). */
  also?: readonly Rule[];
  article: string;
  /**
   * When the rule was broken: when driving or work passed its limit; when the time for a rest, a week, or a compensation was over. `start` and `end` are
   * of the period that the rule looks at, such as a shift or a week.
   */
  at: number;
  limit: number;
  /** The driving, the work, or the time to the weekly rest; for rests and breaks, how long they were. */
  actual: Range;
  /** By how much `actual` is more than the limit, or less for rests and breaks. */
  over: Range;
  /** Whether the rule was broken whatever happened in the time that the doubts concern. */
  certainty: "certain" | "possible";
  doubts: InfringementDoubt[];
  /** By the least figure of a certain infringement, or the greatest of a possible one. Undefined if the regulation names no category. */
  severity: Severity | undefined;
}

const DRIVING = "Regulation (EC) 561/2006, Article";
const WORKING = "Directive 2002/15/EC, Article";

const ARTICLES: Readonly<{ [rule in Rule]: string }> = {
  drivingWithoutBreak: `${DRIVING} 7`,
  dailyDriving: `${DRIVING} 6(1)`,
  weeklyDriving: `${DRIVING} 6(2)`,
  fortnightlyDriving: `${DRIVING} 6(3)`,
  dailyRest: `${DRIVING} 8(2)`,
  weeklyRestDue: `${DRIVING} 8(6)`,
  weeklyRest: `${DRIVING} 8(6)`,
  weeklyRestCompensation: `${DRIVING} 8(6b)`,
  weeklyWork: `${WORKING} 4(a)`,
  averageWork: `${WORKING} 4(a)`,
  nightWork: `${WORKING} 7`,
  workWithoutBreak: `${WORKING} 5(1), first sentence`,
  workBreaks: `${WORKING} 5(1), second sentence`,
};

/** Of a missing break that breaks both sentences. */
export const BOTH_SENTENCES = `${WORKING} 5(1), first and second sentence`;

/** Returns the article that a rule is in. A rest that may not be reduced any more is one of Article 8(4). */
export const articleOf = (rule: Rule, limit?: number): string =>
  rule === "dailyRest" && limit === LIMITS.dailyRest ? `${DRIVING} 8(4)` : ARTICLES[rule];

/** From how many hours over the limit each category applies, the gravest first. */
type Thresholds = { readonly [severity in Severity]?: number };

const TEN_HOURS: Thresholds = { MSI: 5, VSI: 2, SI: 1, MI: 0 };

/** Annex I of regulation (EU) 2016/403 as amended by (EU) 2022/694; minor ones as in annex III of directive 2006/22/EC. */
const FROM: { readonly [rule in Rule]?: (limit: number) => Thresholds } = {
  drivingWithoutBreak: () => ({ VSI: 1.5, SI: 0.5, MI: 0 }),
  dailyDriving: (limit) => (limit === LIMITS.dailyDriving ? { ...TEN_HOURS, MSI: 4.5 } : TEN_HOURS),
  weeklyDriving: () => ({ MSI: 14, VSI: 9, SI: 4, MI: 0 }),
  fortnightlyDriving: () => ({ MSI: 22.5, VSI: 15, SI: 10, MI: 0 }),
  weeklyRestDue: () => ({ VSI: 12, SI: 3, MI: 0 }),
  weeklyWork: () => ({ VSI: 10, SI: 5 }),
  nightWork: () => ({ VSI: 3, SI: 1 }),
  workBreaks: (limit) => (limit === WORK_LIMITS.longWorkBreak ? { VSI: 25 / 60, SI: 15 / 60 } : { VSI: 20 / 60, SI: 10 / 60 }),
};

/** The same for rests: a category applies if the rest is shorter than its limit by more than so many hours. */
const BEYOND: { readonly [rule in Rule]?: (limit: number) => Thresholds } = {
  dailyRest: (limit) => ({ VSI: limit === LIMITS.dailyRest ? 2.5 : 2, SI: 1, MI: 0 }),
  weeklyRest: (limit) => (limit === LIMITS.weeklyRest ? { VSI: 9, SI: 3, MI: 0 } : { VSI: 4, SI: 2, MI: 0 }),
};

const listed = (thresholds: Thresholds = {}) => Object.entries(thresholds) as [Severity, number][];

/** Returns the category of an infringement by how much it is over its limit; undefined if the regulation names none. */
function severityOf(rule: Rule, limit: number, over: number): Severity | undefined {
  const from = listed(FROM[rule]?.(limit)).find(([, hours]) => over >= hours * HOUR);
  const beyond = listed(BEYOND[rule]?.(limit)).find(([, hours]) => over > hours * HOUR);
  return (from ?? beyond)?.[0];
}

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
