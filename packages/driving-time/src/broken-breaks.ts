import { LIMITS } from "./limits.ts";
import type { Finding } from "./paired-findings.ts";
import { type Record, type Stretch, touches } from "./record.ts";

const { drivingBeforeBreak, fullBreak, firstBreakPart, secondBreakPart } = LIMITS;

/** A rest, or 45 minutes beside a driver who drives (Article 7, third paragraph). */
const isBreak = ({ kind, start, end }: Stretch, inTeam: Record["inTeam"]) =>
  kind === "rest" || (kind === "availability" && end - start >= fullBreak && touches(inTeam, start, end));

/** The least driving since a break that is possible, without and with the first part of the next. */
interface Least {
  whole: number;
  half: number;
}

const NEVER = Number.POSITIVE_INFINITY;

/** Of a rest with a gap, any part may have been something else: a first part of a break that counts as a whole one would be lost for the second. */
function afterRest({ whole, half }: Least, { start, end, hasGap }: Stretch): Least {
  const length = end - start;
  const isFull = length >= fullBreak;
  const isPart = length >= firstBreakPart && whole > 0;
  const isSecond = length >= secondBreakPart;
  return {
    whole: Math.min(isFull || (isSecond && half < NEVER) ? 0 : NEVER, hasGap || !(isFull || isPart) ? whole : NEVER),
    half: Math.min(isPart && (hasGap || !isFull) ? whole : NEVER, hasGap || !isSecond ? half : NEVER),
  };
}

/** Driving between two breaks of 45 minutes, or of 15 and then 30 minutes (Article 7). */
export function breakFindings({ reading, stretches, inTeam }: Record): Finding[] {
  const found: Finding[] = [];
  let current: Finding | undefined;
  let hasPart = false;
  let least: Least = { whole: 0, half: NEVER };
  let isCertain = reading === "strict";
  const end = () => {
    if (current) found.push({ ...current, isBroken: current.isBroken && isCertain });
    [current, hasPart, isCertain] = [undefined, false, reading === "strict"];
  };
  for (const stretch of stretches) {
    const length = stretch.end - stretch.start;
    if (stretch.kind === "driving") {
      current ??= { start: stretch.start, end: stretch.end, at: stretch.end, limit: drivingBeforeBreak, actual: 0, isBroken: false };
      if (!current.isBroken && current.actual + length > drivingBeforeBreak) {
        current.isBroken = true;
        current.at = stretch.start + drivingBeforeBreak - current.actual;
      }
      current.actual += length;
      current.end = stretch.end;
      least = { whole: least.whole + length, half: least.half + length };
      isCertain ||= Math.min(least.whole, least.half) > drivingBeforeBreak;
    }
    if (!isBreak(stretch, inTeam)) continue;
    least = afterRest(least, stretch);
    if (!current) continue;
    if (length >= (hasPart ? secondBreakPart : fullBreak)) end();
    else if (length >= firstBreakPart) hasPart = true;
  }
  return found;
}
