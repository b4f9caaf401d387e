import { parseDateTime } from "./parse-date-time.ts";
import type { LivePosition } from "./shapes.generated.ts";

type Dated = Pick<LivePosition, "date" | "privacy">;

/** Whether one record of a vehicle replaces another in the same list: it is later or, at the same instant, the only private one of the two. */
export function isLaterPosition(one: Dated, other: Dated): boolean {
  const [at, otherAt] = [one, other].map(({ date }) => parseDateTime(date) ?? Number.NEGATIVE_INFINITY) as [number, number];
  return at > otherAt || (at === otherAt && one.privacy === true && other.privacy !== true);
}
