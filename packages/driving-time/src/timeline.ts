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

/** Shorter gaps and overlaps are due to rounded times. */
const ROUNDING = MINUTE;

/** Activities in order, cut at the time of the question, with the ends of open ones, and without those that have no positive duration. */
export function withEnds(activities: readonly Activity[], at: number): (Activity & Period)[] {
  const ordered = [...activities].sort((a, b) => a.start - b.start);
  let following = 0;
  return ordered.flatMap((one, index) => {
    while (following <= index || (ordered[following]?.start ?? Number.POSITIVE_INFINITY) === one.start) following++;
    const end = Math.min(one.end ?? ordered[following]?.start ?? at, at);
    return end > one.start ? [one.end === end ? (one as Activity & Period) : { ...one, end }] : [];
  });
}

/** Adds a span, or extends the last one if it is of the same kind. */
function append(spans: Omit<Span, "run">[], kind: Span["kind"], start: number, end: number): void {
  const last = spans.at(-1);
  if (last?.kind === kind) last.end = end;
  else spans.push({ kind, start, end });
}

/** Adds to each span the uninterrupted period of rest and unknown time around it. */
function withRuns(spans: readonly Omit<Span, "run">[]): Span[] {
  let run: Period | undefined;
  return spans.map(({ kind, start, end }) => {
    if (kind !== "rest" && kind !== "unknown") run = undefined;
    else if (run) run.end = end;
    else run = { start, end };
    return { kind, start, end, run: run ?? { start, end } };
  });
}

/** The beginning of the calendar minute nearest to an instant: a minute is of what lasted longest in it, and of the last if two lasted as long. */
export const nearestMinute = (instant: number): number => Math.ceil(instant / MINUTE - 0.5) * MINUTE;

/** Makes a timeline one of whole minutes, as tachographs record them (Regulation (EU) 2016/799, Annex I C, 051 and 052). */
export function inMinutes({ spans, contradictions }: Timeline): Timeline {
  const rounded = <Part extends Period>(parts: readonly Part[]) =>
    parts
      .map((part) => ({ ...part, start: nearestMinute(part.start), end: nearestMinute(part.end) }))
      .filter(({ start, end }) => end > start);
  const joined: Omit<Span, "run">[] = [];
  for (const { kind, start, end } of rounded(spans)) append(joined, kind, start, end);
  return { spans: withRuns(joined), contradictions: rounded(contradictions) };
}

/** Orders activities as they may come from a service: in any order, repeated, overlapping, with gaps, or still in progress. */
export function timelineOf(activities: readonly Activity[], at: number): Timeline {
  const ended = withEnds(activities, at);
  const [starts, ends] = [Float64Array.from(ended, ({ start }) => start), Float64Array.from(ended, ({ end }) => end)];
  const levels = ended.map(({ kind }) => STRICTEST_FIRST.indexOf(kind === "break" ? "rest" : kind));
  const unknown = STRICTEST_FIRST.indexOf("unknown");
  const byEnd = ended.map((_, index) => index).sort((a, b) => (ends[a] as number) - (ends[b] as number));
  const counts = STRICTEST_FIRST.map(() => 0);
  const spans: Omit<Span, "run">[] = [];
  const contradictions: Period[] = [];
  let reached = Number.NEGATIVE_INFINITY;
  const reach = (time: number) => {
    if (time === reached) return;
    let strictest = 0;
    while (counts[strictest] === 0) strictest++;
    const isIdle = strictest === counts.length;
    const isRounding = isIdle && time - reached < ROUNDING;
    append(spans, (isRounding ? spans.at(-1)?.kind : STRICTEST_FIRST[strictest]) ?? "unknown", reached, time);
    let weaker = strictest + 1;
    while (weaker < counts.length && (counts[weaker] === 0 || weaker === unknown)) weaker++;
    const last = contradictions.at(-1);
    if (weaker < counts.length && last?.end === reached) last.end = time;
    else if (weaker < counts.length) contradictions.push({ start: reached, end: time });
    reached = time;
  };
  const change = (index: number, by: number) => {
    const level = levels[index] as number;
    counts[level] = (counts[level] as number) + by;
  };
  let next = 0;
  for (const ending of byEnd) {
    const end = ends[ending] as number;
    for (; next < starts.length && (starts[next] as number) < end; next++) {
      reach(starts[next] as number);
      change(next, 1);
    }
    reach(end);
    change(ending, -1);
  }
  reach(at);
  return { spans: withRuns(spans), contradictions: contradictions.filter(({ start, end }) => end - start >= ROUNDING) };
}

/**
 * A value that gaps in the data leave uncertain: the correct one lies between the two, whatever happened in the gaps. Without gaps, both are
 * equal. `atMost` is `Infinity`, or an instant in `atLeast` is `-Infinity`, if the data does not reach back far enough.
 */
export interface Range {
  atLeast: number;
  atMost: number;
}

export const exactly = (value: number): Range => ({ atLeast: value, atMost: value });

export const NOTHING: Range = exactly(0);

export const plus = ({ atLeast, atMost }: Range, least: number, most: number): Range => ({
  atLeast: atLeast + least,
  atMost: atMost + most,
});

/** Returns the smallest range that includes both. */
export function including(known: Range | undefined, { atLeast, atMost }: Range): Range {
  return known ? { atLeast: Math.min(known.atLeast, atLeast), atMost: Math.max(known.atMost, atMost) } : { atLeast, atMost };
}

/** Returns what is left of a limit, at least 0. */
export const leftOf = (limit: Range, { atLeast, atMost }: Range): Range => ({
  atLeast: Math.max(0, limit.atLeast - atMost),
  atMost: Math.max(0, limit.atMost - atLeast),
});

export const smallest = (...ranges: readonly Range[]): Range => ({
  atLeast: Math.min(...ranges.map(({ atLeast }) => atLeast)),
  atMost: Math.min(...ranges.map(({ atMost }) => atMost)),
});
