import { DAY, HOUR, LIMITS, minutesDown, minutesUp } from "./limits.ts";
import { type Activity, inMinutes, type Period, type Span, type Timeline, timelineOf } from "./timeline.ts";

/**
 * How doubts are resolved. Strict: a gap is driving, and the more restrictive of two contradicting activities counts. Lenient: contradictions, and work
 * that the driver entered by hand, are gaps too; a gap is rest, and drivers may have been a team or on a ferry.
 */
type Reading = "strict" | "lenient";

/** A part of a record. */
export interface Stretch extends Period {
  kind: "driving" | "work" | "availability" | "rest";
  /** Whether it contains a gap that may have been something else. */
  hasGap: boolean;
}

/** A rest, which interruptions on a ferry or train may divide. */
export interface Rest extends Period {
  /** Without interruptions. `Infinity` if it contains time without any record. */
  length: number;
  /** Whether it may have been shorter, or several. Then no rest that the driver took reaches beyond it. */
  isDoubtful: boolean;
  /** Whether it is a weekly rest, or a part of one. */
  isWeekly: boolean;
}

/** A driver's activities without gaps, as one reading has them. The first and the last stretch are endless rests. */
export interface Record {
  reading: Reading;
  stretches: Stretch[];
  rests: Rest[];
  /** Those of 24 hours or more. On a ferry or train, parts of them may be daily rests among the former. */
  weeklyRests: Rest[];
  /** When what is known begins. */
  since: number;
  /** Where nothing is known, but for time off. */
  gaps: Period[];
  /** Where another driver's card was in the vehicle. */
  inTeam: Period[];
  /** The same, even if another activity says otherwise. */
  maybeInTeam: Period[];
  /** Driving with certainly no other driver. */
  alone: Period[];
  /** Driving with no other driver that is known. */
  maybeAlone: Period[];
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

/** Fills time without a record: `off` are the gaps that count as time off. */
function stretchesOf(spans: readonly Omit<Span, "run">[], reading: Reading, now: number, off: readonly Period[]): Stretch[] {
  const stretches: Stretch[] = [];
  const add = (kind: Stretch["kind"], start: number, end: number, hasGap = false) => {
    const last = stretches.at(-1);
    if (last?.kind === kind) {
      last.end = end;
      last.hasGap ||= hasGap;
    } else stretches.push({ kind, start, end, hasGap });
  };
  for (const { kind, start, end } of spans) {
    if (kind !== "unknown") add(kind, start, end);
    else if (touches(off, start, end)) add("rest", start, end);
    else if (reading === "lenient") add("rest", start, end, true);
    else add(end === now ? "rest" : "driving", start, end);
  }
  add("rest", now, Number.POSITIVE_INFINITY);
  return stretches;
}

/** The length of driving or work in all. */
export const lengthOf = (periods: readonly Period[]): number => minutesDown(periods.reduce((sum, { start, end }) => sum + end - start, 0));

/** On ferries: where the vehicle certainly was, and where it may have been. */
interface Ferries {
  isAboard: (rest: Period) => boolean;
  mayBeAboard: (rest: Rest) => boolean;
}

/** More interruptions do not fit into the hour, as tachographs record minutes. */
const MAX_PARTS = 61;

/** How long a rest in parts is at least, and when it needs no more of them. */
type Lengths = Readonly<{ [length in "least" | "enough"]: number }>;

const DAILY: Lengths = { least: LIMITS.dailyRest, enough: LIMITS.dailyRest };
const WEEKLY: Lengths = { least: LIMITS.reducedWeeklyRest, enough: LIMITS.weeklyRest };

/**
 * A regular daily or a weekly rest may be interrupted twice, for an hour in all, on a ferry or train (Article 9(1)). Only one that is too short by
 * itself needs this exception. Where a part is in doubt, however long, all are included that may belong to the rest, as any in doubt may have been no rest.
 */
function interruptedRest(rests: readonly Rest[], index: number, { least, enough }: Lengths, ferries: Ferries): Rest | undefined {
  const parts = rests.slice(index, index + MAX_PARTS);
  const start = (parts[0] as Rest).start;
  let [length, interruptions, certain, isDoubtful] = [0, 0, 0, false];
  let found: Rest | undefined;
  for (const [count, part] of parts.entries()) {
    length += part.length;
    interruptions += minutesDown(part.start - (parts[count - 1]?.end ?? part.start));
    if (!part.isDoubtful) certain++;
    isDoubtful ||= part.isDoubtful || !ferries.isAboard(part);
    const isLong = !part.isDoubtful && part.length >= enough;
    if (isLong || certain > 3 || interruptions > HOUR || !ferries.mayBeAboard(part)) return found;
    if (count > 0 && length >= least) found = { start, end: part.end, length, isDoubtful, isWeekly: false };
    if (found && !isDoubtful && length >= enough) return found;
  }
  return found;
}

/** Joins the parts of rests that may be interrupted. */
function joined(whole: readonly Rest[], lengths: Lengths, ferries: Ferries): Rest[] {
  const rests: Rest[] = [];
  for (let index = 0; index < whole.length; index++) {
    const rest = { ...(interruptedRest(whole, index, lengths, ferries) ?? (whole[index] as Rest)) };
    let last = index;
    for (; last + 1 < whole.length && (whole[last + 1] as Rest).end <= rest.end; last++) {
      // Which parts belong together may depend on a gap: all that do with any of them.
      const more = rest.isDoubtful ? interruptedRest(whole, last + 1, lengths, ferries) : undefined;
      if (!more || more.end <= rest.end) continue;
      rest.end = more.end;
      const parts = whole.slice(index, last + 1 + MAX_PARTS).filter(({ end }) => end <= more.end);
      rest.length = parts.reduce((sum, { length }) => sum + length, 0);
    }
    rests.push(rest);
    index = last;
  }
  return rests;
}

function restsOf(stretches: readonly Stretch[], off: readonly Period[], ferries: Ferries): Pick<Record, "rests" | "weeklyRests"> {
  const whole = stretches
    .filter(({ kind }) => kind === "rest")
    .map(({ start, end, hasGap }): Rest => {
      const length = touches(off, start, end) ? Number.POSITIVE_INFINITY : minutesUp(end - start);
      return { start, end, length, isDoubtful: hasGap, isWeekly: false };
    });
  const weeklyRests = joined(whole, WEEKLY, ferries).flatMap((rest) => (rest.length < WEEKLY.least ? [] : [{ ...rest, isWeekly: true }]));
  const rests = joined(whole, DAILY, ferries).map((rest) => ({ ...rest, isWeekly: touches(weeklyRests, rest.start, rest.end) }));
  return { rests, weeklyRests };
}

/** Makes what is in doubt unknown. */
function withDoubts(spans: readonly Omit<Span, "run">[], doubts: readonly Period[]): Omit<Span, "run">[] {
  if (doubts.length === 0) return [...spans];
  let first = 0;
  return spans.flatMap(({ kind, start, end }) => {
    const parts: Omit<Span, "run">[] = [];
    let from = start;
    while (first < doubts.length && (doubts[first] as Period).end <= start) first++;
    for (let index = first; index < doubts.length && (doubts[index] as Period).start < end; index++) {
      const doubt = doubts[index] as Period;
      const until = Math.min(doubt.end, end);
      if (doubt.start > from) parts.push({ kind, start: from, end: doubt.start });
      parts.push({ kind: "unknown", start: Math.max(from, doubt.start), end: until });
      from = until;
    }
    return from < end ? [...parts, { kind, start: from, end }] : parts;
  });
}

/** What was before counts as unknown, so that odd times of long ago cost nothing. */
function spansSince(spans: readonly Span[], since: number): Omit<Span, "run">[] {
  const start = Number.NEGATIVE_INFINITY;
  const kept = spans.filter(({ end }) => end > since);
  const [first] = kept;
  if (first?.kind === "unknown") return [{ ...first, start }, ...kept.slice(1)];
  return [{ kind: "unknown", start, end: since }, ...kept.map((span) => ({ ...span, start: Math.max(span.start, since) }))];
}

/** Kinds that stand for flags in a timeline, where activities may contradict each other about them. */
const [SET, UNSET] = ["driving", "work"] as const;

/** Reads activities in both ways, step by step. Without contradictions and manual entries, only gaps, ferries and teams make a difference. */
export function* recordSteps(
  activities: readonly Activity[],
  since: number,
  now: number,
  isRounded: boolean,
): Generator<void, { [reading in Reading]: Record } & Pick<Timeline, "contradictions">, void> {
  const readTimeline = (some: readonly Activity[]) => (isRounded ? inMinutes(timelineOf(some, now)) : timelineOf(some, now));
  const timeline = readTimeline(activities);
  yield;
  const periodsOf = (spans: readonly Omit<Span, "run">[]): Period[] =>
    spans.flatMap(({ kind, start, end }) => (kind === "unknown" ? [] : [{ start, end }]));
  const spansWhere = (isWanted: (one: Activity) => boolean) => readTimeline(activities.filter(isWanted)).spans;
  const flagTimeline = (flag: "ferry" | "team") =>
    readTimeline(activities.map((one) => ({ ...one, kind: one[flag] === undefined ? "unknown" : one[flag] ? SET : UNSET })));
  const entered = periodsOf(spansWhere((one) => one.manual === true && !isRest(one)));
  const undisputed = (spans: readonly Omit<Span, "run">[]) => withDoubts(withDoubts(spans, timeline.contradictions), entered);
  const strictSpans = spansSince(timeline.spans, since);
  const off = strictSpans.filter(({ kind, start, end }) => kind === "unknown" && end - start >= TIME_OFF);
  yield;
  const spansOf = ({ spans }: Timeline, wanted: Span["kind"]) => spans.filter(({ kind }) => kind === wanted);
  const [ferries, teams] = [flagTimeline("ferry"), flagTimeline("team")];
  const maybeInTeam = spansOf(teams, SET);
  const inTeam = periodsOf(withDoubts(maybeInTeam, teams.contradictions));
  const notAshore = ferries.spans.filter(({ kind }) => kind !== UNSET);
  const surelyAboard = periodsOf(withDoubts(spansOf(ferries, SET), ferries.contradictions));
  yield;
  const aloneSpans = spansWhere(({ kind, team }) => kind === "driving" && team === false);
  const alone = periodsOf(withDoubts(undisputed(aloneSpans), teams.contradictions));
  const maybeAlone = periodsOf(undisputed(spansWhere(({ kind, team }) => kind === "driving" && team !== true)));
  const isAboard = ({ start, end }: Period) => touches(surelyAboard, start, end);
  const mayBeAboard = ({ start, end, isDoubtful }: Rest) => isDoubtful || touches(notAshore, start, Math.min(end, now));
  const recordOf = (reading: Reading, spans: readonly Omit<Span, "run">[]): Record => {
    const stretches = stretchesOf(spans, reading, now, off);
    const rests = restsOf(stretches, off, { isAboard, mayBeAboard: reading === "strict" ? isAboard : mayBeAboard });
    const since = spans[0]?.end ?? now;
    const gaps = spans.filter(({ kind, start, end }) => kind === "unknown" && end < now && !touches(off, start, end));
    return { reading, stretches, ...rests, since, gaps, inTeam, maybeInTeam, alone, maybeAlone };
  };
  yield;
  const strict = recordOf("strict", strictSpans);
  yield;
  return { strict, lenient: recordOf("lenient", undisputed(strictSpans)), contradictions: timeline.contradictions };
}
