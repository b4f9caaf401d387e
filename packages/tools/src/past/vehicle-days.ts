import { straightKm } from "@fleetwire/core/internal";
import { isBeside } from "../fleet/activity-words.ts";
import { chained, lengthOfUnion, ROUNDING } from "../fleet/spans.ts";
import { distanceKm, type Point } from "../places/geography.ts";
import type { Span } from "../text/read-period.ts";
import { MINUTE, type RecordedActivity } from "./recorded-activities.ts";

/** A part of a vehicle's day. `gap`: without records, and elsewhere at its end. `rest`: of a driver, who left the vehicle where it began. */
export interface Part {
  kind: "trip" | "stop" | "gap" | "rest";
  start: number;
  end: number;
  /** Whether it goes on now. */
  isOpen: boolean;
  /** Whether nobody ended it: it may have gone on after its end. */
  isUnended: boolean;
  /** Whether what was not read may tell of an earlier start, or of a later end. */
  isCut: { start: boolean; end: boolean };
  /** Where it begins; of a stop, where it is. */
  from: Point | undefined;
  to: Point | undefined;
  /** Whether its places are withheld. */
  isWithheld: boolean;
  /** The drivers who drove, or who are recorded at a stop, by key. */
  drivers: ReadonlySet<string>;
  /** The activities of a trip in which somebody drove or, if the driver is not recorded, sat beside the driver. */
  drives: readonly RecordedActivity[];
  /** How long somebody drove, and how long nothing was recorded, in milliseconds. */
  driving: number;
  unrecorded: number;
  /** Whether a driver is recorded as driving another vehicle at the time. */
  isContradicted: boolean;
  /** What is odd about the records. */
  remarks: readonly string[];
}

/** Says that nobody ended what was recorded last. */
const NO_END = "its end was not recorded";
/** Says the same of a stop, after which the vehicle was elsewhere. */
const LEFT = "ended then at the latest, seen elsewhere";
/** Shorter stands, such as in front of a barrier, are part of a trip. */
const MIN_STOP = 5 * MINUTE;
/** Positions of a vehicle at rest differ by less than this, in km. */
const SAME_PLACE_KM = 1;

export const isSamePlace = (a: Point, b: Point) => distanceKm(a, b) <= SAME_PLACE_KM;

/** Whether somebody drove. A word of unknown meaning says so if the activity ends elsewhere. */
const isDriving = ({ kind, recorded }: RecordedActivity) =>
  kind === "driving" || ((kind === undefined || kind === "unknown") && (straightKm(recorded) ?? 0) > SAME_PLACE_KM);

/** Whether somebody sat beside a driver while the vehicle moved. */
const isCarried = (activity: RecordedActivity) =>
  isBeside(activity.recorded) && !isDriving(activity) && (straightKm(activity.recorded) ?? 0) > SAME_PLACE_KM;

export const pointAt = (at: "start" | "end", { recorded }: RecordedActivity): Point | undefined => {
  const [latitude, longitude] =
    at === "start" ? [recorded.startLatitude, recorded.startLongitude] : [recorded.endLatitude, recorded.endLongitude];
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
};

/** Where an activity began and ended. One that goes on, or that nobody ended, has no end that is known. */
export const endsOf = (activity: RecordedActivity): Pick<Part, "from" | "to"> => ({
  from: pointAt("start", activity),
  to: activity.end === undefined || activity.isUnended ? undefined : pointAt("end", activity),
});

const driversIn = (activities: readonly RecordedActivity[]) => new Set(activities.map(({ driver }) => driver));

/** What a part lacks whose places are withheld. */
const nowhere = { from: undefined, to: undefined, remarks: [] };

const ended = ({ end }: RecordedActivity, now: number) => end ?? now;

/** What is so of a stop, unless its records say otherwise. */
const still = {
  isUnended: false,
  drives: [],
  driving: 0,
  unrecorded: 0,
  isContradicted: false,
  isCut: { start: false, end: false },
};

/** Joins what was driven, sorted by start, into trips. */
function tripsOf(drives: readonly RecordedActivity[], now: number): Part[] {
  const spans = drives.map((drive) => ({ start: drive.start, end: ended(drive, now), drive }));
  return chained(spans, MIN_STOP).map((spans) => {
    const drives = spans.map(({ drive }) => drive);
    const first = drives[0] as RecordedActivity;
    const last = drives.reduce((a, b) => (ended(b, now) >= ended(a, now) ? b : a));
    const isOpen = drives.some(({ end }) => end === undefined);
    const isUnended = last.isUnended === true;
    const overlap = chained(spans, -ROUNDING).length < spans.length;
    const isContradicted = drives.some((drive) => drive.isContradicted);
    return {
      ...{ ...still, kind: "trip", start: first.start, end: ended(last, now), from: endsOf(first).from },
      to: isOpen ? undefined : endsOf(last).to,
      ...{ isOpen, isUnended, drives, driving: lengthOfUnion(spans), isContradicted },
      isWithheld: drives.some(({ isWithheld }) => isWithheld),
      drivers: driversIn(drives.filter(isDriving)),
      remarks: [
        ...(isUnended ? [NO_END] : []),
        ...(overlap ? ["driving is recorded twice at a time, counted once"] : []),
        ...(isContradicted ? ["its driver is recorded in two vehicles at the time"] : []),
        ...(drives.every(isDriving) ? [] : [`${drives.some(isDriving) ? "in part " : ""}recorded by the second driver only`]),
      ],
    };
  });
}

/** Returns what moved the vehicle, sorted by start: all driving and, where nobody is recorded as driving, what a second driver recorded. */
function movesIn(activities: readonly RecordedActivity[], now: number): RecordedActivity[] {
  const drives = activities.filter(isDriving);
  const carried = activities.filter(isCarried);
  if (carried.length === 0) return drives;
  const trips = tripsOf(drives, now);
  let next = 0;
  const alone = carried.filter((one) => {
    while ((trips[next]?.end ?? Number.POSITIVE_INFINITY) <= one.start) next++;
    return (trips[next]?.start ?? Number.POSITIVE_INFINITY) >= ended(one, now);
  });
  return [...drives, ...alone].sort((a, b) => a.start - b.start);
}

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
function* partsOf(activities: readonly RecordedActivity[], { start: since, end: until }: Span, now: number): Generator<void, Part[], void> {
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

interface Stretch extends Pick<Part, "kind" | "start" | "end" | "isOpen"> {
  first: RecordedActivity;
  drivers: Set<string>;
}

/** Joins what touches and is of one kind: rest, or not. */
function stretchesIn({ start, end }: Part, activities: readonly RecordedActivity[], now: number): Stretch[] {
  const stretches: Stretch[] = [];
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
