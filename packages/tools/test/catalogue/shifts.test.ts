import { describe, expect, it } from "vitest";
import { tachoRecords } from "../fleet-service.ts";
import { servedFleet } from "../served-fleet.ts";

/** It is 16:00, and the period is from 06:00 to 18:00. */
const at = (hour: number) => Date.UTC(2026, 10, 20) + hour * 3_600_000;
const time = (hour: number) => new Date(at(hour)).toISOString();

const done = (activity: string, start: number, end: number, more: object = {}) => ({
  ...{ activity, startTime: time(start), endTime: time(end) },
  ...more,
});
const open = (activity: string, start: number, more: object = {}) => ({ activity, startTime: time(start), inProgress: true, ...more });

const FIELDS = ["driving", "work", "availability", "breaks", "other", "vehicle", "shiftStart", "shiftEnd", "shift"];

/** What is summarized of a driver with these activities; undefined if nothing is. */
async function summary(activities: object[], period = "2026-11-20T06:00Z/2026-11-20T18:00Z", now = at(16)) {
  const { record } = await servedFleet({
    script: {
      listLivePositions: () => ({ body: [{ assetId: "v1", driverId: "p1" }] }),
      ...tachoRecords([{ driverId: "p1", driverKey: "K1", activities }]),
    },
    env: { FLEET_ACTIVITY_WORDS: "BLANK=unknown" },
    options: { now: () => now },
  });
  const { items, note } = await record("summarize_driver_activity", { period, fields: FIELDS });
  return { row: items[0], note };
}

const START = { isStartOfShift: true };
const END = { isEndOfShift: true };

/** The row as "driving+work+availability, breaks, shift", without what is none. */
function inShort(row: Record<string, string>): string {
  const { driving, work = "", availability = "", breaks = "", shiftStart, shiftEnd, shift = "" } = row;
  const times = [driving, work && `work ${work}`, availability && `available ${availability}`, breaks && `breaks ${breaks}`];
  return `${times.filter(Boolean).join(", ")}${shiftStart ? `; ${shiftStart}-${shiftEnd}` : ""}${shift.includes("in") ? `, ${shift}` : ""}`;
}

it.each<[what: string, activities: object[], expected: string | undefined]>([
  ["nothing", [], undefined],
  ["activities in any order", [done("DRIVING", 12, 13), done("WORK", 8, 9), done("DRIVING", 9, 12)], "4:00, work 1:00; 08:00-13:00"],
  ["overlaps, once", [done("DRIVING", 8, 10), done("DRIVING", 9, 12), done("DRIVING", 9, 10)], "4:00; 08:00-12:00"],
  ["what reaches into the period, clipped", [done("DRIVING", 4, 7)], "1:00; 06:00, period begins-07:00"],
  ["nothing outside it", [done("DRIVING", 2, 4), done("DRIVING", 19, 20), done("DRIVING", 5, 6)], undefined],
  ["nothing without length", [done("DRIVING", 8, 8), done("DRIVING", 10, 8)], undefined],
  ["what is in progress, until now", [open("DRIVING", 14)], "2:00; 14:00-goes on"],
  ["what is in progress with a later end, until now", [open("DRIVING", 14, { endTime: time(17) })], "2:00; 14:00-goes on"],
  [
    "what is in progress, until the next",
    [open("DRIVING", 8), done("REST", 9, 10), open("WORK", 15)],
    "1:00, work 1:00, breaks 1:00; 08:00-goes on",
  ],
  ["what is in progress, until now, whatever is to follow", [open("DRIVING", 14), done("WORK", 17, 18)], "2:00; 14:00-goes on"],
  ["an end in the future as in progress", [done("DRIVING", 14, 17)], "2:00; 14:00-goes on"],
  ["an end in the year 9999 as in progress", [done("DRIVING", 14, 60_000_000)], "2:00; 14:00-goes on"],
  ["nothing that begins in the future", [done("DRIVING", 17, 18), open("WORK", 17)], undefined],
  ["driving during rest as driving only", [done("REST", 8, 12), done("DRIVING", 7, 13)], "6:00; 07:00-13:00"],
  [
    "driving during work as driving only",
    [done("WORK", 8, 12), done("DRIVING", 9, 10), done("AVAILABILITY", 11, 13)],
    "1:00, work 3:00, available 1:00; 08:00-13:00",
  ],
  [
    "rest within a shift as breaks",
    [done("REST", 6, 8), done("WORK", 8, 9), done("REST", 9, 10), done("WORK", 10, 11)],
    "0:00, work 2:00, breaks 1:00; 08:00-11:00",
  ],
  ["a daily rest in progress as the end", [done("WORK", 6, 6.5), open("REST", 6.5)], "0:00, work 0:30; 06:00, period begins-06:30"],
  [
    "what is unknown as no part of a shift",
    [done("WORK", 8, 9), done("UNKNOWN", 9, 10), done("BLANK", 9, 10)],
    "0:00, work 1:00; 08:00-09:00",
  ],
  ["waiting as part of a shift", [done("AVAILABILITY", 8, 9), done("WORK", 9, 10)], "0:00, work 1:00, available 1:00; 08:00-10:00"],
  ["a break in progress as part of the shift", [done("WORK", 8, 15), open("REST", 15)], "0:00, work 7:00, breaks 1:00; 08:00-goes on"],
  ["a rest after the end of the shift as none", [done("WORK", 8, 15, END), open("REST", 15)], "0:00, work 7:00; 08:00-15:00"],
  ["two shifts with nine hours between", [done("WORK", 6, 6.5, START), done("WORK", 15.5, 16)], "0:00, work 1:00; 06:00-16:00, 1:00 in 2"],
  ["one shift with less between", [done("WORK", 7, 8), done("WORK", 15, 16)], "0:00, work 2:00; 07:00-16:00"],
  [
    "one shift if the second begins before the first ends",
    [done("WORK", 7, 9), done("WORK", 8, 10, START)],
    "0:00, work 3:00; 07:00-10:00",
  ],
  ["two shifts if the service says so", [done("WORK", 7, 8), done("WORK", 14, 15, START)], "0:00, work 2:00; 07:00-15:00, 2:00 in 2"],
])("a summary counts %s", async (_, activities, expected) => {
  const { row } = await summary(activities);
  expect(row && inShort(row)).toBe(expected);
});

it("names words without a known meaning, and keeps them out of the shifts", async () => {
  const { row, note } = await summary([done("PAUSE", 8, 9), { startTime: time(9), endTime: time(11) }, done("constructor", 11, 12)]);
  expect(row).toEqual({ driving: "0:00", other: ["PAUSE 1:00", "constructor 1:00", "not labelled 2:00"] });
  expect(note).toContain("Not in FLEET_ACTIVITY_WORDS, so not part of shifts: “PAUSE”, “constructor”, “not labelled”");
});

it("counts the activities without readable times, each once", async () => {
  const unreadable = [{ activity: "WORK", startTime: time(8) }, { endTime: time(8) }, { startTime: "x", endTime: time(9) }];
  // The first is on two pages.
  const { row, note } = await summary([...unreadable, ...unreadable.slice(0, 1), done("WORK", 8, 9)]);
  expect([row.work, note]).toEqual(["1:00", expect.stringContaining("Left out: 3 entries without readable times.")]);
});

it("names the vehicles that were used", async () => {
  const { row } = await summary([
    done("DRIVING", 8, 9, { vehicleFriendlyName: "Truck 1", assetRegistration: "A 1" }),
    done("WORK", 9, 10, { assetRegistration: "A 2" }),
    done("REST", 10, 11, { vehicleFriendlyName: "Truck 3" }),
    done("DRIVING", 2, 3, { vehicleFriendlyName: "Truck 4" }),
  ]);
  expect(row.vehicle).toEqual(["Truck 1", "A 2"]);
});

describe("a shift that a past period cuts is marked where it is cut:", () => {
  it.each<[why: string, activity: object, shiftStart: string, shiftEnd: string]>([
    ["neither", done("DRIVING", 6, 10), "06:00", "10:00"],
    ["at its end", done("DRIVING", 20, 26), "20:00", "00:00, period ends"],
    ["at its start", done("DRIVING", -4, 2), "00:00, period begins", "02:00"],
    ["at its start, if it began earlier", done("DRIVING", -4, 2, START), "00:00, period begins", "02:00"],
    ["at both", done("DRIVING", -4, 26), "00:00, period begins", "00:00, period ends"],
    ["at its end, if still in progress", open("DRIVING", 20), "20:00", "00:00, period ends"],
    ["where nothing says that it ended", done("DRIVING", 20, 24), "20:00", "00:00, period ends"],
    ["not where it ended", done("DRIVING", 20, 24, END), "20:00", "00:00"],
    ["at its end, if it ended later", done("DRIVING", 20, 26, END), "20:00", "00:00, period ends"],
    ["not where it began", done("DRIVING", 0, 2, START), "00:00", "02:00"],
  ])("%s", async (_, activity, shiftStart, shiftEnd) => {
    expect((await summary([activity], "2026-11-20", at(30))).row).toMatchObject({ shiftStart, shiftEnd });
  });
});
