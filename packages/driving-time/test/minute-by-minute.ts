import type { Minute } from "./infringements-minute-by-minute.ts";
import { DAY, H, mondayOf, WEEK } from "./weekly-rests-by-force.ts";

/** The figures after the minutes, by name, as the plain second implementation computes them: times in minutes, instants since 1970. */
export function figuresAfter(minutes: readonly Minute[], first: number): Record<string, number> {
  const now = first + minutes.length;
  const monday = mondayOf(now);
  const nineHours: { at: number; isToday: boolean }[] = [];
  let [week, fortnight, sinceBreak, day, resting, reduced, lastWeeklyRest] = [0, 0, 0, 0, 0, 0, 0];
  let [hadFirstPart, isFirstPart, partTaken, partBefore] = [false, false, false, false];
  let [shiftStart, shiftBefore, weeklyRestEnd] = Array<number>(3).fill(Number.NEGATIVE_INFINITY) as [number, number, number];

  for (const [index, what] of minutes.entries()) {
    const minute = first + index;
    if (what === "d") {
      sinceBreak++;
      if (minute >= monday) week++;
      if (minute >= monday - WEEK) fortnight++;
      // Article 4(k): from the end of one daily rest to the beginning of the next. The minute after nine full hours.
      if (++day === 9 * H + 1) nineHours.push({ at: minute, isToday: true });
    }
    if (what === "r") {
      if (resting++ === 0) [isFirstPart, shiftBefore, partBefore] = [false, shiftStart, partTaken];
      // Article 7: 45 minutes, or at least 15 followed by at least 30.
      if (resting === 15 && sinceBreak > 0 && !hadFirstPart) [hadFirstPart, isFirstPart] = [true, true];
      if (resting === 45 || (resting === 30 && hadFirstPart && !isFirstPart)) [sinceBreak, hadFirstPart] = [0, false];
      if (resting === 3 * H) partTaken = true;
      if (resting >= 9 * H) {
        [day, shiftStart, partTaken] = [0, minute + 1, false];
        for (const passed of nineHours) passed.isToday = false;
      }
      if (resting >= 24 * H) [weeklyRestEnd, lastWeeklyRest, reduced] = [minute + 1, resting, 0];
      continue;
    }
    if (resting >= 9 * H && resting < 24 * H) {
      // Article 8(2): only what lies within 24 hours after the end of the last rest counts.
      const counted = Math.min(minute, shiftBefore + DAY) - (minute - resting);
      if (counted < 11 * H && !(partBefore && counted >= 9 * H)) reduced++;
    }
    resting = 0;
  }

  const weekOfToday = mondayOf(nineHours.find(({ isToday }) => isToday)?.at ?? now);
  const others = nineHours.filter(({ at, isToday }) => !isToday && mondayOf(at) === weekOfToday).length;
  const left = (limit: number, used: number) => Math.max(0, limit * H - used);
  const until = (minute: number) => Math.max(0, minute - now);
  const restBy = (rest: number) => shiftStart + DAY - rest * H;
  const [regularBy, by] = [restBy(partTaken ? 9 : 11), restBy(partTaken || reduced < 3 ? 9 : 11)];
  const extendedLeft = left(others < 2 ? 10 : 9, day);
  const inAll = Math.min(left(56, week), left(90, fortnight), until(weeklyRestEnd + 6 * DAY));
  const today = Math.min(left(9, day), until(regularBy), inAll);
  return {
    "sinceBreak.driven": sinceBreak,
    "sinceBreak.left": left(4.5, sinceBreak),
    "day.driven": day,
    "day.left": left(9, day),
    "day.extendedLeft": extendedLeft,
    "day.shiftStart": shiftStart,
    "week.driven": week,
    "week.left": left(56, week),
    "week.extendedDays": nineHours.filter(({ at }) => mondayOf(at) === monday).length,
    "fortnight.driven": fortnight,
    "fortnight.left": left(90, fortnight),
    "rest.current": resting,
    "dailyRest.reducedTaken": reduced,
    "dailyRest.partTaken": partTaken ? 1 : 0,
    "dailyRest.regularBy": regularBy,
    "dailyRest.by": by,
    "weeklyRest.by": weeklyRestEnd + 6 * DAY,
    "weeklyRest.needed": (lastWeeklyRest >= 45 * H ? 24 : 45) * H,
    "left.today": today,
    "left.extended": Math.min(extendedLeft, until(by), inAll),
    "left.now": Math.min(left(4.5, sinceBreak), today),
  };
}
