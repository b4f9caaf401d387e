import type { TachoActivity } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import { DEFAULT_WORDS } from "../../src/fleet/activity-words.ts";
import { workedTime } from "../../src/tools/worked-time.ts";

const HOUR = 3_600_000;
/** It is 16:00, and the window is from 06:00 to 18:00. */
const at = (hour: number) => Date.UTC(2026, 10, 20) + hour * HOUR;
const time = (hour: number) => new Date(at(hour)).toISOString();
const WINDOW = { start: at(6), end: at(18) };

const done = (activity: string, start: number, end: number, more: TachoActivity = {}): TachoActivity => ({
  activity,
  startTime: time(start),
  endTime: time(end),
  ...more,
});
const open = (activity: string, start: number, more: TachoActivity = {}): TachoActivity => ({
  activity,
  startTime: time(start),
  inProgress: true,
  ...more,
});

const worked = (activities: TachoActivity[]) => workedTime(activities, { ...DEFAULT_WORDS, BLANK: "unknown" }, WINDOW, at(16));

/** Durations in hours; shifts as "8-12", or "8-" if they go on. */
function summary(activities: TachoActivity[]) {
  const { driving, work, availability, breaks, shifts } = worked(activities);
  const clock = (instant: number) => (instant - at(0)) / HOUR;
  return {
    ...{ driving: driving / HOUR, work: work / HOUR, availability: availability / HOUR, breaks: breaks / HOUR },
    shifts: shifts.map(({ start, end, isOpen }) => `${clock(start)}-${isOpen ? "" : clock(end)}`).join(" "),
  };
}

const NOTHING = { driving: 0, work: 0, availability: 0, breaks: 0, shifts: "" };

describe("workedTime", () => {
  it.each<[string, TachoActivity[], Partial<typeof NOTHING>]>([
    ["nothing", [], {}],
    [
      "activities in any order",
      [done("DRIVING", 12, 13), done("WORK", 8, 9), done("DRIVING", 9, 12)],
      { driving: 4, work: 1, shifts: "8-13" },
    ],
    ["overlaps, once", [done("DRIVING", 8, 10), done("DRIVING", 9, 12), done("DRIVING", 9, 10)], { driving: 4, shifts: "8-12" }],
    ["what reaches into the window, clipped", [done("DRIVING", 4, 7)], { driving: 1, shifts: "6-7" }],
    ["nothing outside the window", [done("DRIVING", 2, 4), done("DRIVING", 19, 20), done("DRIVING", 5, 6)], {}],
    ["nothing without length", [done("DRIVING", 8, 8), done("DRIVING", 10, 8)], {}],
    ["what is in progress, until now", [open("DRIVING", 14)], { driving: 2, shifts: "14-" }],
    ["what is in progress with a later end, until now", [open("DRIVING", 14, { endTime: time(17) })], { driving: 2, shifts: "14-" }],
    [
      "what is in progress, until the next begins",
      [open("DRIVING", 8), done("REST", 9, 10), open("WORK", 15)],
      { driving: 1, work: 1, breaks: 1, shifts: "8-" },
    ],
    ["an end in the future as in progress", [done("DRIVING", 14, 17)], { driving: 2, shifts: "14-" }],
    ["an end in the year 9999 as in progress", [done("DRIVING", 14, 60_000_000)], { driving: 2, shifts: "14-" }],
    ["nothing that begins in the future", [done("DRIVING", 17, 18), open("WORK", 17)], {}],
    ["driving during rest as driving only", [done("REST", 8, 12), done("DRIVING", 7, 13)], { driving: 6, shifts: "7-13" }],
    [
      "driving during work as driving only",
      [done("WORK", 8, 12), done("DRIVING", 9, 10), done("AVAILABILITY", 11, 13)],
      { driving: 1, work: 3, availability: 1, shifts: "8-13" },
    ],
    ["what begins now", [open("DRIVING", 16)], { shifts: "16-" }],
    [
      "rest within a shift as breaks",
      [done("REST", 6, 8), done("WORK", 8, 9), done("REST", 9, 10), done("WORK", 10, 11), done("REST", 11, 16)],
      { work: 2, breaks: 1, shifts: "8-11" },
    ],
    ["a daily rest in progress as the end of a shift", [done("WORK", 6, 6.5), open("REST", 6.5)], { work: 0.5, shifts: "6-6.5" }],
    ["what is unknown as no part of a shift", [done("WORK", 8, 9), done("UNKNOWN", 9, 10)], { work: 1, shifts: "8-9" }],
    ["what is known to say nothing as no part of a shift", [done("WORK", 8, 9), done("BLANK", 9, 10)], { work: 1, shifts: "8-9" }],
    ["waiting as part of a shift", [done("AVAILABILITY", 8, 9), done("WORK", 9, 10)], { availability: 1, work: 1, shifts: "8-10" }],
    ["a break in progress as part of the shift", [done("WORK", 8, 15), open("REST", 15)], { work: 7, breaks: 1, shifts: "8-" }],
    [
      "a rest after the end of the shift as none of it",
      [done("WORK", 8, 15, { isEndOfShift: true }), open("REST", 15)],
      { work: 7, shifts: "8-15" },
    ],
    ["two shifts with nine hours between them", [done("WORK", 5, 6.5), done("WORK", 15.5, 16)], { work: 1, shifts: "6-6.5 15.5-16" }],
    ["one shift with less between", [done("WORK", 7, 8), done("WORK", 15, 16)], { work: 2, shifts: "7-16" }],
    [
      "one shift if the second begins before the first ends, whatever the service says",
      [done("WORK", 7, 9), done("WORK", 8, 10, { isStartOfShift: true })],
      { work: 3, shifts: "7-10" },
    ],
    [
      "two shifts if the service says so",
      [done("WORK", 7, 8), done("WORK", 14, 15, { isStartOfShift: true })],
      { work: 2, shifts: "7-8 14-15" },
    ],
  ])("counts %s", (_, activities, expected) => {
    expect(summary(activities)).toEqual({ ...NOTHING, ...expected });
  });

  it("clips what reaches out of a window in the past", () => {
    const { driving, shifts } = workedTime([done("DRIVING", 17, 20)], DEFAULT_WORDS, WINDOW, at(21));
    expect([driving / HOUR, shifts]).toEqual([1, [expect.objectContaining({ start: at(17), end: at(18), isOpen: false })]]);
  });

  it("names words without a known meaning, and keeps them out of the shifts", () => {
    const { other, shifts, driving } = worked([
      done("PAUSE", 8, 9),
      { startTime: time(9), endTime: time(11) },
      done("constructor", 11, 12),
    ]);
    expect([...other]).toEqual([
      ["PAUSE", HOUR],
      ["constructor", HOUR],
      ["not labelled", 2 * HOUR],
    ]);
    expect({ shifts, driving }).toEqual({ shifts: [], driving: 0 });
  });

  it("counts the activities without readable times", () => {
    const unreadable = [{ activity: "WORK", startTime: time(8) }, { endTime: time(8) }, { startTime: "x", endTime: time(9) }];
    // The first is on two pages.
    expect(worked([...unreadable, ...unreadable.slice(0, 1), done("WORK", 8, 9)])).toMatchObject({ unread: 3, work: HOUR });
  });

  it("names the vehicles that were used", () => {
    const { vehicles } = worked([
      done("DRIVING", 8, 9, { vehicleFriendlyName: "Truck 1", assetRegistration: "A 1" }),
      done("WORK", 9, 10, { assetRegistration: "A 2" }),
      done("REST", 10, 11, { vehicleFriendlyName: "Truck 3" }),
      done("DRIVING", 2, 3, { vehicleFriendlyName: "Truck 4" }),
    ]);
    expect(vehicles).toEqual(["Truck 1", "A 2"]);
  });
});
