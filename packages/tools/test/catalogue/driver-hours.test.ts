import { expect, it } from "vitest";
import { NOW } from "../served-fleet.ts";
import { servePast, vehicle } from "./the-past.ts";

type Part = readonly [activity: string, hours: number, slot?: number | undefined];
type Row = Record<string, string>;

/** It is Friday, 2026-11-20 08:34 UTC. */
const ago = (hours: number) => new Date(NOW - hours * 3_600_000).toISOString();

/** A driver whose activities follow each other until now, the last of them in progress. */
const driver = (at: number, ...parts: Part[]) => {
  let left = parts.reduce((sum, [, hours]) => sum + hours, 0);
  const activities = parts.map(([activity, hours, driverCardSlot], index) => {
    const startTime = ago(left);
    left -= hours;
    return { activity, startTime, driverCardSlot, ...(index < parts.length - 1 ? { endTime: ago(left) } : { inProgress: true }) };
  });
  return { driverId: `p${at}`, driverKey: `DE00000000000${at}00`, activities };
};
const RESTED: Part = ["REST", 400];

const serve = (entries: readonly ReturnType<typeof driver>[], env: Record<string, string> = {}) =>
  servePast(entries, {
    vehicles: entries.map((_, at) => vehicle(`v${at}`, { driverId: `p${at}`, driverName: `Driver ${at}`, assetRegistration: undefined })),
    env,
    sendsAll: true,
  });
/** What driver_hours says of one driver with these activities. */
const hoursOf = async (parts: Part[], fields?: string, env?: Record<string, string>) =>
  (await serve([driver(0, ...parts)], env)).record("driver_hours", fields === undefined ? {} : { fields });

const byDriver = (items: Row[]) => Object.fromEntries(items.map(({ driver: name, ...row }) => [name, row]));

it.each([
  ["leftToday<7:30", ["Driver 2", "Driver 1"]],
  ["leftToday<=6h", ["Driver 2"]],
  ["leftNow>200 min", ["Driver 0"]],
  ["leftNow>=2:30 and leftNow<3:30", ["Driver 1"]],
])("those with %s are found, least left first", async (where, expected) => {
  const { record } = await serve(Array.from({ length: 3 }, (_, at) => driver(at, RESTED, ["DRIVING", at + 1])));
  expect((await record("driver_hours", { where })).items.map((row: Row) => row["driver"])).toEqual(expected);
});

it("all figures of up to three drivers are shown, and few of more, in pages, and the columns left out are named", async () => {
  const working = (count: number) => Array.from({ length: count }, (_, at) => driver(at, RESTED, ["DRIVING", 1 + at], ["WORK", 0.5]));
  const three = await (await serve(working(3))).record("driver_hours");
  expect(byDriver(three.items)["Driver 0"]).toEqual({
    ...{ vehicle: "Truck 0", activity: "work", leftNow: "3:30", leftToday: "8:00", leftTodayExtended: "9:00", limitedBy: "9 h" },
    ...{ shiftStart: "20 Nov 07:04", leftWeek: "55:00", leftFortnight: "89:00", drivenSinceBreak: "1:00", drivenToday: "1:00" },
    ...{
      drivenWeek: "1:00",
      drivenFortnight: "1:00",
      rest: "400:00 or more before shift",
      dailyRestBy: "22:04",
      weeklyRestBy: "26 Nov 07:04",
    },
  });
  expect(three.note).not.toContain("Not shown");
  const served = await serve(working(4));
  const { columns, note } = await served.record("driver_hours");
  expect(columns).toEqual(["driver", "vehicle", "leftNow", "leftToday", "limitedBy", "shiftStart", "leftWeek"]);
  const fields = (/Not shown: ([^.]*); request them as fields\./.exec(note)?.[1] ?? "").split(", ");
  expect(fields).toContain("leftTodayExtended");
  const asked = await served.record("driver_hours", { fields });
  for (const field of fields) expect(asked.items[0][field], field).toBeDefined();
  expect(asked.note).not.toContain("Not shown");
  const first = await served.record("driver_hours", { limit: 3 });
  const last = await served.record("driver_hours", { limit: 3, cursor: first.next });
  const names = [...first.items, ...last.items].map((row: Row) => row["driver"]);
  expect([names, last.next]).toEqual([["Driver 3", "Driver 2", "Driver 1", "Driver 0"], undefined]);
});

it("drivers at work are shown first, least left first, since when they work and what limits them", async () => {
  const days = (count: number, ...day: Part[]) => Array.from({ length: count }, () => day).flat();
  const parts: Part[][] = [
    [RESTED, ["DRIVING", 9], ["WORK", 1]],
    [RESTED, ["WORK", 14]],
    [RESTED, ["DRIVING", 4], ["WORK", 9], ["REST", 2]],
    [RESTED, ["DRIVING", 2], ["REST", 0.5]],
    [RESTED, ...days(4, ["DRIVING", 10], ["REST", 14]), ["DRIVING", 1]],
    [["REST", 60], ...days(7, ["WORK", 10], ["REST", 14]), ["WORK", 1]],
    [RESTED, ["DRIVING", 2], ["REST", 12]],
    [RESTED, ["DRIVING", 1], ["WORK", 8]],
  ];
  const { record } = await serve(parts.map((own, at) => driver(at, ...own)));
  const { items } = await record("driver_hours", { fields: ["driver", "shiftStart", "leftToday", "limitedBy"] });
  const rows = items.map((row: Row) => [row["driver"], row["shiftStart"]?.slice(11, 16) ?? "-", row["leftToday"], row["limitedBy"]]);
  expect(rows.map((row: string[]) => row.join(" "))).toEqual([
    ...["Driver 0 22:34 0:00 9 h driven", "Driver 1 18:34 0:00 daily rest due", "Driver 5 07:34 0:00 weekly rest due"],
    ...["Driver 7 23:34 4:00 daily rest", "Driver 3 06:04 7:00 9 h", "Driver 4 07:34 8:00 9 h"],
    ...["Driver 2 - 0:00 shift over", "Driver 6 - 9:00 9 h"],
  ]);
});

it("a rest in progress is shown, and by when to rest only if it did not begin in time", async () => {
  const { record } = await serve([
    driver(0, RESTED, ["DRIVING", 2], ["REST", 3]),
    driver(1, RESTED, ["DRIVING", 1], ["WORK", 13], ["REST", 5]),
    driver(2, RESTED, ["WORK", 16], ["REST", 1]),
  ]);
  const { items } = await record("driver_hours", { fields: ["driver", "rest", "dailyRestBy", "breakNeeded"] });
  expect(byDriver(items)).toEqual({
    "Driver 0": { rest: "resting 3:00", breakNeeded: "0:45", dailyRestBy: expect.any(String) },
    "Driver 1": { rest: "resting 5:00", breakNeeded: "0:45" },
    "Driver 2": { rest: "resting 1:00", breakNeeded: "0:45", dailyRestBy: expect.stringMatching(/^2026-11-20T/) },
  });
});

it("the week counts from Monday 00:00 UTC, and the fortnight from all activities since the rest before it", async () => {
  const days = Array.from({ length: 12 }, (): Part[] => [
    ["DRIVING", 4],
    ["WORK", 4],
    ["REST", 16],
  ]).flat();
  const { record, service, another } = await serve([driver(0, ["REST", 48], ...days, ["DRIVING", 1])]);
  const { items } = await record("driver_hours", { fields: ["drivenWeek", "drivenFortnight"] });
  expect(items).toMatchObject([{ drivenWeek: "17:00", drivenFortnight: "45:00" }]);
  const period = { startTime: "2026-11-02T00:00:00", endTime: "2026-11-20T08:34:00" };
  expect(service.of("queryTachoActivity").at(-1)?.body).toMatchObject(period);
  // Later calls of the same minute send the same request, so that it can be cached.
  await another({}, { now: () => NOW + 1 }).call("driver_hours", {});
  expect(service.of("queryTachoActivity").at(-1)?.body).toMatchObject({ ...period, endTime: "2026-11-20T08:35:00" });
});

it.each([
  [20, true],
  [400, false],
])("the note says under which rules, and explains ranges, after %d hours of rest: %j", async (rest, hasRanges) => {
  const { items, note } = await hoursOf([
    ["REST", rest],
    ["DRIVING", 1],
    ["WORK", 0.1],
  ]);
  expect(note).toContain("under Regulation (EC) 561/2006, h:mm, at 2026-11-20 08:34 UTC");
  expect(note).toMatch(/not yet downloaded or made by hand.*ferry rules, longer days of teams.*Not proof that driving is legal/);
  expect(note.includes("Ranges: gaps in the data, which may be driving or rest.")).toBe(hasRanges);
  expect(items[0].leftToday.includes("–")).toBe(hasRanges);
});

it("the unknown words of drivers are named instead of figures, unless FLEET_ACTIVITY_WORDS has them", async () => {
  const entries = Array.from({ length: 7 }, (_, at) => driver(at, RESTED, [`W${at}`, 1]));
  const words = "not in FLEET_ACTIVITY_WORDS: “W1”, “W2”, “W3”, “W4”, “W5”";
  const { items, note } = await (await serve(entries, { FLEET_ACTIVITY_WORDS: "W0=driving" })).record("driver_hours");
  expect(items).toMatchObject([{ driver: "Driver 0", drivenToday: "1:00" }]);
  expect(note).toContain(`No figures for Driver 1, Driver 2, Driver 3, Driver 4, Driver 5 and 1 more: ${words}`);
});

it.each<[word: string, slot: number | undefined, sinceBreak: string]>([
  ["AVAILABILITY", 2, "1:00"],
  ["DRIVING", 2, "1:00"],
  ["AVAILABILITY", 1, "3:00"],
  ["AVAILABILITY", undefined, "3:00"],
])("45 minutes beside another driver are a break, and never driving: %s in slot %s", async (word, slot, drivenSinceBreak) => {
  const { items } = await hoursOf([RESTED, ["DRIVING", 2], [word, 0.75, slot], ["DRIVING", 1]], "drivenSinceBreak,drivenToday");
  expect(items).toMatchObject([{ drivenSinceBreak, drivenToday: "3:00" }]);
});
