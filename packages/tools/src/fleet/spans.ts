import type { RowQuery } from "@fleetwire/core";
import { parseDateTime } from "@fleetwire/core/internal";
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

/** The fields of a record that hold when it began, when it ended, and whether it is in progress. */
export type SpanFields = NonNullable<RowQuery["active"]>;

/**
 * Returns a record without an end that cannot be one, because it is in progress or began later: instead of no end, some services send a past date, or a year
 * such as 1753 or 1900.
 */
export function withoutOddEnd<Fields extends object>(record: Fields, [from, until, inProgress = ""]: SpanFields): Fields {
  const { [from]: start, [until]: end, [inProgress]: isOpen } = record as Readonly<Record<string, unknown>>;
  if (end === undefined || isOpen === false) return record;
  const [began, ended] = [parseDateTime(start), parseDateTime(end)];
  const isBefore = began !== undefined && ended !== undefined && ended < began;
  return isOpen === true || isBefore ? { ...record, [until]: undefined } : record;
}

/** Whether a record may end after an instant: one without a possible end may last until now. */
export function mayEndAfter(record: object, span: SpanFields, instant: number): boolean {
  const ended = parseDateTime((withoutOddEnd(record, span) as Readonly<Record<string, unknown>>)[span[1]]);
  return ended === undefined || ended > instant;
}
