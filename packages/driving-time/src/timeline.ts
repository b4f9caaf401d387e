import { MINUTE } from "./limits.ts";

/** What a driver did. Tachographs have one symbol for break and rest, so both mean the same here. */
export type ActivityKind = "driving" | "work" | "availability" | "rest" | "break" | "unknown";

/** An activity, with times in milliseconds since 1970. Without an end, it lasts until the next activity begins, or is still in progress. */
export interface Activity {
  kind: ActivityKind;
  start: number;
  end?: number | undefined;
  /** Whether another driver's card was in the vehicle. If absent, unknown: the driver counts as alone unless other activities of the shift say otherwise. */
  team?: boolean | undefined;
  /** Whether the vehicle was on a ferry or train. If absent, unknown. */
  ferry?: boolean | undefined;
  /** Whether the driver entered it by hand. */
  manual?: boolean | undefined;
}

/** A period in milliseconds since 1970. */
export interface Period {
  start: number;
  end: number;
}

/** A part of a timeline. */
export interface Span extends Period {
  kind: Exclude<ActivityKind, "break">;
  /** For rest and unknown time: the whole uninterrupted period of rest and unknown time that contains it. */
  run: Period;
}

/** A driver's activities in order, without overlaps or holes. */
export interface Timeline {
  /** The first is unknown time since `-Infinity`; the last ends at the time of the question. */
  spans: Span[];
  /** Where activities of different kinds overlap. */
  contradictions: Period[];
}

/** Most restrictive kind first: it takes precedence where activities overlap. */
const STRICTEST_FIRST = ["driving", "work", "availability", "rest", "unknown"] as const;

/** The order in which the least restrictive kind takes precedence. */
export const LENIENT_FIRST = ["rest", "availability", "work", "driving", "unknown"] as const;

/** Shorter gaps and overlaps are due to rounded times. */
const ROUNDING = MINUTE;

const isRestful = (kind: Span["kind"]) => kind === "rest" || kind === "unknown";

/** Cuts activities at the time of the question, closes open ones, and drops those without a positive duration. */
function closed(activities: readonly Activity[], at: number): (Period & { kind: ActivityKind })[] {
  const lastFirst = [...activities].sort((a, b) => b.start - a.start);
  let [next, nextStart]: [number | undefined, number | undefined] = [undefined, undefined];
  return lastFirst.flatMap(({ kind, start, end }) => {
    if (start !== nextStart) [next, nextStart] = [nextStart, start];
    const until = Math.min(end ?? next ?? at, at);
    return until > start ? [{ kind, start, end: until }] : [];
  });
}

/** Adds a span, or extends the last one if it is of the same kind. */
function append(spans: Omit<Span, "run">[], kind: Span["kind"], start: number, end: number): void {
  const last = spans.at(-1);
  if (last?.kind === kind) last.end = end;
  else spans.push({ kind, start, end });
}

/** Adds a period, or extends the last one if they touch. */
function extend(periods: Period[], start: number, end: number): void {
  const last = periods.at(-1);
  if (last?.end === start) last.end = end;
  else periods.push({ start, end });
}

/** Adds to each span the uninterrupted period of rest and unknown time around it. */
function withRuns(spans: readonly Omit<Span, "run">[]): Span[] {
  let run: Period | undefined;
  return spans.map(({ kind, start, end }) => {
    if (!isRestful(kind)) run = undefined;
    else if (run) run.end = end;
    else run = { start, end };
    return { kind, start, end, run: run ?? { start, end } };
  });
}

/** Orders activities as they may come from a service: in any order, repeated, overlapping, with gaps, or still in progress. */
export function timelineOf(activities: readonly Activity[], at: number, precedence: readonly Span["kind"][] = STRICTEST_FIRST): Timeline {
  const edges = closed(activities, at).flatMap(({ kind, start, end }) => {
    const level = precedence.indexOf(kind === "break" ? "rest" : kind);
    return [
      { time: start, level, change: 1 },
      { time: end, level, change: -1 },
    ];
  });
  edges.sort((a, b) => a.time - b.time);
  const counts = precedence.map(() => 0);
  const spans: Omit<Span, "run">[] = [];
  const contradictions: Period[] = [];
  let reached = Number.NEGATIVE_INFINITY;
  const reach = (time: number) => {
    if (time === reached) return;
    const strictest = counts.findIndex((count) => count > 0);
    const isRounding = strictest === -1 && time - reached < ROUNDING;
    append(spans, (isRounding ? spans.at(-1)?.kind : precedence[strictest]) ?? "unknown", reached, time);
    const isContradicted = counts.some((count, level) => count > 0 && level > strictest && precedence[level] !== "unknown");
    if (strictest !== -1 && isContradicted) extend(contradictions, reached, time);
    reached = time;
  };
  for (const { time, level, change } of edges) {
    reach(time);
    counts[level] = (counts[level] ?? 0) + change;
  }
  reach(at);
  return { spans: withRuns(spans), contradictions: contradictions.filter(({ start, end }) => end - start >= ROUNDING) };
}
