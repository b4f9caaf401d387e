import type { Infringement, InfringementDoubt } from "./infringement.ts";
import { type Record, touches } from "./record.ts";
import { type Activity, type Period, timelineOf } from "./timeline.ts";

/** Returns what finds the doubts that concern an infringement: those within its period. */
export function doubtsIn(
  activities: readonly Activity[],
  { gaps, maybeInTeam, stretches }: Record,
  contradictions: readonly Period[],
  now: number,
): (row: Infringement) => InfringementDoubt[] {
  const entered = timelineOf(
    activities.filter(({ manual }) => manual),
    now,
  );
  const periods: [InfringementDoubt, readonly Period[]][] = [
    ["gap", gaps],
    ["contradiction", contradictions],
    ["manual", entered.spans.filter(({ kind }) => kind !== "unknown")],
  ];
  const available = stretches.filter(({ kind }) => kind === "availability");
  return ({ rule, start, end, certainty }) => {
    const found = periods.filter(([, where]) => touches(where, start, end)).map(([doubt]) => doubt);
    const isRest = certainty === "possible" && (rule === "dailyRest" || rule === "dailyDriving");
    if (isRest && touches(maybeInTeam, start, end)) found.push("team");
    if (isRest && found.length === 0) found.push("ferry");
    const isBreak = certainty === "possible" && rule === "workBreaks" && touches(maybeInTeam, start, end);
    if (isBreak && touches(available, start, end)) found.push("availability");
    return found;
  };
}
