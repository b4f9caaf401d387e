import type { Infringement, InfringementDoubt } from "./infringement.ts";
import { type Record, TIME_OFF, touches } from "./record.ts";
import { type Activity, type Period, timelineOf } from "./timeline.ts";

/** Returns what finds the doubts that concern an infringement: those within its period. */
export function doubtsIn(activities: readonly Activity[], { inTeam }: Record, now: number): (row: Infringement) => InfringementDoubt[] {
  const { spans, contradictions } = timelineOf(activities, now);
  const gaps = spans.filter(({ kind, start, end }) => kind === "unknown" && end - start < TIME_OFF && end < now);
  const manual = timelineOf(
    activities.filter((one) => one.manual),
    now,
  ).spans.filter(({ kind }) => kind !== "unknown");
  const periods: [InfringementDoubt, readonly Period[]][] = [
    ["gap", gaps],
    ["contradiction", contradictions],
    ["manual", manual],
  ];
  return ({ rule, start, end, certainty }) => {
    const found = periods.filter(([, where]) => touches(where, start, end)).map(([doubt]) => doubt);
    const isRest = certainty === "possible" && rule === "dailyRest";
    if (isRest && touches(inTeam, start, end)) found.push("team");
    if (isRest && found.length === 0) found.push("ferry");
    return found;
  };
}
