/**
 * A second implementation, written from the text of the regulation: it looks at one minute after the other and has no notion of gaps. It
 * shares no code with the first.
 */

/** What a driver did in each minute, oldest first: driving, other work, availability or rest. */
export type Minutes = readonly ("d" | "w" | "a" | "r")[];

export interface Truth {
  sinceBreak: number;
  day: number;
  week: number;
  fortnight: number;
  extendedDays: number;
  mayExtend: boolean;
  resting: number;
  shiftStart: number;
  reduced: number;
  partTaken: boolean;
  regularRestBy: number;
  restBy: number;
  weeklyRestBy: number;
  nextWeeklyRest: number;
}

const HOURS = 60;
const DAYS = 24 * HOURS;

/** Minutes from `first`, a count of minutes since 1970, to the Monday on which its week begins. */
function mondayOf(minute: number): number {
  const date = new Date(minute * 60_000);
  const daysSinceMonday = (date.getUTCDay() + 6) % 7;
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() - daysSinceMonday) / 60_000;
}

/** All results are in minutes. `first` is the minute of the first entry, counted from 1970; the question is asked after the last. */
export function minuteByMinute(minutes: Minutes, first: number): Truth {
  const now = first + minutes.length;
  const thisMonday = mondayOf(now);

  // Article 6(2) and 6(3): all driving in the week from Monday to Sunday, and in two consecutive weeks.
  let [week, fortnight] = [0, 0];
  // Article 7: driving until a break of 45 minutes, or of at least 15 minutes followed by one of at least 30.
  let [sinceBreak, hadFirstPart, firstPartIsThisRest] = [0, false, false];
  // Article 4(k): driving between the end of one daily rest and the beginning of the next.
  let day = 0;
  const passedNineHours: { at: number; isToday: boolean }[] = [];
  // Article 8: rests.
  let resting = 0;
  let shiftStart = Number.NEGATIVE_INFINITY;
  let [partTaken, partBeforeRest] = [false, false];
  let reduced = 0;
  let weeklyRestEnd = Number.NEGATIVE_INFINITY;
  let lastWeeklyRest = 0;
  let shiftBeforeRest = shiftStart;

  minutes.forEach((what, index) => {
    const minute = first + index;
    if (what === "d") {
      sinceBreak++;
      day++;
      if (minute >= thisMonday) week++;
      if (minute >= thisMonday - 7 * DAYS) fortnight++;
      // The minute after nine full hours.
      if (day === 9 * HOURS + 1) passedNineHours.push({ at: minute, isToday: true });
    }
    if (what === "r") {
      if (resting === 0) {
        firstPartIsThisRest = false;
        shiftBeforeRest = shiftStart;
        partBeforeRest = partTaken;
      }
      resting++;
      if (resting === 15 && sinceBreak > 0 && !hadFirstPart) {
        hadFirstPart = true;
        firstPartIsThisRest = true;
      }
      const isSecondPart = resting === 30 && hadFirstPart && !firstPartIsThisRest;
      if (resting === 45 || isSecondPart) {
        sinceBreak = 0;
        hadFirstPart = false;
      }
      if (resting === 3 * HOURS) partTaken = true;
      if (resting >= 9 * HOURS) {
        day = 0;
        for (const passed of passedNineHours) passed.isToday = false;
        shiftStart = minute + 1;
        partTaken = false;
      }
      if (resting >= 24 * HOURS) {
        weeklyRestEnd = minute + 1;
        lastWeeklyRest = resting;
        reduced = 0;
      }
      return;
    }
    if (resting >= 9 * HOURS && resting < 24 * HOURS) {
      // Article 8(2): only what lies within 24 hours after the end of the last rest counts.
      const end = Math.min(minute, shiftBeforeRest + 24 * HOURS);
      const counted = end - (minute - resting);
      const isInTwoParts = partBeforeRest && counted >= 9 * HOURS;
      if (counted < 11 * HOURS && !isInTwoParts) reduced++;
    }
    resting = 0;
  });

  const today = passedNineHours.find(({ isToday }) => isToday);
  const weekOfToday = mondayOf(today?.at ?? now);
  const others = passedNineHours.filter(({ at, isToday }) => !isToday && mondayOf(at) === weekOfToday).length;
  const lastStart = (rest: number) => shiftStart + 24 * HOURS - rest;
  return {
    sinceBreak,
    day,
    week,
    fortnight,
    extendedDays: passedNineHours.filter(({ at }) => mondayOf(at) === thisMonday).length,
    mayExtend: others < 2,
    resting,
    shiftStart,
    reduced,
    partTaken,
    regularRestBy: lastStart((partTaken ? 9 : 11) * HOURS),
    restBy: lastStart((partTaken || reduced < 3 ? 9 : 11) * HOURS),
    weeklyRestBy: weeklyRestEnd + 6 * DAYS,
    nextWeeklyRest: (lastWeeklyRest >= 45 * HOURS ? 24 : 45) * HOURS,
  };
}
