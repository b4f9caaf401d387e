import { describe, expect, it } from "vitest";
import { driverHoursTool } from "../../src/tools/driver-hours.ts";
import { type Asked, cannedService, NOW, rowsOf, toolsOver } from "../canned-service.ts";

type Json = Record<string, unknown>;
type Part = readonly [activity: string, hours: number];

const HOUR = 3_600_000;

/** A driver whose activities follow each other until now, the last of them in progress. */
const driver = (at: number, ...parts: Part[]) => {
  let left = parts.reduce((sum, [, hours]) => sum + hours, 0);
  const activities = parts.map(([activity, hours], index) => {
    const startTime = new Date(NOW - left * HOUR).toISOString();
    left -= hours;
    return {
      activity,
      startTime,
      ...(index < parts.length - 1 ? { endTime: new Date(NOW - left * HOUR).toISOString() } : { inProgress: true }),
    };
  });
  return { driverId: `p${at}`, driverKey: `K${at}`, activities };
};
const RESTED: Part = ["REST", 400];

const hours = async (entries: readonly object[], args: Json = {}, now = NOW) => {
  const service = await cannedService(({ operation, fields: { skip, limit } }: Asked) =>
    operation === "listLivePositions"
      ? entries.map((_, at) => ({ assetId: `v${at}`, assetName: `Truck ${at}`, driverId: `p${at}`, driverName: `Driver ${at}` }))
      : { count: entries.length, data: entries.slice(Number(skip), Number(skip) + Number(limit)) },
  );
  const { context, call } = toolsOver(service, { FLEET_MAX_RESULT_TOKENS: "9000" });
  context.now = () => now;
  const { text, structured } = await call(driverHoursTool, args);
  return {
    head: text.split("\n")[0] ?? "",
    columns: (text.split("\n")[1] ?? "").split(" | "),
    rows: rowsOf(structured),
    next: structured["next"],
  };
};

it("shows all figures of up to three drivers, and few of more", async () => {
  const working = (count: number) => Array.from({ length: count }, (_, at) => driver(at, RESTED, ["DRIVING", 1 + at], ["WORK", 0.5]));
  const [three, four] = [await hours(working(3)), await hours(working(4))];
  expect(three.rows[0]).toEqual({
    ...{ driver: "Driver 0", vehicle: "Truck 0", activity: "work", leftNow: "3:30", leftToday: "8:00", leftTodayExtended: "9:00" },
    ...{
      leftWeek: "55:00",
      leftFortnight: "89:00",
      drivenSinceBreak: "1:00",
      drivenToday: "1:00",
      drivenWeek: "1:00",
      drivenFortnight: "1:00",
    },
    ...{ rest: "400:00 or more before shift", dailyRestBy: "20 Nov 22:04", weeklyRestBy: "26 Nov 07:04" },
  });
  expect(three.columns).not.toContain("driverId");
  expect(four.columns).toEqual(["driver", "vehicle", "leftNow", "leftToday", "leftWeek"]);
  expect(four.rows.map(({ driver }) => driver)).toEqual(["Driver 0", "Driver 1", "Driver 2", "Driver 3"]);
});

it("shows a rest in progress, and by when to rest only those who did not begin in time", async () => {
  const fields = ["driver", "rest", "dailyRestBy", "breakNeeded", "driverId"];
  const { rows } = await hours(
    [
      driver(0, RESTED, ["DRIVING", 2], ["REST", 3]),
      driver(1, RESTED, ["DRIVING", 1], ["WORK", 13], ["REST", 5]),
      driver(2, RESTED, ["WORK", 16], ["REST", 1]),
    ],
    { fields },
  );
  const byDriver = Object.fromEntries(rows.map(({ driver, ...row }) => [driver, row]));
  expect(byDriver["Driver 0"]).toMatchObject({ rest: "resting 3:00", dailyRestBy: expect.any(String), driverId: "p0" });
  expect(byDriver["Driver 1"]).toEqual({ rest: "resting 5:00", breakNeeded: "0:45", driverId: "p1" });
  expect(byDriver["Driver 2"]).toMatchObject({ rest: "resting 1:00", dailyRestBy: expect.stringMatching(/^2026-11-20T/) });
});

describe("the notes of driver hours", () => {
  it.each<[number, string]>([
    [1, "No figures for Driver 0: not in FLEET_ACTIVITY_WORDS: “W0”"],
    [5, "No figures for Driver 0, Driver 1, Driver 2, Driver 3, Driver 4: not in FLEET_ACTIVITY_WORDS: “W0”, “W1”, “W2”, “W3”, “W4”"],
    [
      7,
      "No figures for Driver 0, Driver 1, Driver 2, Driver 3, Driver 4 and 2 more: not in FLEET_ACTIVITY_WORDS: “W0”, “W1”, “W2”, “W3”, “W4”",
    ],
  ])("name the unknown words of %i drivers", async (count, note) => {
    const { head } = await hours(Array.from({ length: count }, (_, at) => driver(at, RESTED, [`W${at}`, 1])));
    expect(head.endsWith(` ${note}`)).toBe(true);
    expect(head).toMatch(/^0 of 0 drivers\./);
  });

  it.each<[string, Part[], boolean]>([
    [
      "ranges",
      [
        ["REST", 20],
        ["DRIVING", 1],
        ["WORK", 0.1],
      ],
      true,
    ],
    ["no ranges", [RESTED, ["DRIVING", 1], ["WORK", 0.1]], false],
  ])("explain %s", async (_, parts, hasRanges) => {
    const { head, rows } = await hours([driver(0, ...parts)]);
    expect(head.includes("Ranges: gaps in the data, which may be driving or rest.")).toBe(hasRanges);
    expect(String(rows[0]?.["leftToday"]).includes("–")).toBe(hasRanges);
    expect(head).toContain("at 2026-11-20 08:34 UTC; most left first.");
    expect(head.includes("No figures")).toBe(false);
  });

  it("count the drivers without activities", async () => {
    expect((await hours([driver(0, RESTED), { driverId: "p1", driverKey: "K1", activities: [] }])).head).toContain(
      "Without tachograph activities: 1 of the 2 drivers in the live positions.",
    );
    expect((await hours([driver(0, RESTED), { driverId: "p1", driverKey: "K1", activities: [] }], { driver: "Driver 1" })).head).toContain(
      "Drivers without tachograph activities: Driver 1 (Truck 1).",
    );
  });
});

it("the next page keeps the order and the time of the first one", async () => {
  const entries = [
    driver(0, RESTED, ["DRIVING", 3], ["WORK", 1]),
    driver(1, RESTED, ["DRIVING", 2], ["WORK", 1]),
    driver(2, RESTED, ["DRIVING", 2], ["REST", 0.75], ["WORK", 1]),
    driver(3, RESTED, ["DRIVING", 2], ["WORK", 1]),
  ];
  const seen: unknown[] = [];
  let cursor: unknown;
  for (let page = 0; page < 4; page++) {
    const { rows, next, head } = await hours(entries, { limit: 1, ...(cursor !== undefined && { cursor }) }, NOW + page * HOUR);
    expect(head).toContain("at 2026-11-20 08:34 UTC");
    seen.push(...rows.map(({ driver }) => driver));
    cursor = next;
  }
  // Those with as much left today come by what is left before a break, then by name.
  expect([seen, cursor]).toEqual([["Driver 2", "Driver 1", "Driver 3", "Driver 0"], undefined]);
});
