import { expect } from "vitest";
import { type Activity, type ActivityKind, drivingTime, type Range } from "../src/index.ts";
import { type Minutes, minuteByMinute, type Truth } from "./minute-by-minute.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Pseudorandom numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const LETTERS = { driving: "d", work: "w", availability: "a", rest: "r" } as const;
type Kind = keyof typeof LETTERS;

/** Lengths in minutes around the limits, where mistakes are. */
const BREAKS = [1, 5, 14, 15, 16, 20, 29, 30, 31, 40, 44, 45, 46, 60, 90, 179, 180, 181, 240];
const RESTS = [530, 539, 540, 541, 600, 659, 660, 661, 700, 780, 1439, 1440, 1441, 2000, 2699, 2700, 2701, 3200];

interface Fortnight {
  first: number;
  minutes: Minutes;
  activities: Activity[];
  at: number;
  /** What is left of the activities after some were lost. */
  incomplete: Activity[];
}

/** Two weeks and some days of shifts and rests, as drivers have them and as they should not, on whole minutes. */
function randomFortnight(seed: number): Fortnight {
  const random = randomNumbers(seed);
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  const oneOf = <Value>(values: readonly Value[]) => values[between(0, values.length - 1)] as Value;
  // A fortnight somewhere in 2025 or 2026, some days before which the data begins.
  const first = Date.UTC(2025, 0, between(1, 700)) / MINUTE + between(0, 1439);
  const wanted = between(16, 20) * 1440 + between(0, 1439);
  const minutes: (typeof LETTERS)[Kind][] = [];
  const activities: Activity[] = [];
  const did = (kind: Kind, length: number) => {
    const start = (first + minutes.length) * MINUTE;
    const counted = Math.min(length, wanted - minutes.length);
    for (let minute = 0; minute < counted; minute++) minutes.push(LETTERS[kind]);
    if (counted > 0) activities.push({ kind: kind === "rest" && random() < 0.5 ? "break" : kind, start, end: start + counted * MINUTE });
  };
  // Every computation assumes a rest before the first activity.
  did("rest", between(45 * 60, 60 * 60));
  while (minutes.length < wanted) {
    const parts = between(1, 9);
    for (let part = 0; part < parts; part++) {
      did("driving", between(1, oneOf([30, 120, 270, 275, 541])));
      if (random() < 0.4) did(oneOf(["work", "availability"]), between(1, 90));
      if (part < parts - 1 && random() < 0.8) did("rest", oneOf(BREAKS));
    }
    did("rest", oneOf(RESTS));
  }
  const isLost = activities.map(() => random() < 0.15);
  return {
    first,
    minutes,
    activities: shuffled(activities, random),
    at: (first + minutes.length) * MINUTE,
    incomplete: activities.filter((_, index) => !isLost[index]),
  };
}

/** Changes how activities are written down, but not what they say: order, duplicates, pieces, empty ones, and a last one without end. */
function shuffled(activities: readonly Activity[], random: () => number): Activity[] {
  const written = activities.flatMap((activity, index): Activity[] => {
    const { kind, start, end = start } = activity;
    if (index === activities.length - 1) return [{ kind, start }];
    const middle = start + Math.floor(((end - start) / MINUTE) * random()) * MINUTE;
    const kinds: ActivityKind[] = ["driving", "work", "rest"];
    if (random() < 0.1) return [activity, { kind: kinds[index % 3] ?? "rest", start: middle, end: middle }];
    if (random() < 0.1) return [{ kind, start, end: middle }, activity];
    return random() < 0.1
      ? [
          { kind, start, end: middle },
          { kind, start: middle, end },
        ]
      : [activity];
  });
  return written
    .map((activity) => ({ activity, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ activity }) => activity);
}

/** Pairs each figure with the truth, in milliseconds. */
function figures(activities: readonly Activity[], at: number, truth: Truth): [string, Range, number][] {
  const time = drivingTime(activities, at);
  const left = (limit: number, minutes: number) => Math.max(0, limit * HOUR - minutes * MINUTE);
  const until = (minute: number) => Math.max(0, minute * MINUTE - at);
  const overall = [left(56, truth.week), left(90, truth.fortnight), until(truth.weeklyRestBy)];
  const today = Math.min(left(9, truth.day), until(truth.regularRestBy), ...overall);
  return [
    ["driven since the break", time.sinceBreak.driven, truth.sinceBreak * MINUTE],
    ["left before the break", time.sinceBreak.left, left(4.5, truth.sinceBreak)],
    ["driven today", time.day.driven, truth.day * MINUTE],
    ["left today", time.day.left, left(9, truth.day)],
    ["left today, extended", time.day.extendedLeft, left(truth.mayExtend ? 10 : 9, truth.day)],
    ["driven this week", time.week.driven, truth.week * MINUTE],
    ["left this week", time.week.left, left(56, truth.week)],
    ["extended days", time.week.extendedDays, truth.extendedDays],
    ["driven this fortnight", time.fortnight.driven, truth.fortnight * MINUTE],
    ["left this fortnight", time.fortnight.left, left(90, truth.fortnight)],
    ["rest in progress", time.rest.current, truth.resting * MINUTE],
    ["start of the shift", time.day.shiftStart, truth.shiftStart * MINUTE],
    ["reduced daily rests", time.dailyRest.reducedTaken, truth.reduced],
    ["first part of the rest", time.dailyRest.partTaken, truth.partTaken ? 1 : 0],
    ["regular daily rest by", time.dailyRest.regularBy, truth.regularRestBy * MINUTE],
    ["daily rest by", time.dailyRest.by, truth.restBy * MINUTE],
    ["weekly rest by", time.weeklyRest.by, truth.weeklyRestBy * MINUTE],
    ["length of the weekly rest", time.weeklyRest.needed, truth.nextWeeklyRest * MINUTE],
    ["left in all", time.left.today, today],
    ["left in all, extended", time.left.extended, Math.min(left(truth.mayExtend ? 10 : 9, truth.day), until(truth.restBy), ...overall)],
    ["left now", time.left.now, Math.min(left(4.5, truth.sinceBreak), today)],
  ];
}

/** Checks that both implementations agree on random fortnights, and that the truth is within the ranges if activities are lost. */
export function compareFortnights(firstSeed: number, count: number): void {
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const { first, minutes, activities, at, incomplete } = randomFortnight(seed);
    const truth = minuteByMinute(minutes, first);
    const wrong = [
      ...figures(activities, at, truth).filter(([, { atLeast, atMost }, value]) => atLeast !== value || atMost !== value),
      ...figures(incomplete, at, truth).filter(([, { atLeast, atMost }, value]) => value < atLeast || value > atMost),
    ];
    if (wrong.length > 0) expect(wrong, `seed ${seed}`).toEqual([]);
  }
}
