import type { Period, Span } from "./timeline.ts";

/** An uninterrupted period of rest and unknown time. */
export interface RestPeriod extends Period {
  /** What is certainly rest, in order. */
  rests: readonly Period[];
  /** Whether all of it is rest. */
  isCertain: boolean;
}

const lengthOf = ({ start, end }: Period) => end - start;

/** Returns the last rest that certainly has at least this length. */
export const lastRest = ({ rests }: RestPeriod, least: number): Period | undefined => rests.findLast((rest) => lengthOf(rest) >= least);

/** The longest possible rest, in milliseconds. */
export const possibleLength = (rest: RestPeriod): number => lengthOf(rest);

/** Returns the periods of rest and unknown time in order, skipping all others. */
export function restPeriods(spans: readonly Span[]): RestPeriod[] {
  const periods: (RestPeriod & { rests: Period[] })[] = [];
  for (const { kind, start, end, run } of spans) {
    if (kind !== "rest" && kind !== "unknown") continue;
    if (run.start === start) periods.push({ ...run, rests: [], isCertain: true });
    const period = periods[periods.length - 1] as (typeof periods)[number];
    period.end = run.end;
    if (kind === "rest") period.rests.push({ start, end });
    else period.isCertain = false;
  }
  return periods;
}
