import { LIMITS } from "./limits.ts";
import type { Finding } from "./paired-findings.ts";
import { type Record, type Stretch, touches } from "./record.ts";

const { drivingBeforeBreak, fullBreak, firstBreakPart, secondBreakPart } = LIMITS;

/** A rest, or 45 minutes beside a driver who drives (Article 7, third paragraph). */
const isBreak = ({ kind, start, end }: Stretch, inTeam: Record["inTeam"]) =>
  kind === "rest" || (kind === "availability" && end - start >= fullBreak && touches(inTeam, start, end));

/** Driving between two breaks of 45 minutes, or of 15 and then 30 minutes (Article 7). */
export function breakFindings({ stretches, inTeam }: Record): Finding[] {
  const found: Finding[] = [];
  let current: Finding | undefined;
  let hasPart = false;
  for (const stretch of stretches) {
    const { kind, start, end } = stretch;
    const length = end - start;
    if (kind === "driving") {
      current ??= { start, end, at: end, limit: drivingBeforeBreak, actual: 0, isBroken: false };
      if (!current.isBroken && current.actual + length > drivingBeforeBreak) {
        current.isBroken = true;
        current.at = start + drivingBeforeBreak - current.actual;
      }
      current.actual += length;
      current.end = end;
    }
    if (!current || !isBreak(stretch, inTeam)) continue;
    if (length >= (hasPart ? secondBreakPart : fullBreak)) {
      found.push(current);
      [current, hasPart] = [undefined, false];
    } else if (length >= firstBreakPart) hasPart = true;
  }
  return found;
}
