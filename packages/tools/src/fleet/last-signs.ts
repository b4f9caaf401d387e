import type { TachoActivity } from "@fleetwire/core";
import { isIgnitionOff, MOVING_MAX_AGE, parseDateTime, wasMoving } from "@fleetwire/core/internal";
import type { ActivityWords } from "../model/settings.ts";
import { forEachInSlices, TimeSlices } from "../runtime/time-slices.ts";
import { plateOf } from "../text/spelling.ts";
import { isBeside, KNOWN_UNTIL, meaningOf, type ReadActivity, readActivities, type TachoRecord } from "./activity-words.ts";
import type { FleetView } from "./fleet-view.ts";
import type { Position } from "./position.ts";

const MINUTE = 60_000;
/** Vehicles at rest report less often than moving ones. */
const STANDING_MAX_AGE = 60 * MINUTE;
/** Nobody drives longer without a break: beyond this, an activity that nothing but its own record shows is not believed. */
const PLAUSIBLE = 270 * MINUTE;
/** No shift lasts longer: beyond this, a live position does not show that what began then has gone on. */
const LONGEST_SHIFT = 15 * 60 * MINUTE;

type Recorded = TachoRecord["activities"][number];

/** An activity without an end that may be over. A rest is none: nothing has to happen while it goes on, wherever the vehicle is. */
interface Unended {
  record: TachoRecord;
  activity: Recorded;
  read: ReadActivity;
}

/** The day before a time: most texts of earlier times are told from later ones by it, without being read. */
const dayBefore = (time: number) => new Date(time - 24 * 60 * MINUTE).toISOString().slice(0, 10);

/** Returns the activities without an end that may be over. */
export async function unendedIn(records: readonly TachoRecord[], words: ActivityWords, now: number): Promise<Unended[]> {
  const unended: Unended[] = [];
  const slices = new TimeSlices();
  const lately = dayBefore(now);
  const mayBeOpen = ({ endTime = "", inProgress, activity = "" }: TachoActivity) =>
    (inProgress === true || (endTime > lately && (parseDateTime(endTime) ?? 0) > now)) && meaningOf(activity, words) !== "rest";
  for (const record of records) {
    const open = new Set<TachoActivity>();
    await slices.each(record.activities, (activity) => mayBeOpen(activity) && open.add(activity));
    if (open.size === 0) continue;
    for (const [at, read] of readActivities(record.activities, words, now).entries()) {
      const { [at]: activity } = record.activities;
      if (read && activity && open.has(activity) && read.start <= now) unended.push({ record, activity, read });
    }
  }
  return unended;
}

/** Whether somebody drove, or had the card in the driver's slot. */
const isAtWheel = (activity: TachoActivity, words: ActivityWords) =>
  !isBeside(activity) && (activity.driverCardSlot === 1 || meaningOf(activity.activity ?? "", words) === "driving");

const keysOf = ({ assetId, assetRegistration }: Pick<TachoActivity, "assetId" | "assetRegistration">): string[] => [
  ...(assetId ? [`id ${assetId}`] : []),
  ...(assetRegistration ? [`plate ${plateOf(assetRegistration)}`] : []),
];

/** What live positions tell of an activity, at a time. */
interface Sign {
  at: number;
  /** Whether the activity may have gone on. */
  agrees: boolean;
  /** Whether the position names the driver. */
  isNamed: boolean;
}

const hasStopped = ({ eventType, ignitionStatus }: Position) => eventType === "stopped" || isIgnitionOff(ignitionStatus);

const positionsByVehicle = Symbol("positions by vehicle");

/** Returns a function that reads the last sign of life of an activity in live positions. */
export async function liveSigns(fleet: FleetView | undefined, now: number): Promise<(unended: Unended) => Sign | undefined> {
  const byVehicle = await fleet?.once(positionsByVehicle, async () => {
    const positions = new Map<string, Position>();
    await forEachInSlices(fleet.positions, (position) => {
      for (const key of keysOf(position)) positions.set(key, position);
    });
    return positions;
  });
  const drivers = await fleet?.drivers();
  // A clock that is ahead is no witness; a live position without a date is of now.
  const timeOf = ({ date }: Position) => {
    const at = date === undefined ? now : parseDateTime(date);
    return at === undefined || at > now + MOVING_MAX_AGE ? undefined : Math.min(at, now);
  };
  return ({ record: { driverId }, activity, read }) => {
    const keys = keysOf(activity);
    const vehicle = keys.map((key) => byVehicle?.get(key)).find((position) => position !== undefined);
    const own = driverId === undefined ? undefined : drivers?.get(driverId)?.value.vehicles[0];
    const [at, ownAt] = [vehicle && timeOf(vehicle), own && timeOf(own)];
    if (own && ownAt !== undefined && own !== vehicle && ownAt > (at ?? Number.NEGATIVE_INFINITY))
      return { at: ownAt, agrees: keys.length === 0, isNamed: true };
    if (!vehicle || at === undefined) return undefined;
    const isNamed = driverId !== undefined && vehicle.driverId === driverId;
    const isOthers = driverId !== undefined && vehicle.driverId !== undefined && !isNamed;
    const isOtherwise = read.kind === "driving" ? hasStopped(vehicle) : read.kind !== undefined && wasMoving(vehicle);
    return { at, agrees: isBeside(activity) || !(isOthers || isOtherwise), isNamed };
  };
}

const maxAge = ({ kind }: ReadActivity) => (kind === "driving" ? MOVING_MAX_AGE : STANDING_MAX_AGE);

/** Whether other drivers' records are not needed to tell that an activity goes on. */
export const isSettled = ({ read }: Unended, sign: Sign | undefined, now: number): boolean =>
  now - read.start <= MOVING_MAX_AGE ||
  (sign?.agrees === true && sign.isNamed && now - sign.at <= maxAge(read) && now - read.start <= PLAUSIBLE);

/** Returns until when an activity certainly lasted if it may be over since; undefined if it goes on, or ends with the driver's next. */
function knownUntil({ read }: Unended, sign: Sign | undefined, takenOver: number | undefined, now: number): number | undefined {
  const { start, end } = read;
  const latest = Math.min(end ?? now, takenOver ?? now);
  const seen = sign?.agrees && sign.at > start && sign.at <= latest ? sign.at : undefined;
  if (end !== undefined && end <= latest) return end - start <= PLAUSIBLE ? undefined : (seen ?? start);
  if (takenOver !== undefined) return takenOver - start <= PLAUSIBLE ? takenOver : (seen ?? start);
  if (!sign) return now - start <= PLAUSIBLE ? undefined : start;
  const last = Math.max(sign.at, start);
  if (last - start > LONGEST_SHIFT) return start;
  if (sign.agrees) return now - last <= maxAge(read) ? undefined : last;
  return last - start <= PLAUSIBLE ? last : start;
}

/**
 * Marks the activities that nobody ended with the time until which they certainly lasted: the last sign of life of the vehicle or the driver. Unless the next
 * activity ends it, or a live position shows that it goes on, what follows is unknown.
 */
export async function withKnownEnds(
  records: readonly TachoRecord[],
  unended: readonly Unended[],
  everyone: readonly TachoRecord[],
  signOf: (unended: Unended) => Sign | undefined,
  words: ActivityWords,
  now: number,
): Promise<TachoRecord[]> {
  const byVehicle = new Map<string, Unended[]>();
  for (const one of unended) for (const key of keysOf(one.activity)) byVehicle.set(key, [...(byVehicle.get(key) ?? []), one]);
  const takenOver = new Map<Unended, number>();
  const isOf = ({ record }: Unended, { driverId, driverKeys }: TachoRecord) =>
    driverId === undefined || record.driverId === undefined
      ? driverKeys.some((key) => record.driverKeys.includes(key))
      : driverId === record.driverId;
  const since = dayBefore(Math.min(now, ...unended.map(({ read }) => read.start)));
  const slices = new TimeSlices();
  for (const other of everyone)
    await slices.each(other.activities, (activity) => {
      if ((activity.startTime ?? "") < since) return;
      const open = keysOf(activity).flatMap((key) => byVehicle.get(key) ?? []);
      const start = open.length === 0 ? undefined : parseDateTime(activity.startTime);
      if (start === undefined || start > now) return;
      // Somebody may rest in the vehicle, or sit beside the driver, while another drives.
      for (const one of open)
        if (start > one.read.start && (isOf(one, other) || (isAtWheel(activity, words) && !isBeside(one.activity))))
          takenOver.set(one, Math.min(start, takenOver.get(one) ?? start));
    });
  const known = new Map(
    unended.flatMap((one) => {
      const until = knownUntil(one, signOf(one), takenOver.get(one), now);
      return until === undefined ? [] : [[one.activity, { ...one.activity, [KNOWN_UNTIL]: until }] as const];
    }),
  );
  if (known.size === 0) return [...records];
  const isOfKnown = new Set(unended.map(({ record }) => record));
  return records.map((record) =>
    isOfKnown.has(record) ? { ...record, activities: record.activities.map((one) => known.get(one) ?? one) } : record,
  );
}
