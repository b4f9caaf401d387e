import type { TachoActivity } from "@fleetwire/core";
import { LIMITS } from "@fleetwire/driving-time";
import { type ReadActivity, readActivities } from "../fleet/activity-words.ts";
import { lengthOfUnion } from "../fleet/spans.ts";
import type { ActivityWords } from "../model/settings.ts";
import type { Span } from "../text/read-period.ts";
import { plateOf } from "../text/spelling.ts";

/** A shift, clipped to the window. */
interface Shift extends Span {
  /** Whether it is still in progress. */
  isOpen: boolean;
  /** Whether nobody ended it: it may have gone on after its end. */
  isUnended: boolean;
  /** Whether it may have begun before the window, or end after it. */
  isCut: { start: boolean; end: boolean };
}

/** What a driver did within a window. Durations are in milliseconds; overlapping activities count once. */
export interface WorkedTime {
  driving: number;
  work: number;
  availability: number;
  /** Rest within shifts. */
  breaks: number;
  shifts: Shift[];
  /** Activities of unknown meaning, by their words. */
  other: ReadonlyMap<string, number>;
  /** The vehicles driven or worked in. */
  vehicles: string[];
  /** Activities without readable times. */
  unread: number;
}

/** A rest of this length ends a shift (Regulation (EC) 561/2006, Article 4(g)). */
const { reducedDailyRest: DAILY_REST } = LIMITS;

type Clipped = ReturnType<typeof clipped>;

function clipped(read: ReadActivity, activity: TachoActivity, window: Span, now: number) {
  const start = Math.max(read.start, window.start);
  const isOpen = read.end === undefined && now <= window.end;
  return {
    ...{ kind: read.kind, word: read.word, start, end: Math.min(read.end ?? now, window.end), isOpen },
    isUnended: read.isUnended === true && (read.end ?? now) <= window.end && start <= window.end,
    isStart: activity.isStartOfShift === true && start === read.start,
    isEnd: activity.isEndOfShift === true && (read.end ?? now) <= window.end,
  };
}

/** Joins everything but rest into shifts. A shift begins where the service says so, or after a daily rest. */
function shiftsOf(activities: readonly Clipped[], window: Span): Shift[] {
  const shifts: (Shift & { hasEnded: boolean })[] = [];
  for (const { kind, start, end, isOpen, isUnended, isStart, isEnd } of activities) {
    const last = shifts.at(-1);
    if (kind === "rest") {
      // A break in progress belongs to the shift, unless the service says that the shift has ended.
      if (last && isOpen && !last.hasEnded && end - start < DAILY_REST) Object.assign(last, { end, isOpen });
    } else if (last && !(isStart && start >= last.end) && start - last.end < DAILY_REST) {
      last.end = Math.max(last.end, end);
      last.isOpen ||= isOpen;
      last.isUnended = isUnended;
      last.hasEnded ||= isEnd;
    } else {
      const isCut = { start: start === window.start && !isStart, end: false };
      shifts.push({ start, end, isOpen, isUnended, isCut, hasEnded: isEnd });
    }
  }
  for (const { end, isOpen, isCut, hasEnded } of shifts) isCut.end = end === window.end && !isOpen && !hasEnded;
  return shifts;
}

/** Returns a function that adds up a driver's activities within a window. */
export function workedTimes(activities: readonly TachoActivity[], words: ActivityWords, now: number): (window: Span) => WorkedTime {
  const times = readActivities(activities, words, now);
  // The same entry may be on two pages.
  const unread = new Set(activities.flatMap((activity, at) => (times[at] ? [] : [JSON.stringify(activity)]))).size;
  return (window) => {
    const read = activities.flatMap((activity, at) => {
      const { [at]: time } = times;
      const isNear = time && time.start <= window.end && (time.end ?? now) >= window.start;
      return isNear ? [{ activity, at: clipped(time, activity, window, now) }] : [];
    });
    return { ...workedIn(read, window), unread };
  };
}

function workedIn(read: readonly { activity: TachoActivity; at: Clipped }[], window: Span): Omit<WorkedTime, "unread"> {
  const within = read.flatMap(({ at }) => (at.end > at.start || ((at.isOpen || at.isUnended) && at.end === at.start) ? [at] : []));
  within.sort((a, b) => a.start - b.start);
  const ofKinds = (...kinds: string[]) => within.filter(({ kind = "" }) => kinds.includes(kind));
  const shifts = shiftsOf(
    within.filter(({ kind }) => kind !== undefined && kind !== "unknown"),
    window,
  );
  const inShifts = (rest: Span) =>
    shifts
      .map(({ start, end }) => ({ start: Math.max(start, rest.start), end: Math.min(end, rest.end) }))
      .filter(({ start, end }) => end > start);
  const unmapped = [...new Set(within.flatMap(({ kind, word }) => (kind === undefined ? [word] : [])))].sort();
  const inVehicle = read.flatMap(({ at, activity: { vehicleFriendlyName, assetRegistration } }) =>
    at.end > at.start && at.kind !== "rest" ? (vehicleFriendlyName ?? assetRegistration ?? []) : [],
  );
  // Where activities of different kinds overlap, the first of these kinds counts, as in driving time.
  const driving = lengthOfUnion(ofKinds("driving"));
  const working = lengthOfUnion(ofKinds("driving", "work"));
  const active = ofKinds("driving", "work", "availability");
  return {
    driving,
    work: working - driving,
    availability: lengthOfUnion(active) - working,
    breaks: lengthOfUnion([...active, ...ofKinds("rest").flatMap(inShifts)]) - lengthOfUnion(active),
    shifts,
    other: new Map(unmapped.map((word) => [word, lengthOfUnion(within.filter((one) => one.kind === undefined && one.word === word))])),
    vehicles: [...new Map(inVehicle.map((name) => [plateOf(name), name])).values()],
  };
}
