import { passing } from "./broken-weeks.ts";
import { DAY, HOUR, LIMITS, weekStart } from "./limits.ts";
import type { Finding } from "./paired-findings.ts";
import { lengthOf, type Record, type Rest, touches } from "./record.ts";
import type { Period } from "./timeline.ts";

const { dailyRest, reducedDailyRest, firstRestPart, reducedDailyRests, reducedWeeklyRest } = LIMITS;

/** A shorter rest ends a day of driving if the driver failed to take a full one (Commission implementing decision C(2011) 3759). */
export const REST_THAT_ENDS_DAY = 7 * HOUR;
const TEAM_SHIFT = 30 * HOUR;

/** From the end of a daily or weekly rest to the beginning of the next. */
export interface Shift extends Period {
  /** The daily rest within the 24 hours, and what was required; when these were over. */
  rest: Finding;
  /** Whether a gap may have been the rest before it, or after it. */
  startsInDoubt: boolean;
  endsInDoubt: boolean;
}

/** Article 8(5): two drivers at least, the first hour apart. A lenient record has driving as `alone` only where it certainly was. */
const isTeam = ({ inTeam, alone }: Record, start: number, end: number) => touches(inTeam, start, end) && !touches(alone, start + HOUR, end);

const portionOf = (rest: Rest, until: number) => Math.max(0, Math.min(rest.length, until - rest.start));

interface Ending {
  /** The index of the rest that ends the shift. */
  index: number;
  actual: number;
  limit: number;
  isReduced: boolean;
}

/** Finds the rest that ends a shift: the first of 9 hours in time, otherwise the longest of at least 7, otherwise the next of 7. */
function endingOf(rests: readonly Rest[], from: number, start: number, taken: number, isDoubtful: boolean, record: Record): Ending {
  let [best, bestPortion, hasPart] = [-1, 0, isDoubtful && record.reading === "lenient"];
  for (let index = from; index < rests.length; index++) {
    const rest = rests[index] as Rest;
    const inTeam = isTeam(record, start, rest.start);
    const until = start + (inTeam ? TEAM_SHIFT : DAY);
    const portion = portionOf(rest, until);
    const mayReduce = inTeam || hasPart || taken < reducedDailyRests || rest.length >= reducedWeeklyRest;
    const limit = mayReduce ? reducedDailyRest : dailyRest;
    if (portion >= reducedDailyRest) {
      return { index, actual: portion, limit, isReduced: portion < dailyRest && !inTeam && !hasPart };
    }
    if (rest.start < until && portion > bestPortion) [best, bestPortion] = [index, portion];
    if (rest.start >= until || rest.length >= reducedDailyRest) {
      const bestRest = rests[best];
      const ends =
        bestRest && bestRest.length >= REST_THAT_ENDS_DAY
          ? best
          : rests.findIndex((one, at) => at >= index && one.length >= REST_THAT_ENDS_DAY);
      return { index: ends, actual: bestPortion, limit, isReduced: false };
    }
    if (rest.length >= firstRestPart) hasPart = true;
  }
  throw new RangeError("A record ends with an endless rest");
}

/** Splits a record into shifts, and finds the daily rest of each. */
export function shiftsOf(record: Record): Shift[] {
  const { rests } = record;
  const shifts: Shift[] = [];
  let [index, taken] = [0, 0];
  while (index < rests.length - 1) {
    const before = rests[index] as Rest;
    const { index: next, actual, limit, isReduced } = endingOf(rests, index + 1, before.end, taken, before.isDoubtful, record);
    const rest = rests[next] as Rest;
    const [start, end] = [before.end, rest.start];
    const at = start + (isTeam(record, start, end) ? TEAM_SHIFT : DAY);
    const found = {
      start,
      end: Math.min(rest.end, Math.max(end, at)),
      at,
      limit,
      actual,
      isBroken: actual < limit,
      isDoubtful: before.isDoubtful && limit === dailyRest,
    };
    shifts.push({ start, end, startsInDoubt: before.isDoubtful, endsInDoubt: rest.isDoubtful, rest: found });
    // What a gap may have been counts as a reduced rest only where it burdens the driver.
    if (isReduced && !(record.reading === "lenient" && (rest.isDoubtful || before.isDoubtful))) taken++;
    if (rest.length >= reducedWeeklyRest) taken = 0;
    index = next;
  }
  return shifts;
}

/** Daily rests (Article 8(2), 8(4) and 8(5)). */
export const dailyRestFindings = (shifts: readonly Shift[]): Finding[] => shifts.map(({ rest }) => rest);

/** Driving between two daily rests (Article 6(1)). A day of more than 9 hours counts in the week in which it passes them. */
export function drivingDayFindings({ reading, stretches }: Record, shifts: readonly Shift[]): Finding[] {
  const used = new Map<number, number>();
  let index = 0;
  return shifts.map(({ start, end, startsInDoubt }): Finding => {
    const driving: Period[] = [];
    for (; index < stretches.length && (stretches[index]?.start ?? 0) < end; index++) {
      const stretch = stretches[index];
      if (stretch?.kind === "driving" && stretch.end > start) driving.push(stretch);
    }
    const actual = lengthOf(driving);
    const week = weekStart(passing(driving, LIMITS.dailyDriving) ?? end);
    const count = used.get(week) ?? 0;
    const limit = count < LIMITS.extendedDaysPerWeek ? LIMITS.extendedDailyDriving : LIMITS.dailyDriving;
    if (actual > LIMITS.dailyDriving && !(reading === "lenient" && startsInDoubt)) used.set(week, count + 1);
    return { start, end, at: passing(driving, limit) ?? end, limit, actual, isBroken: actual > limit };
  });
}
