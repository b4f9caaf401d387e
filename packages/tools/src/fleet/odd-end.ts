import type { RowQuery } from "@fleetwire/core";
import { parseDateTime } from "@fleetwire/core/internal";

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
