import { parseDateTime, type TachoActivity } from "@fleetwire/core";

export interface Span {
  start: number;
  end: number;
}

/** Time spent in one activity within a window. */
export interface WorkedTime {
  activity: string;
  /** Overlapping entries count once. */
  milliseconds: number;
  entries: number;
  first: number;
  last: number;
  /** Whether the activity is still in progress. */
  open: boolean;
}

function lengthOfUnion(spans: readonly Span[]): number {
  let [total, reached] = [0, Number.NEGATIVE_INFINITY];
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    total += Math.max(0, end - Math.max(start, reached));
    reached = Math.max(reached, end);
  }
  return total;
}

/** Adds up the time of activities by label within a window. `unread` counts activities without readable start and end times. */
export function workedTimes(activities: readonly TachoActivity[], window: Span, now: number): { times: WorkedTime[]; unread: number } {
  const byLabel = new Map<string, (Span & { open: boolean })[]>();
  let unread = 0;
  for (const { activity = "not labelled", startTime, endTime, inProgress } of activities) {
    const start = parseDateTime(startTime);
    // An activity in progress may have no end time, or one in the future.
    const open = inProgress === true;
    const end = open ? Math.min(now, window.end) : parseDateTime(endTime);
    if (start === undefined || end === undefined) {
      unread++;
      continue;
    }
    const span = { start: Math.max(start, window.start), end: Math.min(end, window.end), open };
    if (span.end < span.start || (span.end === span.start && !open)) continue;
    byLabel.set(activity, [...(byLabel.get(activity) ?? []), span]);
  }
  const times = [...byLabel].map(([activity, spans]) => ({
    activity,
    milliseconds: lengthOfUnion(spans),
    entries: spans.length,
    first: Math.min(...spans.map(({ start }) => start)),
    last: Math.max(...spans.map(({ end }) => end)),
    open: spans.some(({ open }) => open),
  }));
  return { times: times.sort((a, b) => (a.activity < b.activity ? -1 : 1)), unread };
}
