import { describe, expect, it } from "vitest";
import { driverTimes } from "../../src/aggregate/driver-times.ts";
import { workedTimes } from "../../src/aggregate/worked-time.ts";

const at = (hour: number) => Date.UTC(2026, 10, 20, hour);
const time = (hour: number) => new Date(at(hour)).toISOString();
const HOUR = 3_600_000;
const WINDOW = { start: at(6), end: at(18) };

const done = (activity: string | undefined, start: number, end: number) => ({
  ...(activity !== undefined && { activity }),
  startTime: time(start),
  endTime: time(end),
});
const open = (activity: string, start: number, end?: number) => ({
  ...{ activity, startTime: time(start), inProgress: true },
  ...(end !== undefined && { endTime: time(end) }),
});

type Row = [activity: string, hours: number, entries: number, first: number, last: number, isOpen?: true];

const ROWS: [string, Parameters<typeof workedTimes>[0], Row[], number?][] = [
  ["nothing", [], []],
  ["entries of one activity", [done("driving", 8, 10), done("driving", 12, 13)], [["driving", 3, 2, 8, 13]]],
  ["entries in another order", [done("driving", 12, 13), done("driving", 8, 10)], [["driving", 3, 2, 8, 13]]],
  ["overlapping entries", [done("driving", 8, 10), done("driving", 9, 12)], [["driving", 4, 2, 8, 12]]],
  ["an entry within another", [done("driving", 8, 12), done("driving", 9, 10), done("driving", 11, 13)], [["driving", 5, 3, 8, 13]]],
  [
    "several activities, by name",
    [done("work", 8, 9), done("driving", 9, 11)],
    [
      ["driving", 2, 1, 9, 11],
      ["work", 1, 1, 8, 9],
    ],
  ],
  [
    "several activities, already sorted",
    [done("driving", 9, 11), done("work", 8, 9)],
    [
      ["driving", 2, 1, 9, 11],
      ["work", 1, 1, 8, 9],
    ],
  ],
  ["an activity without a label", [done(undefined, 8, 9)], [["not labelled", 1, 1, 8, 9]]],
  ["entries that reach out of the window", [done("driving", 4, 7), done("driving", 17, 20)], [["driving", 2, 2, 6, 18]]],
  ["entries outside the window", [done("driving", 2, 4), done("driving", 19, 20), done("driving", 5, 6)], []],
  ["entries without length", [done("driving", 8, 8)], []],
  ["an entry that ends before it begins", [done("driving", 10, 8)], []],
  ["an activity in progress", [open("driving", 14)], [["driving", 2, 1, 14, 16, true]]],
  ["an activity in progress with a later end", [open("driving", 14, 17)], [["driving", 2, 1, 14, 16, true]]],
  ["an activity that starts now", [open("driving", 16)], [["driving", 0, 1, 16, 16, true]]],
  ["an activity that will start", [open("driving", 17)], []],
  ["finished and in progress", [done("driving", 8, 9), open("driving", 15)], [["driving", 2, 2, 8, 16, true]]],
  ["an entry that is explicitly not in progress", [{ ...done("driving", 8, 9), inProgress: false }], [["driving", 1, 1, 8, 9]]],
  [
    "times that cannot be read",
    [{ activity: "driving", startTime: time(8) }, { endTime: time(8) }, { startTime: "x", endTime: time(9) }, done("driving", 8, 9)],
    [["driving", 1, 1, 8, 9]],
    3,
  ],
];

const expected = (rows: readonly Row[]) =>
  rows.map(([activity, hours, entries, first, last, isOpen = false]) => ({
    ...{ activity, milliseconds: hours * HOUR, entries },
    ...{ first: at(first), last: at(last), open: isOpen },
  }));

describe("the time worked, from 6:00 to 18:00, at 16:00", () => {
  it.each(ROWS)("%s", (_, activities, rows, unread = 0) => {
    expect(workedTimes(activities, WINDOW, at(16))).toEqual({ times: expected(rows), unread });
  });

  it("of an activity in progress ends with the window", () => {
    expect(workedTimes([open("driving", 14)], WINDOW, at(20)).times).toEqual(expected([["driving", 4, 1, 14, 18, true]]));
  });
});

describe("the time worked by each driver", () => {
  const names = new Map([["d1", "Ana Ruiz"]]);

  it("includes all entries of a driver, by id, else by card", () => {
    const entries = [
      { driverId: "d1", driverKey: "k1", activities: [done("driving", 8, 9)] },
      { driverKey: "k2", activities: [done("work", 8, 9)] },
      { driverId: "d1", driverKey: "k9", activities: [done("driving", 10, 12), done("rest", 12, 13)] },
      { driverId: "d2" },
      { driverKey: "k2", activities: [done("work", 10, 11), {}] },
      { activities: [{}, done("work", 7, 8)] },
      { activities: [done("work", 9, 10)] },
    ];
    const [driving, rest, work, unknown] = expected([
      ["driving", 3, 2, 8, 12],
      ["rest", 1, 1, 12, 13],
      ["work", 2, 2, 8, 11],
      ["work", 2, 2, 7, 10],
    ]);
    const ana = { driverName: "Ana Ruiz", driverId: "d1", driverKey: "k1" };
    expect(driverTimes(entries, names, WINDOW, at(16))).toEqual({
      times: [
        { ...ana, ...driving },
        { ...ana, ...rest },
        { driverName: undefined, driverId: undefined, driverKey: "k2", ...work },
        { driverName: undefined, driverId: undefined, driverKey: undefined, ...unknown },
      ],
      unread: 2,
    });
  });

  it("has no name if the driver's id is unknown, even if a name without an id is known", () => {
    const { times } = driverTimes([{ driverKey: "k", activities: [done("work", 8, 9)] }], new Map([[undefined, "Bo Li"]]), WINDOW, at(16));
    expect(times.map(({ driverName }) => driverName)).toEqual([undefined]);
  });
});
