import type { Span } from "../text/read-period.ts";

/** Times are rounded: what overlaps by no more is no overlap. */
const ROUNDING = 60_000;

/** Returns how long some of these spans last, in milliseconds. Where they overlap, the time counts once. */
export function lengthOfUnion(spans: readonly Span[]): number {
  let [total, reached] = [0, Number.NEGATIVE_INFINITY];
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    total += Math.max(0, end - Math.max(start, reached));
    reached = Math.max(reached, end);
  }
  return total;
}

/** Returns these spans, sorted by start, in groups: those that overlap, if only through others, are in one. */
export function overlapping<Item extends Span>(spans: readonly Item[]): Item[][] {
  const groups: Item[][] = [];
  let reached = Number.NEGATIVE_INFINITY;
  for (const span of spans) {
    if (span.start < reached - ROUNDING) groups.at(-1)?.push(span);
    else groups.push([span]);
    reached = Math.max(reached, span.end);
  }
  return groups;
}

/** Returns which part of each span counts, from 0 to 1: of those that overlap, the longest first, and of the others what it does not cover. */
export function sharesOf<Item extends Span>(spans: readonly Item[]): [item: Item, share: number][] {
  return overlapping(spans).flatMap((group) => {
    if (group.length === 1) return group.map((item): [Item, number] => [item, 1]);
    const counted: Span[] = [];
    return group
      .toSorted((a, b) => b.end - b.start - (a.end - a.start))
      .map((item): [Item, number] => {
        const added = lengthOfUnion([...counted, item]) - lengthOfUnion(counted);
        const length = item.end - item.start;
        counted.push(item);
        if (length - added <= ROUNDING && added > ROUNDING) return [item, 1];
        return [item, added <= ROUNDING ? 0 : added / length];
      });
  });
}
