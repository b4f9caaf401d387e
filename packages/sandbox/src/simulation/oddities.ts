import { LIMITS } from "@fleetwire/driving-time";
import { draw, topic } from "./random.ts";

const HOUR = 3_600_000;
const MINUTE = 60_000;
const SECOND = 1000;

/** For what an oddity is drawn: a round of trucks by its style, a working day or night, a break, a shift, a tachograph record, or a truck. */
type Subject = "haul" | "regional" | "day" | "night" | "break" | "shift" | "record" | "truck";

interface Row {
  readonly of: Subject;
  readonly share: number;
  /** Its size from the usual to the extreme. */
  readonly ms: readonly [usual: number, extreme: number];
}

/** What is wrong in the data of ordinary weeks, since tools meet it in those of real fleets: broken rules, most of them narrowly, and faulty records. */
export const ODDITIES = {
  /** Breaks that are too short, come after so much driving, or not at all. */
  shortBreaks: { of: "day", share: 0.009, ms: [LIMITS.fullBreak - SECOND, LIMITS.fullBreak / 3] },
  lateBreak: { of: "day", share: 0.009, ms: [LIMITS.drivingBeforeBreak, 5.25 * HOUR] },
  noBreak: { of: "day", share: 0.009, ms: [0, 0] },
  /** A long wait, after which so much daily rest is left: sometimes just enough. */
  longWait: { of: "day", share: 0.009, ms: [9.3 * HOUR, 6.9 * HOUR] },
  /** So much loading in the night. */
  longNight: { of: "night", share: 0.1, ms: [2.2 * HOUR, 3 * HOUR] },
  /** So much driving on a day, or on six days of a week. */
  longDay: { of: "haul", share: 0.15, ms: [10.9 * HOUR, 10.9 * HOUR] },
  longWeek: { of: "haul", share: 0.15, ms: [9.9 * HOUR, 9.9 * HOUR] },
  /** A Sunday at work after six working days. */
  noWeekend: { of: "regional", share: 0.25, ms: [0, 0] },
  /** Saturdays at work that begin so much later: weekly rests are reduced, and after a late one so much that the next ones do not make up for it. */
  shortWeekend: { of: "regional", share: 0.25, ms: [3 * HOUR, HOUR] },
  lateSaturday: { of: "regional", share: 0, ms: [8.8 * HOUR, 8.2 * HOUR] },
  /** A break that is hardly long enough. */
  tightBreak: { of: "break", share: 0.1, ms: [LIMITS.fullBreak, LIMITS.fullBreak + MINUTE] },
  /** Three activities that are in no record, since the card was not inserted. */
  unrecorded: { of: "shift", share: 0.008, ms: [0, 0] },
  /** A record that is sent twice, the first time so long before its end. */
  recordedTwice: { of: "record", share: 0.004, ms: [MINUTE, MINUTE] },
  /** A tachograph whose clock is ahead. */
  clockAhead: { of: "truck", share: 0.15, ms: [5 * SECOND, 45 * SECOND] },
} as const satisfies Record<string, Row>;

export type Oddity = keyof typeof ODDITIES;

const IS_ODD = topic("oddity");
const SIZE = topic("size of an oddity");

/** The oddity of a subject, if any. */
export function oddityOf(of: Subject, seed: number, a = 0, b = 0, c = 0): Oddity | undefined {
  let chance = draw(seed, IS_ODD, a, b, c);
  for (const [oddity, row] of Object.entries(ODDITIES)) {
    if (row.of !== of) continue;
    if (chance < row.share) return oddity as Oddity;
    chance -= row.share;
  }
  return undefined;
}

/** The size of an oddity in whole seconds, in ms; more often near the usual one: where people miss a limit, most miss it narrowly. */
export function oddMs(oddity: Oddity, seed: number, day: number, ordinal = 0): number {
  const [usual, extreme] = ODDITIES[oddity].ms;
  return Math.round((usual + (extreme - usual) * draw(seed, SIZE, day, ordinal) ** 2) / SECOND) * SECOND;
}
