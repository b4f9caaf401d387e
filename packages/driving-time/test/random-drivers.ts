import { expect } from "vitest";
import { seededRandom } from "../../../tests/vitest/seeded-random.ts";
import type { Activity, ActivityKind, Infringement, Range } from "../src/index.ts";
import { drivingTime, infringements, WEEKS_NEEDED, weekStart } from "../src/index.ts";
import { DAY, MINUTE } from "./activities.ts";
import { type Broken, brokenRules, type Minute } from "./infringements-minute-by-minute.ts";
import { figuresAfter } from "./minute-by-minute.ts";

/** Lengths in minutes around the limits, where mistakes are. */
const BREAKS = [1, 5, 14, 15, 16, 20, 29, 30, 31, 40, 44, 45, 46, 60, 90, 179, 180, 181, 240, 300];
const RESTS = [400, 419, 420, 421, 530, 539, 540, 541, 600, 659, 660, 661, 700, 780, 900, 1439, 1440, 1441, 2000, 2699, 2700, 2701, 3200];
const LONG_RESTS = [1439, 1440, 1441, 1800, 2280, 2699, 2700, 2701, 2760, 4139, 4140, 4141, 5400, 11000];

interface RandomDriver {
  first: number;
  minutes: Minute[];
  aboard: Set<number>;
  /** In order, and the same as services write them. */
  inOrder: Activity[];
  activities: Activity[];
  /** What is left after some activities were lost. */
  incomplete: Activity[];
  /** The same if they were not lost, but contradicted or replaced by hand. */
  disputed: Activity[];
  /** What is left after parts of activities were lost, contradicted or replaced by hand. */
  partly: Activity[];
  /** The same to the second, as it was before a tachograph rounded it. */
  precise: Activity[];
  now: number;
}

interface Wanted {
  days?: number;
  /** Without teams and ferries, and with a weekly rest at first. */
  isPlain?: boolean;
  /** With weekly rests of 30 hours at most, which owe compensation. */
  isTired?: boolean;
}

/** Weeks of shifts and rests, as drivers have them and as they should not, on whole minutes. */
function randomDriver(seed: number, { days, isPlain = false, isTired = false }: Wanted = {}): RandomDriver {
  const random = seededRandom(seed);
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  const oneOf = <Value>(values: readonly Value[]) => values[between(0, values.length - 1)] as Value;
  const first = Date.UTC(2025, 0, between(1, 700)) / MINUTE + between(0, 1439);
  // Several long rests a week, or one at its end, most of them reduced.
  const most = isTired ? 1800 : Number.POSITIVE_INFINITY;
  const [rests, longRests] = [RESTS, LONG_RESTS].map((all) => all.filter((length) => length <= most)) as [number[], number[]];
  const rhythms = [[0, 0] as const, [0.15, 0.3] as const, [0.3, 0] as const, [0, 0.8] as const];
  const [longOnes, weekends] = oneOf(rhythms);
  const wanted = (days ?? (weekends > 0.5 ? between(28, 56) : between(14, random() < 0.2 ? 56 : 20))) * 1440 + between(0, 1439);
  const minutes: Minute[] = [];
  const restLength = () => {
    const untilMonday = 10_080 - ((first + minutes.length - 4 * 1440) % 10_080);
    const ends = [untilMonday + oneOf([-1, 0, 1, 360, 1500]), oneOf(longRests), between(1440, Math.min(2699, most))];
    if (untilMonday < 3000 && random() < weekends) return oneOf(ends);
    return oneOf(random() < longOnes ? longRests : weekends > 0.5 ? rests.slice(0, isTired ? 12 : 15) : rests);
  };
  const aboard = new Set<number>();
  const activities: Activity[] = [];
  const did = (kind: Exclude<ActivityKind, "unknown" | "break">, length: number, team = false, ferry = false) => {
    const counted = Math.min(length, wanted - minutes.length);
    if (counted <= 0) return;
    const start = (first + minutes.length) * MINUTE;
    const letter = (team ? kind.charAt(0).toUpperCase() : kind.charAt(0)) as Minute;
    for (let minute = 0; minute < counted; minute++) if (ferry) aboard.add(first + minutes.length + minute);
    minutes.push(...Array<Minute>(counted).fill(letter));
    activities.push({ kind: kind === "rest" && random() < 0.5 ? "break" : kind, start, end: start + counted * MINUTE, team, ferry });
  };
  if (isPlain) did("rest", between(45 * 60, 60 * 60));
  while (minutes.length < wanted) {
    const isTeam = !isPlain && random() < 0.15;
    const parts = between(1, random() < 0.3 ? 9 : 4);
    if (isTeam) did("driving", between(1, 59));
    for (let part = 0; part < parts; part++) {
      const team = isTeam && random() < 0.98;
      did("driving", between(1, oneOf([30, 120, 270, 275, ...(isPlain ? [541] : [])])), team);
      if (random() < 0.4) did(oneOf(["work", "availability"]), oneOf([between(1, 90), 44, 45]), team);
      if (part < parts - 1 && random() < 0.8) did("rest", oneOf(BREAKS), team);
    }
    if (!isPlain && random() < 0.15) {
      did("rest", oneOf([60, 120, 240, 300, 600, 840, 1500, 2640]), false, true);
      did("driving", between(5, 31), false, true);
      did("rest", oneOf([300, 360, 420, 540, 600, 630, 1200]), false, random() < 0.9);
      if (random() < 0.5) did("work", between(5, 31), false, true);
      did("rest", oneOf([60, 120, 300]), false, true);
    } else did("rest", Math.max(1, restLength()), isTeam && random() < 0.5);
  }
  const last = activities.at(-1) as Activity;
  // Pieces, duplicates and empty ones say the same, in any order.
  const written = activities.flatMap((one): Activity[] => {
    if (one === last) return [{ ...one, end: undefined }];
    const middle = one.start + Math.floor((((one.end ?? 0) - one.start) / MINUTE) * random()) * MINUTE;
    const [before, after] = [
      { ...one, end: middle },
      { ...one, start: middle },
    ] as const;
    return oneOf([[one], [one], [one, { kind: "driving", start: middle, end: middle }], [before, one], [before, after]]);
  });
  const order = new Map(written.map((one) => [one, random()]));
  const incomplete = activities.filter((one) => random() > 0.1 || one === activities[0] || one === last);
  const shifts = new Map<number, number>();
  const preciseAt = (instant = 0) => {
    const shift = shifts.get(instant) ?? between(-29, 30) * 1000;
    shifts.set(instant, shift);
    return instant + shift;
  };
  const precise = activities.map((one) => ({ ...one, start: preciseAt(one.start), end: one === last ? undefined : preciseAt(one.end) }));
  const partly = activities.flatMap((one): Activity[] => {
    if (one === last || random() > 0.2) return [one];
    const lengthInMinutes = ((one.end ?? 0) - one.start) / MINUTE;
    const start = one.start + between(0, lengthInMinutes - 1) * MINUTE;
    const end = start + between(1, Math.min(1000, ((one.end ?? 0) - start) / MINUTE)) * MINUTE;
    const others = [
      { ...one, end: start },
      ...(random() < 0.5 ? [{ kind: "work", start, end, manual: true } as const] : []),
      { ...one, start: end },
    ];
    const kind = one.kind === "driving" ? "rest" : "driving";
    return oneOf([others, [one, { ...one, kind, start, end }], [one, { ...one, start, end, ferry: !one.ferry }]]);
  });
  return {
    ...{ first, minutes, aboard, precise, partly, inOrder: activities, incomplete, now: (first + minutes.length) * MINUTE },
    activities: written.sort((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0)),
    disputed: activities.flatMap((one, index): Activity[] => {
      if (incomplete.includes(one)) return [one];
      if (index % 2 === 0) return [{ kind: "work", start: one.start, end: one.end, manual: true }];
      return [one, { ...one, kind: one.kind === "driving" ? "rest" : "driving" }];
    }),
  };
}

const COUNTS = ["week.extendedDays", "dailyRest.reducedTaken", "dailyRest.partTaken"];

/** Checks that both implementations agree on random drivers, and that the truth is within the ranges if activities are lost. */
export function compareFigures(firstSeed: number, count: number): void {
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const { first, minutes, activities, incomplete, now } = randomDriver(seed, { isPlain: true, days: 18 });
    const [whole, partial] = [drivingTime(activities, now), drivingTime(incomplete, now)];
    for (const [name, figure] of Object.entries(figuresAfter(minutes, first))) {
      const [part = "", field = ""] = name.split(".");
      const value = figure * (COUNTS.includes(name) ? 1 : MINUTE);
      const [sure, wide] = [whole, partial].map((time) => (time as unknown as Record<string, Record<string, Range>>)[part]?.[field]);
      if (sure?.atLeast !== value || sure.atMost !== value) expect.fail(`seed ${seed}: ${name} is ${value}, not ${JSON.stringify(sure)}`);
      if (!wide || value < wide.atLeast || value > wide.atMost)
        expect.fail(`seed ${seed}, with gaps: ${name} is ${value}, not ${JSON.stringify(wide)}`);
    }
  }
}

const COMPENSATION = "weeklyRestCompensation";

/** What served as compensation is a range, compared by {@link isWithin}. */
const written = ({ rule, at, limit, actual, isSure }: Omit<Broken, "from" | "to">) =>
  `${rule} ${new Date(at * MINUTE).toISOString()} ${limit} ${rule === COMPENSATION ? "" : actual}${isSure ? "" : " possible"}`;

const isWithin = ({ actual: range }: Infringement, { actual }: Broken) =>
  actual * MINUTE >= range.atLeast && actual * MINUTE <= range.atMost;

function rowText({ rule, at, limit, actual, doubts }: Infringement): string {
  // The greater figure supposes that availability beside a driver was a break.
  const figure = rule === "workBreaks" ? actual.atLeast : actual.atMost;
  const isSure = rule === "weeklyRest" ? doubts.every((doubt) => doubt === "seconds") : !doubts.includes("availability");
  return written({ rule, at: at / MINUTE, limit: limit / MINUTE, actual: figure / MINUTE, isSure });
}

/** Weeks in which weekly rests cannot be legal, which prove an infringement but are none by themselves. */
const PROOF = "weeklyRest cannot be";

/** Whether a certain infringement did happen, and was at least as grave as it is said to be. */
function isProvenBy(row: Infringement, { rule, from, to, limit, actual, isSure }: Broken): boolean {
  if (!isSure || Math.abs(actual - limit) * MINUTE < row.over.atLeast) return false;
  if (row.rule !== "weeklyRest") return row.rule === rule && row.start < to * MINUTE && row.end > from * MINUTE;
  return rule === PROOF && limit * MINUTE === row.limit && row.start <= from * MINUTE && row.end >= to * MINUTE;
}

const DOUBTFUL = ["weeklyRest", COMPENSATION, "nightWork"];
const isCertain = ({ certainty }: Infringement) => certainty === "certain";
const isBreak = (rule: string) => rule === "workBreaks" || rule === "workWithoutBreak";

/** Compares the infringements of random drivers: whole, disputed, to the second, and with gaps. */
export function compareInfringements(firstSeed: number, count: number): void {
  let [missed, total, certain, certainInSeconds] = [0, 0, 0, 0];
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const { first, minutes, aboard, activities, inOrder, incomplete, disputed, partly, precise, now } = randomDriver(seed);
    const period = { start: 0, end: now + 40 * DAY };
    const proven = brokenRules(minutes, first, (minute) => aboard.has(minute)).filter(({ at }) => at * MINUTE < period.end);
    const truth = proven.filter(({ rule }) => rule !== PROOF);
    const found = infringements(activities, period, now);
    expect(found.map(rowText).sort(), `seed ${seed}`).toEqual(truth.map(written).sort());
    const isSame = (row: Infringement) => (one: Broken) =>
      one.rule === row.rule && one.at * MINUTE === row.at && one.limit * MINUTE === row.limit && isWithin(row, one);
    const owed = found.filter(({ rule }) => rule === COMPENSATION);
    expect(
      owed.filter((row) => !truth.some(isSame(row))),
      `seed ${seed}`,
    ).toEqual([]);
    const isUnsure = ({ rule, certainty, actual, doubts }: Infringement) =>
      (certainty === "possible" && !DOUBTFUL.includes(rule) && !doubts.includes("availability")) || actual.atLeast > actual.atMost;
    expect(found.filter(isUnsure), `seed ${seed}`).toEqual([]);
    const check = (given: readonly Activity[], which: string) => {
      const rows = infringements(given, period, now);
      const isProven = (row: Infringement) => proven.some((one) => [one, ...(one.same ?? [])].some((each) => isProvenBy(row, each)));
      const wrong = rows.filter((row) => isCertain(row) && row.at < now && !isProven(row));
      expect(wrong.map(rowText), `seed ${seed}, ${which}: certain but untrue`).toEqual([]);
      return rows;
    };
    const withoutEnds = inOrder.map((one) => ({ ...one, end: undefined }));
    expect(infringements(withoutEnds, period, now), `seed ${seed}, without ends`).toEqual(found);
    check(disputed, "disputed");
    check(partly, "disputed in part");
    const unsaid = activities.map((one) => ({ ...one, ferry: undefined }));
    check(unsaid, "without a word of ferries");
    const inSeconds = check(precise, "to the second");
    expect(inSeconds.map(rowText), `seed ${seed}, to the second`).toEqual(found.map(rowText));
    certain += found.filter(isCertain).length;
    certainInSeconds += inSeconds.filter(isCertain).length;
    if (incomplete.some(({ start }, index) => start - (incomplete[index - 1]?.end ?? start) >= DAY)) continue;
    const rows = check(incomplete, "with gaps");
    const isNear = (row: Infringement, at: number) => row.start <= at + 1.25 * DAY && row.end >= at - 1.25 * DAY;
    for (const { rule, at } of truth.filter(({ at }) => at * MINUTE < now)) {
      total++;
      if (!rows.some((row) => (row.rule === rule || (isBreak(row.rule) && isBreak(rule))) && isNear(row, at * MINUTE))) missed++;
    }
  }
  // What gaps neither filled with rest nor with driving would show is not searched.
  expect(missed / total).toBeLessThan(0.01);
  expect(certainInSeconds / certain).toBeGreaterThan(0.9);
}

/** What weeks long before may decide. */
const isLookingBack = ({ rule }: Infringement) => rule === "weeklyRest" || rule === COMPENSATION;

/** Compares what single weeks show of the activities that they need with what the same weeks show of all: fewer may only leave more open. */
export function compareWeeks(firstSeed: number, count: number): void {
  const WEEK = 7 * DAY;
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const { inOrder, incomplete, first, now } = randomDriver(seed, { days: 140, isTired: seed % 2 === 1 });
    for (const [index, given] of [inOrder, incomplete].entries()) {
      for (let start = weekStart(first * MINUTE) + 10 * WEEK; start < now - WEEK; start += WEEK) {
        const needed = given.filter(({ end = now }) => end > start - WEEKS_NEEDED.infringements * WEEK);
        const [some, all] = [needed, given].map((activities) =>
          infringements(activities, { start, end: start + WEEK }, now).filter(({ rule }) => rule !== "averageWork"),
        ) as [Infringement[], Infringement[]];
        const where = `seed ${seed}, ${new Date(start).toISOString()}${index > 0 ? ", with gaps" : ""}`;
        const others = (rows: Infringement[]) => rows.filter((row) => !isLookingBack(row));
        expect(others(some), where).toEqual(others(all));
        expect(all, where).toEqual(expect.arrayContaining(some.filter((row) => isLookingBack(row) && isCertain(row))));
      }
    }
  }
}
