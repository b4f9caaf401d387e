import { LIMITS, minutesDown, minutesUp } from "./limits.ts";
import type { Finding } from "./paired-findings.ts";
import { type Record, type Stretch, touches } from "./record.ts";

const { drivingBeforeBreak, fullBreak, firstBreakPart, secondBreakPart } = LIMITS;

/** Whether availability was beside another driver, or leniently may have been: in a gap that it goes on in may have been one. */
export function isBeside({ reading, stretches, inTeam, maybeInTeam }: Record, index: number): boolean {
  const { kind, start, end } = stretches[index] as Stretch;
  if (kind !== "availability" || touches(inTeam, start, end)) return kind === "availability";
  const isGapAround = [stretches[index - 1], stretches[index + 1]].some((one) => one?.hasGap);
  return reading === "lenient" && (isGapAround || touches(maybeInTeam, start, end));
}

/** What may be a break: a rest, or 45 minutes of availability beside another driver (Article 7, third paragraph), to which gaps may belong. */
function breakAt(record: Record, index: number): Omit<Stretch, "kind"> | undefined {
  const { stretches, inTeam } = record;
  const stretch = stretches[index] as Stretch;
  if (stretch.kind === "rest") return stretch;
  if (!isBeside(record, index)) return undefined;
  let { start, end } = stretch;
  const isLong = () => minutesUp(end - start) >= fullBreak;
  if (isLong() && touches(inTeam, start, end)) return stretch;
  const goesOn = (one: Stretch | undefined): one is Stretch => one?.hasGap === true || one?.kind === "availability";
  for (let [at, one] = [index - 1, stretches[index - 1]]; !isLong() && goesOn(one); one = stretches[--at]) start = one.start;
  for (let [at, one] = [index + 1, stretches[index + 1]]; !isLong() && goesOn(one); one = stretches[++at]) end = one.end;
  return isLong() ? { start, end, hasGap: true } : undefined;
}

/** What may have been driven since the last break: nothing, or the least without and with the first part of the next. */
interface Driven {
  isNothing: boolean;
  whole: number;
  half: number;
}

const NEVER = Number.POSITIVE_INFINITY;
const NOTHING: Driven = { isNothing: true, whole: NEVER, half: NEVER };

const leastOf = ({ isNothing, whole, half }: Driven) => (isNothing ? 0 : minutesDown(Math.min(whole, half)));

/** Any part of a rest with a gap may have been something else, even driving. */
function afterBreak({ isNothing, whole, half }: Driven, { start, end, hasGap }: Omit<Stretch, "kind">): Driven {
  const length = minutesUp(end - start);
  const isPart = length >= firstBreakPart;
  const isSecond = length >= secondBreakPart;
  const mayBeOver = isNothing || length >= fullBreak || (isSecond && half < NEVER);
  if (hasGap) {
    const least = mayBeOver ? 0 : whole;
    return { isNothing: mayBeOver, whole: least, half: Math.min(half, isPart ? least : NEVER) };
  }
  if (length >= fullBreak) return NOTHING;
  return { isNothing: mayBeOver, whole: isPart ? NEVER : whole, half: Math.min(isPart ? whole : NEVER, isSecond ? NEVER : half) };
}

/** Driving between two breaks of 45 minutes, or of 15 and then 30 minutes (Article 7): the least that is possible. */
export function breakFindings(record: Record): Finding[] {
  const found: Finding[] = [];
  let current: Finding | undefined;
  let driven = NOTHING;
  for (const [index, stretch] of record.stretches.entries()) {
    const { kind, start, end } = stretch;
    if (kind === "driving") {
      const length = end - start;
      driven = { isNothing: false, whole: (driven.isNothing ? 0 : driven.whole) + length, half: driven.half + length };
      current ??= { start, end, at: end, limit: drivingBeforeBreak, actual: 0, isBroken: false };
      current.end = end;
      current.actual = leastOf(driven);
      if (!current.isBroken && current.actual > drivingBeforeBreak) {
        current.isBroken = true;
        current.at = end - (current.actual - drivingBeforeBreak);
      }
    }
    const taken = breakAt(record, index);
    if (!taken) continue;
    driven = afterBreak(driven, taken);
    if (!current || !driven.isNothing) continue;
    found.push(current);
    current = undefined;
  }
  return found;
}
