import type { Range } from "@fleetwire/driving-time";
import type { TachoRecord } from "../fleet/tacho-records.ts";
import { quotation } from "../text/clip-values.ts";
import { hoursAndMinutes } from "../text/time.ts";

/** Formats a duration; a range if gaps in the data leave it uncertain. */
export function hoursInRange({ atLeast, atMost }: Range): string {
  if (atLeast === atMost) return hoursAndMinutes(atLeast);
  return Number.isFinite(atMost) ? `${hoursAndMinutes(atLeast)}–${hoursAndMinutes(atMost)}` : `${hoursAndMinutes(atLeast)} or more`;
}

const MAX_NAMED = 5;

/** Names drivers about whom nothing can be said, and the words without a known meaning; undefined if there are none. */
export function unknownWordsNote(
  without: readonly { record: TachoRecord; unknownWords: readonly string[] }[],
  nameOf: (record: TachoRecord) => string,
): string | undefined {
  if (without.length === 0) return undefined;
  const words = [...new Set(without.flatMap(({ unknownWords }) => unknownWords))].slice(0, MAX_NAMED);
  const named = without.slice(0, MAX_NAMED).map(({ record }) => nameOf(record));
  const more = without.length > MAX_NAMED ? ` and ${without.length - MAX_NAMED} more` : "";
  return `${named.join(", ")}${more}: not in FLEET_ACTIVITY_WORDS: ${words.map((word) => quotation(word, 30)).join(", ")}`;
}
