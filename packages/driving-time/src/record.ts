import { DAY, HOUR, LIMITS } from "./limits.ts";
import { type Activity, LENIENT_FIRST, type Period, type Span, type Timeline, timelineOf } from "./timeline.ts";

/**
 * How doubts are resolved. Strict: a gap is driving, and the more restrictive of two contradicting activities counts. Lenient: a gap is rest, as is
 * work that the driver entered by hand, the less restrictive activity counts, and drivers may have been a team or on a ferry.
 */
export type Reading = "strict" | "lenient";

/** A part of a record. */
export interface Stretch extends Period {
  kind: "driving" | "work" | "availability" | "rest";
  /** Whether it contains a gap. */
  hasGap: boolean;
}

/** A rest, which interruptions on a ferry or train may divide. */
export interface Rest extends Period {
  /** Without interruptions. `Infinity` if it contains time without any record. */
  length: number;
  isDoubtful: boolean;
}

/** A driver's activities without gaps, as one reading has them. The first and the last stretch are endless rests. */
export interface Record {
  reading: Reading;
  stretches: Stretch[];
  rests: Rest[];
  /** Where nothing is known, but for time off. */
  gaps: Period[];
  /** Where another driver's card was in the vehicle. */
  inTeam: Period[];
  /** Driving with no, or possibly no, other driver. */
  alone: Period[];
}

/** A gap of this length is not searched for infringements: whatever happened in it, it counts as time off. */
const TIME_OFF = DAY;

const isRest = ({ kind }: Activity) => kind === "rest" || kind === "break" || kind === "unknown";

/** Whether any of the periods, which are in order and do not overlap, shares time with another. */
export function touches(periods: readonly Period[], start: number, end: number): boolean {
  let [low, high] = [0, periods.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((periods[middle] as Period).end > start) high = middle;
    else low = middle + 1;
  }
  return start < end && (periods[low]?.start ?? Number.POSITIVE_INFINITY) < end;
}

function stretchesOf(spans: readonly Omit<Span, "run">[], now: number, reading: Reading): Stretch[] {
  const stretches: Stretch[] = [];
  const add = (kind: Stretch["kind"], start: number, end: number, hasGap: boolean) => {
    const last = stretches.at(-1);
    if (last?.kind === kind) {
      last.end = end;
      last.hasGap ||= hasGap;
    } else stretches.push({ kind, start, end, hasGap });
  };
  for (const { kind, start, end } of spans) {
    if (kind !== "unknown") add(kind, start, end, false);
    else if (end - start >= TIME_OFF || end === now || reading === "lenient") add("rest", start, end, true);
    else add("driving", start, end, true);
  }
  add("rest", now, Number.POSITIVE_INFINITY, true);
  return stretches;
}

/** The length of periods in all. */
export const lengthOf = (periods: readonly Period[]): number => periods.reduce((sum, { start, end }) => sum + end - start, 0);

/** A regular daily or a weekly rest may be interrupted twice, for an hour in all, on a ferry or train (Article 9(1)). */
function interruptedRest(rests: readonly Rest[], canInterrupt: (rest: Period) => boolean): Rest | undefined {
  for (const count of [2, 3]) {
    const parts = rests.slice(0, count);
    const [first, last] = [parts[0] as Rest, parts.at(-1) as Rest];
    const length = lengthOf(parts);
    if (parts.length < count || last.end - first.start - length > HOUR || !parts.every(canInterrupt)) return undefined;
    if (length >= LIMITS.dailyRest) return { start: first.start, end: last.end, length, isDoubtful: parts.some((part) => part.isDoubtful) };
  }
  return undefined;
}

function restsOf(stretches: readonly Stretch[], spans: readonly Omit<Span, "run">[], canInterrupt: (rest: Period) => boolean): Rest[] {
  const off = spans.filter(({ kind, start, end }) => kind === "unknown" && end - start >= TIME_OFF);
  const whole = stretches
    .filter(({ kind }) => kind === "rest")
    .map(({ start, end, hasGap }): Rest => {
      const length = hasGap && touches(off, start, end) ? Number.POSITIVE_INFINITY : end - start;
      return { start, end, length, isDoubtful: hasGap && Number.isFinite(length) };
    });
  const rests: Rest[] = [];
  for (let index = 0; index < whole.length; index++) {
    const rest = whole[index] as Rest;
    const merged = interruptedRest(whole.slice(index, index + 3), canInterrupt);
    // Only a rest that is too short by itself needs the exception.
    const isNeeded =
      merged &&
      !whole.slice(index, index + 3).some((part) => part.end <= merged.end && part.length >= LIMITS.dailyRest && !part.isDoubtful);
    rests.push(isNeeded ? merged : rest);
    while (isNeeded && (whole[index + 1]?.end ?? Number.POSITIVE_INFINITY) <= merged.end) index++;
  }
  return rests;
}

/** What was before counts as unknown, so that odd times of long ago cost nothing. */
function spansSince(spans: readonly Span[], since: number): Omit<Span, "run">[] {
  const start = Number.NEGATIVE_INFINITY;
  const kept = spans.filter(({ end }) => end > since);
  const [first] = kept;
  if (first?.kind === "unknown") return [{ ...first, start }, ...kept.slice(1)];
  return [{ kind: "unknown", start, end: since }, ...kept.map((span) => ({ ...span, start: Math.max(span.start, since) }))];
}

/** Reads activities in both ways, step by step. Without contradictions and manual entries, only gaps, ferries and teams make a difference. */
export function* recordSteps(
  activities: readonly Activity[],
  since: number,
  now: number,
): Generator<void, { [reading in Reading]: Record } & Pick<Timeline, "contradictions">, void> {
  const timeline = timelineOf(activities, now);
  yield;
  const read = activities.map((one): Activity => (one.manual && !isRest(one) ? { ...one, kind: "rest" } : one));
  const isClear = timeline.contradictions.length === 0 && !activities.some(({ manual }) => manual);
  const strictSpans = spansSince(timeline.spans, since);
  const lenientSpans = isClear ? strictSpans : spansSince(timelineOf(read, now, LENIENT_FIRST).spans, since);
  const periodsWhere = (isWanted: (one: Activity) => boolean): Period[] =>
    timelineOf(activities.filter(isWanted), now).spans.flatMap(({ kind, start, end }) => (kind === "unknown" ? [] : [{ start, end }]));
  yield;
  const [onFerry, ashore] = [periodsWhere(({ ferry }) => ferry === true), periodsWhere(({ ferry }) => ferry === false)];
  const inTeam = periodsWhere(({ team }) => team === true);
  yield;
  const surelyAlone = periodsWhere(({ kind, team }) => kind === "driving" && team === false);
  const maybeAlone = inTeam.length === 0 ? [] : periodsWhere(({ kind, team }) => kind === "driving" && team !== true);
  const recordOf = (reading: Reading, spans: readonly Omit<Span, "run">[]): Record => {
    const isLenient = reading === "lenient";
    const stretches = stretchesOf(spans, now, reading);
    const canInterrupt = ({ start, end }: Period) => touches(onFerry, start, end) || (isLenient && !touches(ashore, start, end));
    const gaps = spans.filter(({ kind, start, end }) => kind === "unknown" && end - start < TIME_OFF && end < now);
    return {
      reading,
      stretches,
      gaps,
      rests: restsOf(stretches, spans, canInterrupt),
      inTeam,
      alone: isLenient ? surelyAlone : maybeAlone,
    };
  };
  yield;
  const strict = recordOf("strict", strictSpans);
  yield;
  return { strict, lenient: recordOf("lenient", lenientSpans), contradictions: timeline.contradictions };
}
