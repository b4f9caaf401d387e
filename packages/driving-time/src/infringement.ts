import type { Range } from "./range.ts";
import type { Period } from "./timeline.ts";

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
