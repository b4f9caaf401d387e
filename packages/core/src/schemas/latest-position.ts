import { parseDateTime } from "./parse-date-time.ts";
import type { LivePosition } from "./shapes.generated.ts";

type Dated = Pick<LivePosition, "date" | "privacy">;

/**
 * Whether one record of a vehicle replaces another in the same list: it is later or, unless their dates show which of them is, the only private one of the two.
 */
export function isLaterPosition(one: Dated, other: Dated): boolean {
  const [at, otherAt] = [parseDateTime(one.date), parseDateTime(other.date)];
  const isPrivate = one.privacy === true;
  const areComparable = at !== undefined && otherAt !== undefined && at !== otherAt;
  if (!areComparable && isPrivate !== (other.privacy === true)) return isPrivate;
  return (at ?? Number.NEGATIVE_INFINITY) > (otherAt ?? Number.NEGATIVE_INFINITY);
}
