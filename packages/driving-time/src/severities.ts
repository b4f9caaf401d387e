import type { Rule, Severity } from "./infringement.ts";
import { HOUR, LIMITS, WORK_LIMITS } from "./limits.ts";

/** From how many hours over the limit each category applies, the gravest first. */
type Thresholds = readonly (readonly [Severity, number])[];

const NINE_HOURS: Thresholds = [
  ["MSI", 4.5],
  ["VSI", 2],
  ["SI", 1],
  ["MI", 0],
];
const TEN_HOURS: Thresholds = [["MSI", 5], ...NINE_HOURS.slice(1)];

/** Annex I of regulation (EU) 2016/403 as amended by (EU) 2022/694; minor ones as in annex III of directive 2006/22/EC. */
const FROM: { readonly [rule in Rule]?: (limit: number) => Thresholds } = {
  drivingWithoutBreak: () => [
    ["VSI", 1.5],
    ["SI", 0.5],
    ["MI", 0],
  ],
  dailyDriving: (limit) => (limit === LIMITS.dailyDriving ? NINE_HOURS : TEN_HOURS),
  weeklyDriving: () => [
    ["MSI", 14],
    ["VSI", 9],
    ["SI", 4],
    ["MI", 0],
  ],
  fortnightlyDriving: () => [
    ["MSI", 22.5],
    ["VSI", 15],
    ["SI", 10],
    ["MI", 0],
  ],
  weeklyRestDue: () => [
    ["VSI", 12],
    ["SI", 3],
    ["MI", 0],
  ],
  weeklyWork: () => [
    ["VSI", 10],
    ["SI", 5],
  ],
  nightWork: () => [
    ["VSI", 3],
    ["SI", 1],
  ],
  workBreaks: (limit) => {
    const [verySerious, serious] = limit === WORK_LIMITS.longWorkBreak ? [25, 15] : [20, 10];
    return [
      ["VSI", verySerious / 60],
      ["SI", serious / 60],
    ];
  },
};

/** The same for rests: a category applies if the rest is shorter than its limit by more than so many hours. */
const BEYOND: { readonly [rule in Rule]?: (limit: number) => Thresholds } = {
  dailyRest: (limit) => [
    ["VSI", limit === LIMITS.dailyRest ? 2.5 : 2],
    ["SI", 1],
    ["MI", 0],
  ],
  weeklyRest: (limit) => [
    ["VSI", limit === LIMITS.weeklyRest ? 9 : 4],
    ["SI", limit === LIMITS.weeklyRest ? 3 : 2],
    ["MI", 0],
  ],
};

/** Returns the category of an infringement by how much it is over its limit; undefined if the regulation names none. */
export function severityOf(rule: Rule, limit: number, over: number): Severity | undefined {
  const from = FROM[rule]?.(limit).find(([, hours]) => over >= hours * HOUR);
  const beyond = BEYOND[rule]?.(limit).find(([, hours]) => over > hours * HOUR);
  return (from ?? beyond)?.[0];
}
