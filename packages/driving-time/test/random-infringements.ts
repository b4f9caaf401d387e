import { expect } from "vitest";
import { type Activity, type ActivityKind, type Infringement, infringements, WEEKS_NEEDED, weekStart } from "../src/index.ts";
import { type Broken, brokenRules, type Minute } from "./infringements-minute-by-minute.ts";
import { randomNumbers } from "./random-fortnights.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Lengths in minutes around the limits, where mistakes are. */
const BREAKS = [1, 14, 15, 16, 29, 30, 31, 44, 45, 46, 90, 179, 180, 181, 300];
const RESTS = [400, 419, 420, 421, 530, 539, 540, 541, 600, 659, 660, 661, 700, 780, 900, 1439, 1440, 1441, 2000, 2699, 2700, 2701, 3200];
const LONG_RESTS = [1439, 1440, 1441, 1800, 2280, 2699, 2700, 2701, 2760, 4139, 4140, 4141, 5400, 11000];
const DOUBTFUL: ReadonlySet<string> = new Set(["weeklyRest", "weeklyRestCompensation", "nightWork"]);

interface RandomFortnight {
  first: number;
  minutes: Minute[];
  aboard: Set<number>;
  activities: Activity[];
  /** What is left after some activities were lost. */
  incomplete: Activity[];
  /** The same if they were not lost, but contradicted or replaced by hand. */
  disputed: Activity[];
  /** The same to the second, as it was before a tachograph rounded it. */
  precise: Activity[];
  now: number;
}

/** The rest of the week, and a little more or less. */
const untilMonday = (minute: number) => 10_080 - ((minute - 4 * 1440) % 10_080);

/** Weeks of shifts and rests, alone and in a team, with ferries, on whole minutes. */
function randomFortnight(seed: number, days?: number): RandomFortnight {
  const random = randomNumbers(seed);
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  const oneOf = <Value>(values: readonly Value[]) => values[between(0, values.length - 1)] as Value;
  const first = Date.UTC(2025, 0, between(1, 700)) / MINUTE + between(0, 1439);
  // Several long rests a week, or one at its end, most of them reduced.
  const [longOnes, weekends] = oneOf([
    [0, 0],
    [0.15, 0.3],
    [0.3, 0],
    [0, 0.8],
  ] as const);
  const length = days ?? (weekends > 0.5 ? between(28, 56) : between(14, random() < 0.2 ? 56 : 20));
  const wanted = length * 1440 + between(0, 1439);
  const restLength = () => {
    const left = untilMonday(first + minutes.length);
    if (left < 3000 && random() < weekends) return oneOf([left + oneOf([-1, 0, 1, 360, 1500]), oneOf(LONG_RESTS), between(1440, 2699)]);
    return oneOf(random() < longOnes ? LONG_RESTS : weekends > 0.5 ? RESTS.slice(0, 15) : RESTS);
  };
  const minutes: Minute[] = [];
  const aboard = new Set<number>();
  const activities: Activity[] = [];
  const did = (kind: Exclude<ActivityKind, "unknown" | "break">, length: number, team: boolean, ferry = false) => {
    const counted = Math.min(length, wanted - minutes.length);
    if (counted <= 0) return;
    const start = (first + minutes.length) * MINUTE;
    const letter = team ? kind.charAt(0).toUpperCase() : kind.charAt(0);
    for (let minute = 0; minute < counted; minute++) {
      if (ferry) aboard.add(first + minutes.length);
      minutes.push(letter as Minute);
    }
    activities.push({ kind: kind === "rest" && random() < 0.5 ? "break" : kind, start, end: start + counted * MINUTE, team, ferry });
  };
  while (minutes.length < wanted) {
    const isTeam = random() < 0.15;
    const isLong = random() < 0.3;
    const parts = between(1, isLong ? 9 : 4);
    if (isTeam) did("driving", between(1, 59), false);
    for (let part = 0; part < parts; part++) {
      const team = isTeam && random() < 0.98;
      did("driving", between(1, oneOf([30, 120, 270, 275])), team);
      if (random() < 0.4) did(oneOf(["work", "availability"]), oneOf([between(1, 90), 44, 45]), team);
      if (part < parts - 1 && random() < 0.8) did("rest", oneOf(BREAKS), team);
    }
    if (random() < 0.15) {
      did("rest", oneOf([60, 120, 240, 300, 600, 840, 1500, 2640]), false, true);
      did("driving", between(5, 31), false, true);
      did("rest", oneOf([300, 360, 420, 540, 600, 630, 1200]), false, random() < 0.9);
      if (random() < 0.5) did("work", between(5, 31), false, true);
      did("rest", oneOf([60, 120, 300]), false, true);
    } else did("rest", Math.max(1, restLength()), isTeam && random() < 0.5);
  }
  const last = activities[activities.length - 1] as Activity;
  const written = activities.map((activity) => (activity === last ? { ...activity, end: undefined } : activity));
  const shuffled = written.map((activity) => ({ activity, order: random() })).sort((a, b) => a.order - b.order);
  const incomplete = activities.filter((one) => random() > 0.1 || one === activities[0] || one === last);
  const seconds = new Map<number, number>();
  const preciseAt = (instant: number) => {
    const shift = seconds.get(instant) ?? between(-29, 30) * 1000;
    seconds.set(instant, shift);
    return instant + shift;
  };
  const isLost = (one: Activity) => !incomplete.includes(one);
  return {
    first,
    minutes,
    aboard,
    activities: shuffled.map(({ activity }) => activity),
    incomplete,
    disputed: activities.flatMap((one, index): Activity[] => {
      if (!isLost(one)) return [one];
      if (index % 2 === 0) return [{ kind: "work", start: one.start, end: one.end, manual: true }];
      return [one, { ...one, kind: one.kind === "driving" ? "rest" : "driving" }];
    }),
    precise: activities.map((one) => ({ ...one, start: preciseAt(one.start), end: one === last ? undefined : preciseAt(one.end ?? 0) })),
    now: (first + minutes.length) * MINUTE,
  };
}

const written = ({ rule, at, limit, actual, isSure }: Omit<Broken, "from" | "to">) =>
  `${rule} ${new Date(at * MINUTE).toISOString()} ${limit} ${actual}${isSure ? "" : " possible"}`;
/** The greater figure supposes that a rest of 24 hours or more served as compensation, or that availability beside a driver was a break. */
const figureOf = ({ rule, actual }: Infringement) =>
  rule === "weeklyRestCompensation" || rule === "workBreaks" ? actual.atLeast : actual.atMost;
const isSure = ({ rule, doubts }: Infringement) =>
  rule === "weeklyRest" ? doubts.every((doubt) => doubt === "seconds") : !doubts.includes("availability");
const rowText = (row: Infringement) =>
  written({
    ...{ rule: row.rule, at: row.at / MINUTE, limit: row.limit / MINUTE },
    ...{ actual: figureOf(row) / MINUTE, isSure: isSure(row) },
  });

const hasLongGap = (activities: readonly Activity[]) =>
  activities.some(({ start }, index) => start - (activities[index - 1]?.end ?? start) >= DAY);

/** Weeks in which weekly rests cannot be legal, which prove an infringement but are none by themselves. */
const PROOF = "weeklyRest cannot be";

/** Whether a certain infringement did happen, and was at least as grave as it is said to be. */
function isProvenBy(row: Infringement, { rule, from, to, limit, actual, isSure }: Broken): boolean {
  if (!isSure || Math.abs(actual - limit) * MINUTE < row.over.atLeast) return false;
  if (row.rule === "weeklyRest")
    return rule === PROOF && limit * MINUTE === row.limit && row.start <= from * MINUTE && row.end >= to * MINUTE;
  return row.rule === rule && row.start < to * MINUTE && row.end > from * MINUTE;
}

/** Compares both implementations on random fortnights, whole and with gaps. */
export function compareInfringements(firstSeed: number, count: number): void {
  let [missed, total, certain, certainInSeconds] = [0, 0, 0, 0];
  const isCertain = ({ certainty }: Infringement) => certainty === "certain";
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const { first, minutes, aboard, activities, incomplete, disputed, precise, now } = randomFortnight(seed);
    const period = { start: 0, end: now + 40 * DAY };
    const proven = brokenRules(minutes, first, (minute) => aboard.has(minute)).filter(({ at }) => at * MINUTE < period.end);
    const truth = proven.filter(({ rule }) => rule !== PROOF);
    const found = infringements(activities, period, now);
    expect(found.map(rowText).sort(), `seed ${seed}`).toEqual(truth.map(written).sort());
    const unsure = found.filter(
      ({ rule, certainty, actual, doubts }) =>
        (certainty === "possible" && !DOUBTFUL.has(rule) && !doubts.includes("availability")) || actual.atLeast > actual.atMost,
    );
    expect(unsure, `seed ${seed}`).toEqual([]);
    const check = (rows: Infringement[], which: string) => {
      const wrong = rows.filter(
        (row) =>
          row.certainty === "certain" &&
          row.at < now &&
          !proven.some((one) => [one, ...(one.same ?? [])].some((each) => isProvenBy(row, each))),
      );
      expect(wrong.map(rowText), `seed ${seed}, ${which}: certain but untrue`).toEqual([]);
    };
    check(infringements(disputed, period, now), "disputed");
    const unsaid = activities.map((one) => ({ ...one, ferry: undefined }));
    check(infringements(unsaid, period, now), "without a word of ferries");
    const inSeconds = infringements(precise, period, now);
    expect(inSeconds.map(rowText), `seed ${seed}, to the second`).toEqual(found.map(rowText));
    check(inSeconds, "to the second");
    certain += found.filter(isCertain).length;
    certainInSeconds += inSeconds.filter(isCertain).length;
    if (hasLongGap(incomplete)) continue;
    const rows = infringements(incomplete, period, now);
    check(rows, "with gaps");
    const isBreak = (rule: string) => rule === "workBreaks" || rule === "workWithoutBreak";
    const covers = (row: Infringement, { rule, at }: Broken) =>
      (row.rule === rule || (isBreak(row.rule) && isBreak(rule))) &&
      row.start <= at * MINUTE + 30 * 3_600_000 &&
      row.end >= at * MINUTE - 30 * 3_600_000;
    for (const one of truth.filter(({ at }) => at * MINUTE < now)) {
      total++;
      if (!rows.some((row) => covers(row, one))) missed++;
    }
  }
  // What gaps neither filled with rest nor with driving would show is not searched.
  expect(missed / total).toBeLessThan(0.01);
  expect(certainInSeconds / certain).toBeGreaterThan(0.9);
}

/** Compares what single weeks show of the activities that they need with what the same weeks show of all. */
export function compareWeeks(firstSeed: number, count: number): void {
  const WEEK = 7 * DAY;
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const { activities, first, now } = randomFortnight(seed, 140);
    for (let start = weekStart(first * MINUTE) + 10 * WEEK; start < now - WEEK; start += WEEK) {
      const needed = activities.filter(({ end = now }) => end > start - WEEKS_NEEDED.infringements * WEEK);
      const [some, all] = [needed, activities].map((given) =>
        infringements(given, { start, end: start + WEEK }, now).filter(({ rule }) => rule !== "averageWork"),
      );
      expect(some?.map(rowText), `seed ${seed}, ${new Date(start).toISOString()}`).toEqual(all?.map(rowText));
    }
  }
}
