import type { RecordPlan } from "./masking-plan.ts";

/** What a service sent in place of a possible value, by field: a symbol, so that it appears in no list of fields and in no result. */
export const sentInstead: unique symbol = Symbol("sentInstead");

/** A record without its impossible values. */
export type SentInstead = {
  [sentInstead]?: Readonly<Record<string, unknown>> | undefined;
};

type Fields = Readonly<Record<string, unknown>>;

/** Removes numbers outside their bounds, such as 255%, and points that are none, including 0, 0: the service has no such value. */
export function withoutImpossible(record: Fields, { ranges, points }: Pick<RecordPlan, "ranges" | "points">): Fields {
  let sent: Record<string, unknown> | undefined;
  for (const [field, { min, max }] of ranges) {
    const value = record[field];
    if (typeof value === "number" && (value < min || value > max)) sent = { ...sent, [field]: value };
  }
  for (const [latitude, longitude] of points) {
    const isZero = record[latitude] === 0 && record[longitude] === 0;
    if (!isZero && sent?.[latitude] === undefined && sent?.[longitude] === undefined) continue;
    sent = { ...sent, [latitude]: record[latitude], [longitude]: record[longitude] };
  }
  if (!sent) return record;
  return { ...record, ...Object.fromEntries(Object.keys(sent).map((field) => [field, undefined])), [sentInstead]: sent } as Fields;
}
