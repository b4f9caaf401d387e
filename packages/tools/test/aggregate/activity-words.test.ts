import { expect, it } from "vitest";
import { DEFAULT_WORDS, knownActivity, readActivities } from "../../src/fleet/activity-words.ts";

const [START, END] = [Date.UTC(2026, 10, 20, 8), Date.UTC(2026, 10, 20, 9)];
const TIMES = { startTime: "2026-11-20T08:00:00Z", endTime: "2026-11-20T09:00:00Z" };

it.each([
  [
    { activity: "DRIVING", ...TIMES },
    { kind: "driving", word: "DRIVING", start: START, end: END },
  ],
  [
    { activity: "REST", ...TIMES, inProgress: true },
    { kind: "rest", word: "REST", start: START, end: undefined },
  ],
  [
    { activity: "WORK", startTime: TIMES.startTime, inProgress: true },
    { kind: "work", word: "WORK", start: START, end: undefined },
  ],
  [
    { activity: "PAUSE", ...TIMES, inProgress: false },
    { kind: undefined, word: "PAUSE", start: START, end: END },
  ],
  [
    { activity: "toString", ...TIMES },
    { kind: undefined, word: "toString", start: START, end: END },
  ],
  [TIMES, { kind: undefined, word: "not labelled", start: START, end: END }],
  [{ activity: "REST", startTime: TIMES.startTime }, undefined],
  [{ activity: "REST", endTime: TIMES.endTime }, undefined],
])("%j is read as %j", (activity, expected) => expect(readActivities([activity], DEFAULT_WORDS, END)).toEqual([expected]));

it("only activities with a known word count", () => {
  const activity = { word: "x", start: START, end: undefined };
  expect(knownActivity({ kind: "rest", ...activity })).toEqual({ kind: "rest", start: START, end: undefined });
  expect(knownActivity({ kind: undefined, ...activity })).toBeUndefined();
});
