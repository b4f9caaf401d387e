import { straightKm } from "@fleetwire/core/internal";
import { isBeside } from "../fleet/activity-words.ts";
import { chained, lengthOfUnion, ROUNDING } from "../fleet/spans.ts";
import { distanceKm, type Point } from "../places/geography.ts";
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
export const NO_END = "its end was not recorded";
/** Says the same of a stop, after which the vehicle was elsewhere. */
export const LEFT = "ended then at the latest, seen elsewhere";
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

export const driversIn = (activities: readonly RecordedActivity[]) => new Set(activities.map(({ driver }) => driver));

/** What a part lacks whose places are withheld. */
export const nowhere = { from: undefined, to: undefined, remarks: [] };

export const ended = ({ end }: RecordedActivity, now: number) => end ?? now;

/** What is so of a stop, unless its records say otherwise. */
export const still = {
  isUnended: false,
  drives: [],
  driving: 0,
  unrecorded: 0,
  isContradicted: false,
  isCut: { start: false, end: false },
};

/** Joins what was driven, sorted by start, into trips. */
export function tripsOf(drives: readonly RecordedActivity[], now: number): Part[] {
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
export function movesIn(activities: readonly RecordedActivity[], now: number): RecordedActivity[] {
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
