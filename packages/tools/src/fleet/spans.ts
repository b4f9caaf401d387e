import type { Span } from "../text/read-period.ts";

/** Times are rounded: what overlaps by no more is no overlap, and what is no farther apart touches, in milliseconds. */
export const ROUNDING = 60_000;

/** Returns spans, sorted by start, in groups: less than `gap` apart or, if it is negative, overlapping by more than that, if only through others. */
export function chained<Item extends Span>(spans: readonly Item[], gap: number): Item[][] {
  const groups: Item[][] = [];
  let reached = Number.NEGATIVE_INFINITY;
  for (const span of spans) {
    if (span.start - reached < gap) groups.at(-1)?.push(span);
    else groups.push([span]);
    reached = Math.max(reached, span.end);
  }
  return groups;
}

/** Returns how long some spans last, in milliseconds. Where they overlap, the time counts once. */
export function lengthOfUnion(spans: readonly Span[]): number {
  let [total, reached] = [0, Number.NEGATIVE_INFINITY];
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    total += Math.max(0, end - Math.max(start, reached));
    reached = Math.max(reached, end);
  }
  return total;
}
