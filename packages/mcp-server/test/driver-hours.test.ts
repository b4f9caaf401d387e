import { describe, expect, it } from "vitest";
import type { Position } from "../../tools/test/canned-fleet.ts";
import { type Script, tachoRecords } from "../../tools/test/fleet-service.ts";
import { NOW, questionOf, serverUnderTest, structuredOf, textOf } from "./server-under-test.ts";

const vehicle = (number: number, driverName: string, group: string): Position => ({
  assetId: `v${number}`,
  assetName: `Truck ${number}`,
  assetRegistration: `AB ${number}`,
  driverId: `p${number}`,
  driverName,
  assetGroupId: group.toLowerCase(),
  assetGroupName: group,
});

const FLEET: Position[] = [
  vehicle(1, "Anna Keller", "North"),
  vehicle(2, "Karl Ås", "North"),
  vehicle(3, "Anna Moser", "South"),
  vehicle(4, "Bea Ost", "South"),
];

const HOUR = 3_600_000;
/** It is Friday, 2026-11-20 08:34 UTC. */
const ago = (hours: number) => new Date(NOW - hours * HOUR).toISOString().slice(0, 19);

/** Activities that follow each other until now, such as ["REST", 60]; the last is in progress. */
function activities(
  parts: [activity: string, hours: number][],
): { activity: string; startTime: string; endTime?: string; inProgress?: true }[] {
  let left = parts.reduce((sum, [, hours]) => sum + hours, 0);
  return parts.map(([activity, hours], index) => {
    const startTime = ago(left);
    left -= hours;
    return { activity, startTime, ...(index < parts.length - 1 ? { endTime: ago(left) } : { inProgress: true }) };
  });
}

/** Drives for a fortnight, eight hours a day, so that the data reaches back far enough. */
const WEEKS: [string, number][] = [
  ["REST", 48],
  ...Array.from({ length: 13 }, (): [string, number][] => [
    ["DRIVING", 4],
    ["REST", 1],
    ["WORK", 4],
    ["REST", 15],
  ]).flat(),
  ["REST", 46],
];

const record = (number: number, parts: [string, number][]) => ({
  driverId: `p${number}`,
  driverKey: `DE000000000000${number}`,
  activities: activities(parts).map((activity) => ({ assetRegistration: `AB ${number}`, ...activity })),
});

const RECORDS = [
  record(1, [...WEEKS, ["DRIVING", 2], ["WORK", 0.5], ["DRIVING", 1]]),
  record(2, [...WEEKS, ["DRIVING", 4.5], ["REST", 0.25]]),
  record(3, [...WEEKS, ["WORK", 1], ["FAHREN", 1]]),
];

const serve = (env: Record<string, string> = {}, script: Script = tachoRecords(RECORDS), fleet = FLEET) =>
  serverUnderTest({ script: { listLivePositions: () => ({ body: fleet }), ...script }, env: { FLEET_TIME_ZONE: "UTC", ...env } });

const names = (items: { driver: string }[]) => items.map(({ driver }) => driver);

describe("driver_hours", () => {
  it("lists what drivers have left, most first, and says who has no figures and why", async () => {
    const { call } = await serve();
    const { items, total, note } = structuredOf(await call("driver_hours"));
    expect(items).toMatchObject([
      {
        ...{ driver: "Anna Keller", vehicle: "Truck 1", group: "North", activity: "driving" },
        ...{ drivenSinceBreak: "3:00", drivenToday: "3:00", leftNow: "1:30", leftToday: "6:00", leftTodayExtended: "7:00" },
        ...{ rest: "61:00 before shift", dailyRestBy: "20 Nov 20:04" },
      },
      { driver: "Karl Ås", activity: "rest", drivenSinceBreak: "4:30", leftNow: "0:00", leftToday: "4:30", rest: "resting 0:15" },
    ]);
    expect(total).toBe(2);
    expect(note).toContain("Drivers' driving time left under Regulation (EC) 561/2006, h:mm, at 2026-11-20 08:34 UTC; most left first.");
    expect(note).toContain("Without tachograph activities: 1 of the 4 drivers in the live positions.");
    expect(note).toContain("No figures for Anna Moser: not in FLEET_ACTIVITY_WORDS: “FAHREN”");
    expect(note).toMatch(/not yet downloaded or made by hand.*ferry and team rules.*Not proof that driving is legal/);
  });

  it("says by when to rest only to those who have not begun a rest by then", async () => {
    const inTime: [string, number][] = [
      ["DRIVING", 4],
      ["REST", 1],
      ["DRIVING", 4],
      ["REST", 8],
    ];
    const tooLate: [string, number][] = [
      ["DRIVING", 4],
      ["WORK", 12],
      ["REST", 0.5],
    ];
    const { call } = await serve({}, tachoRecords([record(1, [...WEEKS, ...inTime]), record(2, [...WEEKS, ...tooLate])]));
    const { items } = structuredOf(await call("driver_hours"));
    const due = items.map(({ driver, rest, dailyRestBy }: Record<string, string>) => [driver, rest, dailyRestBy]);
    expect(due.toSorted()).toEqual([
      ["Anna Keller", "resting 8:00", undefined],
      ["Karl Ås", "resting 0:30", "20 Nov 07:04"],
    ]);
  });

  it("counts this week, from Monday 00:00 UTC, and the fortnight", async () => {
    const { call } = await serve();
    const [own] = structuredOf(await call("driver_hours", { driver: "Keller" })).items;
    const minutes = (text: string) => text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
    const drivenSince = (start: number) =>
      RECORDS[0]?.activities.reduce((sum, { activity, startTime, endTime = ago(0) }) => {
        const length = Date.parse(`${endTime}Z`) - Math.max(start, Date.parse(`${startTime}Z`));
        return activity === "DRIVING" ? sum + Math.max(0, length) : sum;
      }, 0);
    expect(minutes(own.drivenWeek) * 60_000).toBe(drivenSince(Date.parse("2026-11-16T00:00:00Z")));
    expect(minutes(own.drivenFortnight) * 60_000).toBe(drivenSince(Date.parse("2026-11-09T00:00:00Z")));
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    ["a name", { driver: "keller" }, ["Anna Keller"]],
    ["several names", { driver: "keller, karl" }, ["Anna Keller", "Karl Ås"]],
    ["a list of names", { driver: ["Karl Ås", "Anna Keller"] }, ["Anna Keller", "Karl Ås"]],
    ["a group", { group: "north" }, ["Anna Keller", "Karl Ås"]],
    ["a vehicle", { vehicle: "truck 2" }, ["Karl Ås"]],
    ["a group and a name", { group: "north", driver: "Karl" }, ["Karl Ås"]],
  ])("finds drivers by %s", async (_, args, expected) => {
    const { call, service } = await serve();
    expect(names(structuredOf(await call("driver_hours", args)).items)).toEqual(expected);
    expect(service.of("queryTachoActivity").at(-1)?.body.driverKeys).toHaveLength(expected.length);
  });

  it("reads the activities since the previous week's Monday and the rest before it", async () => {
    const { call, service } = await serve();
    await call("driver_hours");
    expect(service.of("queryTachoActivity").at(-1)?.body).toMatchObject({
      startTime: "2026-11-06T00:00:00",
      endTime: "2026-11-20T08:34:00",
    });
  });

  it("shows ranges where activities are missing", async () => {
    const lost = RECORDS.map((one) => ({ ...one, activities: one.activities.filter((_, index) => index !== one.activities.length - 2) }));
    const { call } = await serve({}, tachoRecords(lost.slice(0, 1)));
    const { items, note } = structuredOf(await call("driver_hours"));
    expect(items[0]).toMatchObject({ drivenToday: "3:00–3:30", leftToday: "5:30–6:00" });
    expect(note).toContain("Ranges: gaps in the data, which may be driving or rest.");
  });

  it("tells namesakes apart by vehicle and group", async () => {
    const namesakes = FLEET.map((position) => ({ ...position, driverName: "Kevin Marsh" }));
    const { call } = await serve({}, tachoRecords(RECORDS.slice(0, 2)), namesakes);
    const { items, note } = structuredOf(await call("driver_hours", { driver: "kevin marsh" }));
    expect(items).toMatchObject([
      { driver: "Kevin Marsh", vehicle: "Truck 1", group: "North" },
      { driver: "Kevin Marsh", vehicle: "Truck 2", group: "North" },
    ]);
    expect(note).toContain("Drivers without tachograph activities: Kevin Marsh (Truck 3; South), Kevin Marsh (Truck 4; South).");
  });

  it("says who has no tachograph data", async () => {
    const { call } = await serve();
    const { items, note } = structuredOf(await call("driver_hours", { driver: "Bea" }));
    expect(items).toEqual([]);
    expect(note).toContain("Drivers without tachograph activities: Bea Ost (Truck 4; South).");
  });

  it("reads words as FLEET_ACTIVITY_WORDS says", async () => {
    const { call } = await serve({ FLEET_ACTIVITY_WORDS: "FAHREN=driving" });
    const { items } = structuredOf(await call("driver_hours", { driver: "moser" }));
    expect(items[0]).toMatchObject({ driver: "Anna Moser", drivenToday: "1:00", leftToday: "8:00" });
  });

  it("shows few columns in a long list, without the group and what has been driven", async () => {
    const many = Array.from({ length: 12 }, (_, index) => index + 1);
    const fleet = many.map((number) => vehicle(number, `Driver Number ${number}`, "North"));
    const records = many.map((number) => record(number, [...WEEKS, ["DRIVING", number / 4]]));
    const { call } = await serve({}, tachoRecords(records), fleet);
    const rows = textOf(await call("driver_hours"))
      .split("\n")
      .slice(1);
    expect(rows.slice(0, 2)).toEqual([
      "driver | vehicle | leftNow | leftToday | leftWeek",
      "Driver Number 1 | Truck 1 | 4:15 | 8:45 | 47:45",
    ]);
    expect(rows).toHaveLength(13);
  });

  it("keeps the order and the time of the first page", async () => {
    const { call } = await serve();
    const first = structuredOf(await call("driver_hours", { limit: 1 }));
    const second = structuredOf(await call("driver_hours", { limit: 1, cursor: first.next }));
    expect(names([...first.items, ...second.items])).toEqual(["Anna Keller", "Karl Ås"]);
    expect(second.next).toBeUndefined();
  });

  it("asks which driver is meant", async () => {
    const { call } = await serve();
    expect(questionOf(await call("driver_hours", { driver: "anna" }))).toContain(
      "Anna Keller (Truck 1; North); Anna Moser (Truck 3; South)",
    );
  });
});

it("find_nearest_vehicles leaves out drivers who may drive less than a job takes", async () => {
  const fleet = FLEET.map((position, index) => ({ ...position, latitude: 51.32 + index / 100, longitude: 9.5, activeFaultCodes: [] }));
  const { call } = await serve({}, tachoRecords(RECORDS), fleet);
  const { items, note } = structuredOf(await call("find_nearest_vehicles", { to: "Truck 4", driveHours: 5 }));
  expect(items.map(({ assetName, why }: Record<string, string>) => [assetName, why])).toEqual([
    ["Truck 3", "1 km, driving time unknown, level not reported, no stop lamp"],
    ["Truck 1", "3 km, 6 h 00 min driving left, level not reported, no stop lamp"],
  ]);
  expect(note).toContain("Left out: 1 with less than 5 h of driving left.");
});
