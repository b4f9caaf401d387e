import { passing } from "./broken-driving.ts";
import type { Finding } from "./infringement.ts";
import { DAY, HOUR, LIMITS, minutesUp, weekStart } from "./limits.ts";
import { lengthOf, type Record, type Rest, touches } from "./record.ts";
import type { Period } from "./timeline.ts";

const { dailyRest, reducedDailyRest, firstRestPart, reducedDailyRests } = LIMITS;

/** A shorter rest ends a day of driving if the driver failed to take a full one (Commission implementing decision C(2011) 3759). */
export const REST_THAT_ENDS_DAY = 7 * HOUR;
const TEAM_SHIFT = 30 * HOUR;

/** From the end of a daily or weekly rest to the beginning of the next. */
export interface Shift extends Period {
  /** Whether it begins and ends then whatever happened in gaps. */
  isExact: boolean;
  /** Whether a gap may have been the rest before it. */
  startsInDoubt: boolean;
  /** The shift, or its parts between rests that may have ended it. */
  parts: Period[];
  /** The daily rest within the 24 hours, and what was required; when these were over. */
  rest: Finding;
}

/** Article 8(5): two drivers at least, the first hour apart. */
const isTeam = ({ inTeam, maybeAlone, gaps }: Record, start: number, end: number) =>
  touches(inTeam, start, end) && !touches(maybeAlone, start + HOUR, end) && !touches(gaps, start + HOUR, end);

/** Whether a shift that begins between two instants may be one of a team: in gaps may have been one. */
function mayBeTeam({ maybeInTeam, alone, maybeAlone, gaps }: Record, since: number, start: number, rest: Rest): boolean {
  const end = rest.isDoubtful ? rest.end : rest.start;
  const mayBeAlone = (driving: readonly Period[]) => touches(driving, start + HOUR, rest.start);
  return (touches(maybeInTeam, since, end) && !mayBeAlone(alone)) || (touches(gaps, since, end) && !mayBeAlone(maybeAlone));
}

const portionOf = (rest: Rest, until: number) => Math.max(0, Math.min(rest.length, minutesUp(until - rest.start)));

/** What is known of a shift when it begins. */
interface Beginning {
  start: number;
  /** The end of the last rest that certainly ended a shift. */
  since: number;
  /** The index of the next rest. */
  next: number;
  /** Reduced daily rests since the last weekly rest. */
  taken: number;
}

interface Ending {
  /** The index of the rest that ends the shift. */
  index: number;
  /** Whether it does so whatever happened in gaps. */
  isExact: boolean;
  at: number;
  /** The longest rest that the driver may have taken within the time for it. */
  actual: number;
  limit: number;
  isBroken: boolean;
  isReduced: boolean;
}

/** Finds the rest that ends a shift: the first of 9 hours in time, otherwise the longest of at least 7, otherwise the next of 7. */
function endingOf(record: Record, { start, since, next, taken }: Beginning): Ending {
  const { reading, rests } = record;
  const windowOf = (inTeam: boolean) => start + (inTeam ? TEAM_SHIFT : DAY);
  const surelyUntil = (rest: Rest) => windowOf(isTeam(record, start, rest.start));
  const possiblyUntil = (rest: Rest) => windowOf(mayBeTeam(record, Math.max(since, start - TEAM_SHIFT), start, rest));
  const untilOf = reading === "strict" ? surelyUntil : possiblyUntil;
  let [best, bestPortion, hasPart, isOpen] = [-1, 0, since < start, since < start];
  for (let index = next; index < rests.length; index++) {
    const rest = rests[index] as Rest;
    const until = untilOf(rest);
    const inTeam = until > windowOf(false);
    const portion = portionOf(rest, until);
    // What a gap leaves open is in the driver's favour.
    const limitIf = (isExact: boolean) =>
      inTeam || hasPart || !isExact || taken < reducedDailyRests || rest.isWeekly ? reducedDailyRest : dailyRest;
    if (portion >= reducedDailyRest) {
      const isExact = since === start && !rest.isDoubtful && portionOf(rest, surelyUntil(rest)) >= reducedDailyRest;
      const isReduced = portion < dailyRest && !inTeam && !hasPart;
      return { index, isExact, at: until, actual: portion, limit: limitIf(isExact), isBroken: portion < limitIf(isExact), isReduced };
    }
    isOpen ||= rest.isDoubtful && rest.length >= REST_THAT_ENDS_DAY;
    if (rest.start < until && portion > bestPortion) [best, bestPortion] = [index, portion];
    if (rest.start >= until || rest.length >= reducedDailyRest) {
      const isLong = (at: number) => (rests[at]?.length ?? 0) >= REST_THAT_ENDS_DAY;
      const ends = isLong(best) ? best : rests.findIndex((_, at) => at >= index && isLong(at));
      const isExact = !isOpen && until === surelyUntil(rest) && ![index, best, ends].some((at) => rests[at]?.isDoubtful);
      // If the shift began earlier, so may have a rest of almost 9 hours.
      const actual = since < start ? reducedDailyRest : bestPortion;
      return { index: ends, isExact, at: untilOf(rests[ends] as Rest), actual, limit: limitIf(isExact), isBroken: true, isReduced: false };
    }
    if (rest.length >= firstRestPart) hasPart = true;
  }
  throw new RangeError("A record ends with an endless rest");
}

/** Whatever came before it, a rest of 9 hours ends a shift. */
const isBoundary = ({ length, isDoubtful }: Rest) => length >= reducedDailyRest && !isDoubtful;

/** Splits a record into shifts, and finds the daily rest of each. */
export function shiftsOf(record: Record): Shift[] {
  const { rests } = record;
  const shifts: Shift[] = [];
  let [index, taken, since] = [0, 0, Number.NEGATIVE_INFINITY];
  while (index < rests.length - 1) {
    const before = rests[index] as Rest;
    if (shifts.at(-1)?.isExact || isBoundary(before)) since = before.end;
    const ending = endingOf(record, { start: before.end, since, next: index + 1, taken });
    const { isExact, at, actual, limit, isBroken, isReduced } = ending;
    const rest = rests[ending.index] as Rest;
    const [start, end] = [before.end, rest.start];
    const inside = isExact ? [] : rests.slice(index + 1, ending.index).filter(({ length }) => length >= REST_THAT_ENDS_DAY);
    const starts = [start, ...inside.map((one) => one.end)];
    shifts.push({
      start,
      end,
      isExact,
      startsInDoubt: before.isDoubtful,
      parts: starts.map((from, part) => ({ start: from, end: inside[part]?.start ?? end })),
      rest: { start, end: Math.min(rest.end, Math.max(end, at)), at, limit, actual, isBroken },
    });
    // Only a rest that was certainly reduced counts.
    if (isReduced && isExact) taken++;
    if (rest.isWeekly) taken = 0;
    index = ending.index;
  }
  return shifts;
}

/** Daily rests (Article 8(2), 8(4) and 8(5)). */
export const dailyRestFindings = (shifts: readonly Shift[]): Finding[] => shifts.map(({ rest }) => rest);

/**
 * Driving between two daily rests (Article 6(1)). A day of more than 9 hours counts in the week in which it passes them; with a gap, it may have passed
 * them earlier.
 */
export function drivingDayFindings({ reading, stretches, gaps }: Record, shifts: readonly Shift[]): Finding[] {
  const used = new Map<number, number>();
  let index = 0;
  const findingOf = ({ start, end }: Period, isExact: boolean): Finding => {
    const driving: Period[] = [];
    for (; index < stretches.length && (stretches[index]?.start ?? 0) < end; index++) {
      const stretch = stretches[index];
      if (stretch?.kind === "driving" && stretch.end > start) driving.push(stretch);
    }
    const actual = lengthOf(driving);
    const week = weekStart(passing(driving, LIMITS.dailyDriving) ?? end);
    const isInWeek = isExact && (reading === "strict" || weekStart(start) === week || !touches(gaps, start, end));
    const count = isInWeek ? (used.get(week) ?? 0) : 0;
    const limit = count < LIMITS.extendedDaysPerWeek ? LIMITS.extendedDailyDriving : LIMITS.dailyDriving;
    if (actual > LIMITS.dailyDriving && isInWeek) used.set(week, count + 1);
    return { start, end, at: passing(driving, limit) ?? end, limit, actual, isBroken: actual > limit };
  };
  return shifts.flatMap(({ parts, isExact }) => parts.map((part) => findingOf(part, isExact)));
}
