/** Milliseconds. */
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const WEEK = 7 * DAY;

/** Rests and breaks that lack seconds are whole. */
export const minutesUp = (length: number): number => Math.ceil(length / MINUTE) * MINUTE;

/** Seconds of driving or work over a limit do not break it. */
export const minutesDown = (length: number): number => Math.floor(length / MINUTE) * MINUTE;

/** The limits of regulation (EC) 561/2006 for a driver alone, in milliseconds. */
export const LIMITS = {
  /** Driving before a break (Article 7). */
  drivingBeforeBreak: 4.5 * HOUR,
  /** A break (Article 7), or its two parts in this order. */
  fullBreak: 45 * MINUTE,
  firstBreakPart: 15 * MINUTE,
  secondBreakPart: 30 * MINUTE,
  /** Driving between two daily rests (Article 6(1)), and on two days of a week. */
  dailyDriving: 9 * HOUR,
  extendedDailyDriving: 10 * HOUR,
  extendedDaysPerWeek: 2,
  /** Driving in a week, and in two consecutive weeks (Article 6(2) and 6(3)). */
  weeklyDriving: 56 * HOUR,
  fortnightlyDriving: 90 * HOUR,
  /** Daily rest, reduced daily rest, and the first part of a daily rest in two parts (Article 4(g)). */
  dailyRest: 11 * HOUR,
  reducedDailyRest: 9 * HOUR,
  firstRestPart: 3 * HOUR,
  /** Reduced daily rests between two weekly rests (Article 8(4)). */
  reducedDailyRests: 3,
  /** The period after a rest in which the next daily rest must be taken (Article 8(2)). */
  shift: 24 * HOUR,
  /** Weekly rest and reduced weekly rest (Article 4(h)). */
  weeklyRest: 45 * HOUR,
  reducedWeeklyRest: 24 * HOUR,
  /** The time from the end of a weekly rest to the latest start of the next (Article 8(6)). */
  betweenWeeklyRests: 6 * DAY,
} as const;

/** The limits of directive 2002/15/EC on working time, in milliseconds. */
export const WORK_LIMITS = {
  /** Work in a week, and on average over the reference period (Article 4(a)): four months, counted as 17 weeks. */
  weeklyWork: 60 * HOUR,
  averageWork: 48 * HOUR,
  averageWeeks: 17,
  /** Work in the 24 hours after a rest if some of it is at night (Article 7), and when the night is: at least four hours (Article 3(h)). */
  nightWork: 10 * HOUR,
  night: [0, 4 * HOUR],
  /** Work without a break, and the breaks of a shift with more than 6 or 9 hours of work, in parts of 15 minutes (Article 5). */
  workWithoutBreak: 6 * HOUR,
  longWork: 9 * HOUR,
  workBreak: 30 * MINUTE,
  longWorkBreak: 45 * MINUTE,
  workBreakPart: 15 * MINUTE,
} as const;

/** How many weeks before the week of a question activities are needed. */
export const WEEKS_NEEDED = {
  /** For hours: the week before, and the one in which the last weekly rest before that may have begun. */
  hours: 2,
  /** For infringements: a compensation that is due on the first day is owed for the fourth week before, and the rest of the week before that decides whether it is. */
  infringements: 5,
  /** For average work: its weeks, and some before them to find a weekly rest. */
  averageWork: WORK_LIMITS.averageWeeks + 3,
} as const;

/** Returns when the week of an instant begins: Monday 00:00 UTC, as tachographs compute it (Regulation (EU) 2016/799, Appendix 14). */
export function weekStart(instant: number): number {
  // 1970 began on a Thursday.
  const firstMonday = 4 * DAY;
  return Math.floor((instant - firstMonday) / WEEK) * WEEK + firstMonday;
}
