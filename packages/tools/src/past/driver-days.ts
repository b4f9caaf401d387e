import { MINUTE, type RecordedActivity } from "./recorded-activities.ts";
import { partsOf } from "./vehicle-days.ts";
import { type Part, pointAt } from "./vehicle-trips.ts";

/** Joins what touches and is of one kind: rest, or not. */
function stretchesIn({ start, end }: Part, activities: readonly RecordedActivity[], now: number) {
  const stretches: { kind: "stop" | "rest"; start: number; end: number; isOpen: boolean; first: RecordedActivity; drivers: Set<string> }[] =
    [];
  for (const first of activities) {
    const [from, until] = [Math.max(first.start, start), Math.min(first.end ?? now, end)];
    const kind = first.kind === "rest" ? "rest" : "stop";
    const isOpen = first.end === undefined;
    const last = stretches.at(-1);
    if (until <= from && !isOpen) continue;
    if (last?.kind === kind && from - last.end <= MINUTE) {
      Object.assign(last, { end: Math.max(last.end, until), isOpen: last.isOpen || isOpen });
      last.drivers.add(first.driver);
    } else stretches.push({ kind, start: from, end: until, isOpen, first, drivers: new Set([first.driver]) });
  }
  return stretches;
}

/**
 * Returns what a driver did with a vehicle, from this driver's activities alone. Others may have driven it while the driver rested, or while nothing is recorded of
 * the driver: a rest only says where the vehicle was left, and the rest of the time is left out.
 */
function* driverPartsOf(...[activities, read, now]: Parameters<typeof partsOf>): Generator<void, Part[], void> {
  const parts = yield* partsOf(activities, read, now);
  const moving = new Set(parts.flatMap(({ drives }) => drives));
  let first = 0;
  return parts.flatMap((part): Part[] => {
    if (part.kind !== "stop") return part.kind === "gap" ? [] : [part];
    while ((activities[first]?.end ?? now) < part.start) first++;
    const within = activities.slice(first).filter((one) => one.start < part.end && (one.end ?? now) >= part.start && !moving.has(one));
    return stretchesIn(part, within, now).map(({ kind, start, end, isOpen, first, drivers }): Part => {
      const from = part.isWithheld ? undefined : (pointAt("start", first) ?? part.from);
      const isCut = { start: start <= read.start, end: end >= read.end && read.end < now };
      return { ...part, kind, start, end, isCut, drivers, isOpen: part.isOpen && isOpen, from, to: from, unrecorded: 0, remarks: [] };
    });
  });
}

/** Returns the function that tells the days of the vehicles in a past. */
export const partsIn = ({ isOfDriver }: { isOfDriver: boolean }): typeof partsOf => (isOfDriver ? driverPartsOf : partsOf);
