import { isBeside } from "../fleet/activity-words.ts";
import { distanceKm } from "../places/geography.ts";
import type { Span } from "../text/read-period.ts";
import { MINUTE, type RecordedActivity } from "./recorded-activities.ts";
import { driversIn, ended, isSamePlace, LEFT, movesIn, NO_END, nowhere, type Part, pointAt, still, tripsOf } from "./vehicle-trips.ts";

/** Trips that are told in one step. */
const STEP = 64;

/** Returns the activities up to the time when somebody else drives: who rests has left the vehicle by then, unless the card stays beside the driver's. */
function withoutLeft(resting: readonly RecordedActivity[], moves: readonly RecordedActivity[], now: number): RecordedActivity[] {
  let next = 0;
  return resting.flatMap((activity) => {
    while ((moves[next]?.start ?? Number.POSITIVE_INFINITY) < activity.start) next++;
    if (isBeside(activity.recorded)) return [activity];
    let at = next;
    while (moves[at]?.driver === activity.driver) at++;
    const left = moves[at]?.start ?? Number.POSITIVE_INFINITY;
    return left >= ended(activity, now) ? [activity] : [{ ...activity, end: left }];
  });
}

/** What is recorded of a stand. Its activities begin in it or, in the first stand, before it. */
interface Standing {
  start: number;
  end: number;
  isOpen: boolean;
  before: Part | undefined;
  after: Part | undefined;
  activities: readonly RecordedActivity[];
  /** Until when activities that began earlier last. */
  coveredUntil: number;
  isWithheld: boolean;
}

/** Returns how much of a stand is not recorded, and from when until when. */
function unrecordedIn({ start, end, activities, coveredUntil }: Standing, now: number) {
  let [reached, length, from, until] = [Math.max(start, coveredUntil), 0, end, start];
  const skipTo = (next: number) => {
    if (next <= reached) return;
    length += next - reached;
    [from, until] = [Math.min(from, reached), next];
  };
  for (const activity of activities) {
    skipTo(Math.min(activity.start, end));
    reached = Math.max(reached, ended(activity, now));
  }
  skipTo(end);
  return { length: length > MINUTE ? length : 0, from, until };
}

/** Returns the stop between two trips or, if the vehicle was elsewhere at its end, what is known of how it got there. */
function partsBetween(standing: Standing, now: number): Part[] {
  const { start, end, isOpen, before, after, activities, isWithheld } = standing;
  if (before?.isUnended) {
    const found = Math.min(end, activities[0]?.start ?? end);
    const gap: Part = {
      ...{ ...still, ...nowhere, kind: "gap", start, end: found, isOpen: false, isWithheld, drivers: new Set() },
      ...{ unrecorded: found - start, remarks: ["nothing recorded"] },
    };
    const later = found < end ? partsBetween({ ...standing, start: found, before: undefined }, now) : [];
    return [...(found > start ? [gap] : []), ...later];
  }
  if (isWithheld) {
    const { length } = unrecordedIn(standing, now);
    return [{ ...still, ...nowhere, kind: "stop", start, end, isOpen, isWithheld, drivers: driversIn(activities), unrecorded: length }];
  }
  // Who rests since longer may have left the vehicle elsewhere.
  const atStart = activities.findLast((activity) => activity.start <= start) ?? activities[0];
  const atEnd = activities.at(-1);
  const from = before?.to ?? (atStart && (pointAt("start", atStart) ?? pointAt("end", atStart)));
  const to = after?.from ?? (atEnd && (pointAt("end", atEnd) ?? pointAt("start", atEnd)));
  const unrecorded = unrecordedIn(standing, now);
  const unended = activities.filter(({ isUnended, end: last }) => isUnended && last === end);
  const remarks = unended.slice(0, 1).map(() => (unended.some(({ kind }) => kind === "rest") ? LEFT : NO_END));
  const common = { ...still, isWithheld, drivers: driversIn(activities), remarks: [] };
  const stop = (part: Pick<Part, "start" | "end" | "isOpen" | "from"> & Partial<Part>): Part => ({
    ...{ ...common, kind: "stop", to: part.from },
    ...part,
  });
  if (!from || !to || isSamePlace(from, to))
    return [stop({ start, end, isOpen, from: from ?? to, unrecorded: unrecorded.length, remarks })];
  // Nobody says how it came there.
  if (!before && atEnd) return [stop({ start: Math.max(start, atEnd.start), end, isOpen, from: to })];
  const away = `${Math.round(distanceKm(from, to))} km away`;
  if (unrecorded.length === 0) return [stop({ start, end, isOpen, from, to, remarks: [`ends ${away} without driving (ferry, towed?)`] })];
  const { from: lost, until: found } = unrecorded;
  return [
    ...(lost > start ? [stop({ start, end: lost, isOpen: false, from })] : []),
    {
      ...{ ...common, kind: "gap", start: lost, end: found, isOpen: false, from, to, drivers: new Set<string>() },
      ...{ unrecorded: unrecorded.length, remarks: [`nothing recorded, found ${away}`] },
    },
    ...(end > found ? [stop({ start: found, end, isOpen, from: to })] : []),
  ];
}

/** Marks what may have begun before or ended after what was read, or is recorded, and lets it end there: what is recorded later may say that it ended earlier. */
function withCuts(parts: Part[], { start: since, end: until }: Span, now: number): Part[] {
  const [first, last] = [parts[0], parts.at(-1)];
  if (first && (first.kind !== "trip" || first.start <= since)) parts[0] = { ...first, isCut: { start: true, end: false } };
  const start = parts.at(-1)?.isCut.start === true;
  if (last && until < now && last.end >= until)
    parts[parts.length - 1] = { ...last, end: Math.max(last.start, until), isOpen: false, isCut: { start, end: true } };
  else if (last && last.kind !== "trip" && !last.isOpen && !last.remarks.includes(LEFT) && !last.remarks.includes(NO_END))
    parts[parts.length - 1] = { ...last, isCut: { start, end: true } };
  return parts;
}

/**
 * Returns what a vehicle did, in order, from the activities of all its drivers, sorted by start. Somebody who rests elsewhere counts until somebody else drives.
 * Nothing is known before and after the time that was read. A long time takes several steps.
 */
export function* partsOf(
  activities: readonly RecordedActivity[],
  { start: since, end: until }: Span,
  now: number,
): Generator<void, Part[], void> {
  const moves = movesIn(activities, now);
  yield;
  const trips = tripsOf(moves, now);
  const moving = new Set(moves);
  const standing = activities.filter((activity) => !moving.has(activity));
  const resting = withoutLeft(standing, moves, now).filter((activity) => ended(activity, now) > since);
  const first = Math.max(since, Math.min(trips[0]?.start ?? now, resting[0]?.start ?? now));
  const last = resting.reduce((end, one) => Math.max(end, ended(one, now)), trips.at(-1)?.end ?? since);
  const parts: Part[] = [];
  let [next, coveredUntil, withheldUntil, isOpen] = [0, since, since, false];
  for (let index = 0; index <= trips.length; index++) {
    if (index % STEP === 0) yield;
    const [before, after] = [trips[index - 1], trips[index]];
    if (before) parts.push(before.isWithheld ? { ...before, ...nowhere } : before);
    const [start, end] = [before?.end ?? first, after?.start ?? last];
    const covered = coveredUntil;
    const inside: RecordedActivity[] = [];
    for (let activity = resting[next]; activity && activity.start < end; activity = resting[++next]) {
      if (index === 0 || activity.start >= start) inside.push(activity);
      coveredUntil = Math.max(coveredUntil, ended(activity, now));
      if (activity.isWithheld) withheldUntil = Math.max(withheldUntil, ended(activity, now));
      isOpen ||= activity.end === undefined;
    }
    if (end <= start) continue;
    const isWithheld = withheldUntil > start || before?.isWithheld === true || after?.isWithheld === true;
    const stand = { start, end, before, after, activities: inside, coveredUntil: covered, isWithheld };
    parts.push(...partsBetween({ ...stand, isOpen: after === undefined && isOpen }, now));
  }
  return withCuts(parts, { start: since, end: until }, now);
}

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
