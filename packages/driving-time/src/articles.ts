import type { Rule } from "./infringement.ts";
import { LIMITS } from "./limits.ts";

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
