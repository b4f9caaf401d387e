import type { FleetContext } from "../fleet/fleet-context.ts";
import { TimeSlices } from "../runtime/time-slices.ts";
import type { Span } from "../text/read-period.ts";
import { partsIn } from "./driver-days.ts";
import { type Past, type PastOf, type PastVehicle, readPast } from "./read-past.ts";
import type { Part } from "./vehicle-trips.ts";

const DAY = 24 * 3_600_000;
/** How far before and after a period to look for the ends of what lasts over its edges, in days. Most vehicles drive daily; some stand over a weekend, or for weeks. */
export const REACH = [1, 4, 30];
/** Edges of more vehicles than this, times the days, are left as they are: reading them would take too long. */
const MAX_VEHICLE_DAYS = 1000;

/** What a vehicle did. */
export interface Day {
  vehicle: PastVehicle;
  parts: Part[];
}

export interface ReadParts {
  past: Past;
  days: Day[];
  /** What was read: the period, and what is around it. */
  read: Span;
}

/** Reads what vehicles did in a period. What lasts over its edges is read until both ends are known, as far as {@link REACH} allows; so is what a single vehicle did, or whoever is `sought`, if nothing is recorded in the period. */
export async function readParts(of: PastOf, period: Span, context: FleetContext, isSought = false): Promise<ReadParts> {
  const now = context.now();
  const { start, end } = period;
  for (let at = 0; ; at++) {
    const reach = (REACH[at] ?? 0) * DAY;
    const read = { start: start - reach, end: Math.min(now, end + reach) };
    const past = await readPast(of, read, context);
    const days: Day[] = [];
    const slices = new TimeSlices();
    for (const vehicle of past.vehicles) {
      days.push({ vehicle, parts: await slices.run(partsIn(past)(vehicle.activities, read, now)) });
      if (slices.isOver) await slices.next();
    }
    const within = days.flatMap(({ parts }) => parts.filter((part) => part.start < end && (part.end > start || part.isOpen)));
    const isWhole = within.every(({ isCut }) => !isCut.start && !(isCut.end && read.end < now));
    const isFound = within.length > 0 || !(isSought || past.asked);
    const next = REACH[at + 1];
    const isFar = next !== undefined && (2 * next * DAY + end - start) * days.length > MAX_VEHICLE_DAYS * DAY;
    if (next === undefined || isFar || (isWhole && isFound)) return { past, days, read };
  }
}
