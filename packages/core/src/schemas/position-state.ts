import { parseDateTime } from "./parse-date-time.ts";
import type { LivePosition } from "./shapes.generated.ts";

/** Position sensors report lower speeds for parked vehicles too. In km/h. */
const MIN_SPEED = 5;
/** A moving vehicle reports every few minutes. */
const MAX_MINUTES = 10;
export const MOVING_MAX_AGE: number = MAX_MINUTES * 60_000;

/** What {@link isMoving} means, in words. */
export const MOVING: string = `driving or over ${MIN_SPEED} km/h, reported in the last ${MAX_MINUTES} min`;

type Motion = Pick<LivePosition, "eventType" | "speed" | "ignitionStatus">;

/** Whether the ignition was off. The values of ignitionStatus are undocumented. */
export const isIgnitionOff = (ignition: string | undefined): boolean => ignition !== undefined && /(?:^|[^a-z])off$/i.test(ignition);

/** Whether a vehicle was moving when it reported its position. A trailer has no ignition and reports pings, so its speed counts alone. */
export function wasMoving({ eventType, speed = 0, ignitionStatus }: Motion): boolean {
  if (eventType === "stopped" || eventType === "idling") return false;
  if (eventType !== "ping" && isIgnitionOff(ignitionStatus)) return false;
  return eventType === "driving" || speed > MIN_SPEED;
}

/** Whether a vehicle is moving now: it was when it last reported, within the last ten minutes. A record without a valid date is not recent. */
export function isMoving(position: Motion & Pick<LivePosition, "date">, now: number): boolean {
  const at = parseDateTime(position.date);
  return at !== undefined && Math.abs(now - at) <= MOVING_MAX_AGE && wasMoving(position);
}

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

/** A fuel or battery level below this needs attention, in percent. */
export const LOW_PERCENT = 20;

/** Even a stationary vehicle reports at least once a day. */
export const SILENT_HOURS = 24;
