import { describe, expect, it } from "vitest";
import { did, type Entry, entry, servePast, vehicle } from "./the-past.ts";

type Args = Record<string, unknown>;
type Env = Record<string, string>;
type Row = Record<string, string>;

const FIELDS = ["driving", "work", "availability", "breaks", "other", "vehicle", "shiftStart", "shiftEnd", "shift"];

/** What is summarized of a driver with these activities, at 16:00 unless said otherwise; undefined if nothing is. */
async function summary(activities: object[], period = "2026-11-19T06:00Z/2026-11-19T18:00Z", now = Date.UTC(2026, 10, 19, 16)) {
  const env = { FLEET_ACTIVITY_WORDS: "BLANK=unknown" };
  const { record } = await servePast([entry("p1", ...activities)], {
    env,
    now,
    sendsAll: true,
    vehicles: [{ assetId: "v1", driverId: "p1" }],
  });
  const { items, note } = await record("summarize_driver_activity", { period, fields: FIELDS });
  return { row: items[0], note };
}

/** The row as "driving, work, breaks; shift", without what is none. */
function inShort(row: Row): string {
  const { driving, work = "", availability = "", breaks = "", shiftStart, shiftEnd, shift = "" } = row;
  const times = [driving, work && `work ${work}`, availability && `available ${availability}`, breaks && `breaks ${breaks}`];
  return `${times.filter(Boolean).join(", ")}${shiftStart ? `; ${shiftStart}-${shiftEnd}` : ""}${shift.includes("in") ? `, ${shift}` : ""}`;
}

it.each<[what: string, activities: string, expected: string | undefined]>([
  ["activities in any order", "drive 12:00-13:00; work 08:00-09:00; drive 09:00-12:00", "4:00, work 1:00; 08:00-13:00"],
  ["overlaps, once", "drive 08:00-10:00; drive 09:00-12:00; drive 09:00-10:00", "4:00; 08:00-12:00"],
  ["what reaches into the period, clipped", "drive 04:00-07:00", "1:00; 06:00, period begins-07:00"],
  ["nothing without length", "drive 08:00-08:00; drive 10:00-08:00", undefined],
  ["what is in progress, until the next", "drive 08:00-; rest 09:00-10:00; work 15:00-", "1:00, work 1:00, breaks 1:00; 08:00-goes on"],
  ["nothing that begins in the future", "drive 17:00-18:00; work 17:00-", undefined],
  [
    "driving during work as driving only",
    "work 08:00-12:00; drive 09:00-10:00; wait 11:00-13:00",
    "1:00, work 3:00, available 1:00; 08:00-13:00",
  ],
  ["a daily rest in progress as the end", "work 06:00-06:30; rest 06:30-", "0:00, work 0:30; 06:00, period begins-06:30"],
  ["what is unknown as no part of a shift", "work 08:00-09:00; UNKNOWN 09:00-10:00; BLANK 09:00-10:00", "0:00, work 1:00; 08:00-09:00"],
  ["a break in progress as part of the shift", "work 08:00-15:00; rest 15:00-", "0:00, work 7:00, breaks 1:00; 08:00-goes on"],
  ["a rest after the end of the shift as none", "work 08:00-15:00 END; rest 15:00-", "0:00, work 7:00; 08:00-15:00"],
  ["two shifts with nine hours between", "work 06:00-06:30 START; work 15:30-16:00", "0:00, work 1:00; 06:00-16:00, 1:00 in 2"],
])("a summary counts %s", async (_, activities, expected) => {
  const { row } = await summary(did(activities));
  expect(row && inShort(row)).toBe(expected);
});

it("names words without a known meaning, and keeps them out of the shifts", async () => {
  const unnamed = did("drive 09:00-11:00").map((one) => ({ ...one, activity: undefined }));
  const { row, note } = await summary([...did("PAUSE 08:00-09:00 v-; constructor 11:00-12:00 v-"), ...unnamed]);
  expect(row).toMatchObject({ driving: "0:00", other: ["PAUSE 1:00", "constructor 1:00", "not labelled 2:00"] });
  expect(note).toContain("Not in FLEET_ACTIVITY_WORDS, so not part of shifts: “PAUSE”, “constructor”, “not labelled”");
});

it("counts the activities without readable times, each once", async () => {
  const [work = {}] = did("work 08:00-09:00");
  const unreadable = [
    { ...work, endTime: undefined },
    { ...work, startTime: undefined },
    { ...work, startTime: "x" },
  ];
  // The first is on two pages.
  const { row, note } = await summary([...unreadable, ...unreadable.slice(0, 1), work]);
  expect([row.work, note]).toEqual(["1:00", expect.stringContaining("Left out: 3 entries without readable times.")]);
});

it("names the vehicles that were used", async () => {
  const [one, other, resting, early] = did("drive 08:00-09:00; work 09:00-10:00 v2; rest 10:00-11:00 v3; drive 02:00-03:00 v4");
  const { row } = await summary([{ ...one, vehicleFriendlyName: "My truck" }, other, resting, early] as object[]);
  expect(row.vehicle).toEqual(["My truck", "REG v2"]);
});

it.each<[why: string, activity: string, shiftStart: string, shiftEnd: string]>([
  ["at both", "drive 18T20:00-20T02:00", "00:00, period begins", "00:00, period ends"],
  ["at its end, if still in progress", "drive 20:00-", "20:00", "00:00, period ends"],
  ["not where it ended", "drive 20:00-20T00:00 END", "20:00", "00:00"],
])("a shift that a past period cuts is marked %s", async (_, activity, shiftStart, shiftEnd) => {
  expect((await summary(did(activity), "2026-11-19", Date.UTC(2026, 10, 20, 6))).row).toMatchObject({ shiftStart, shiftEnd });
});

const FLEET = [
  vehicle("v1", { driverId: "p1", driverName: "Anna Keller" }),
  ...[vehicle("v2", { driverId: "p2", driverName: "Karl Ås" }), vehicle("v3", { driverId: "p3", driverName: "Anna Moser" })],
];

const unread = (startTime?: string, endTime?: string) => ({ activity: "WORK", startTime, endTime });
/** Anna drove Truck 2 at night and her own truck in the morning; her day is split over two entries. */
const ENTRIES: Entry[] = [
  entry("p1", ...did("drive 18T22:00-01:30 v2")),
  entry("p2", ...did("rest 00:00-18:00 v2; work 18:00- v2")),
  entry(
    "p1",
    ...did("drive 06:00-09:00; work 09:00-09:20; rest 20:00-20T05:00"),
    unread("2026-11-19T10:00:00Z"),
    unread("20.11.2026", "2026-11-19T11:00:00Z"),
  ),
];

async function serve(entries = ENTRIES, env: Env = {}, vehicles: readonly object[] = FLEET) {
  const served = await servePast([], { vehicles, env });
  // One entry per page, whatever the limit.
  served.service.script.queryTachoActivity = ({ body: { skip } }) => ({
    body: { count: entries.length, data: entries.slice(skip, skip + 1) },
  });
  return served;
}
const summarize = async (args: Args, entries?: Entry[], env?: Env, vehicles?: readonly object[]) =>
  (await serve(entries, env, vehicles)).record("summarize_driver_activity", { period: "yesterday", ...args });

const driversOf = (items: Row[]) => items.map(({ driver }) => driver);

describe("summarize_driver_activity", () => {
  it.each([["work", ["Karl Ås", "Anna Keller"]]])("sorts by %s, also over pages", async (sort, expected) => {
    const first = await summarize({ sort, limit: 1 });
    const last = await (await serve()).record("summarize_driver_activity", { period: "yesterday", sort, limit: 1, cursor: first.next });
    expect([driversOf([...first.items, ...last.items]), last.next]).toEqual([expected, undefined]);
  });

  it("shows one figure of more than three drivers, that by which they are sorted, and names the columns left out", async () => {
    const many = [0, 1, 2, 3].map((at) => entry(`q${at}`, ...did("work 06:00-07:00; rest 07:00-08:00; drive 08:00-09:00")));
    expect((await summarize({}, many)).columns).toEqual(["driver", "shiftStart", "shiftEnd", "driving"]);
    const { columns, note } = await summarize({ sort: "work" }, many);
    expect(columns).toEqual(["driver", "shiftStart", "shiftEnd", "work"]);
    expect(note).toContain("Not shown: vehicle, shift, driving, breaks; request them as fields.");
    const chosen = await summarize({ fields: ["shift", "driving", "breaks"] }, many);
    expect(chosen.items[0]).toEqual({ driver: "id q0", shift: "3:00", driving: "1:00", breaks: "1:00" });
    expect(chosen.note).not.toContain("Not shown");
  });

  it.each([["an unknown order", { period: "yesterday", sort: "rest" }, /sort: /]])("refuses %s", async (_, args, expected) => {
    expect(await (await serve()).failure("summarize_driver_activity", args)).toMatch(expected);
  });
});

it("a period of more than 31 days is read in parts, and what lasts over their edges counts once", async () => {
  const { text, service } = await servePast(["p1: drive 10-01T22:00-10-02T02:00"]);
  expect(await text("summarize_driver_activity", { period: "2026-09-01/2026-10-31" })).toContain("| 4:00 | 4:00");
  expect(service.of("queryTachoActivity").map(({ body }) => [body.startTime, body.endTime])).toEqual([
    ["2026-09-01T00:00:00", "2026-10-02T00:00:00"],
    ["2026-10-02T00:00:00", "2026-11-01T00:00:00"],
  ]);
});

// It is Friday, 2026-11-20 08:34 UTC.
it.each([
  ["last 24 hours", "Europe/Paris", "2026-11-19T08:34:00", "2026-11-20T08:34:00"],
  ["2026-03-29", "Europe/Paris", "2026-03-28T23:00:00", "2026-03-29T22:00:00"],
])("the period %s is read in %s", async (period, FLEET_TIME_ZONE, startTime, endTime) => {
  const { record, service } = await servePast([], { env: { FLEET_TIME_ZONE } });
  const { note } = await record("summarize_driver_activity", { period });
  expect(service.of("queryTachoActivity").map(({ body }) => [body.startTime, body.endTime])).toEqual([[startTime, endTime]]);
  const local = (time: string) => new Date(`${time}Z`).toLocaleString("sv-SE", { timeZone: FLEET_TIME_ZONE }).slice(0, 16);
  expect(note).toContain(`in ${FLEET_TIME_ZONE}: ${local(startTime)} to ${local(endTime)}`);
});

describe("by day", () => {
  const [FIRST, SECOND] = ["Anna Keller 2026-11-18: 2:00 from 22:00", "Anna Keller 2026-11-19: 4:30 from 00:00, day begins"];
  const KARL = "Karl Ås 2026-11-19: 0:00 from 18:00";
  it.each<[args: Args, zone: string, rows: string[]]>([
    [{}, "UTC", [FIRST, SECOND, KARL]],
    [
      { driver: "Anna Keller" },
      "Europe/Berlin",
      ["Anna Keller 2026-11-18: 1:00 from 23:00", "Anna Keller 2026-11-19: 5:30 from 00:00, day begins"],
    ],
  ])("there is a row for each driver and day of the user's zone: %j in %s", async (args, FLEET_TIME_ZONE, rows) => {
    const { items, note } = await summarize({ period: "2026-11-18/2026-11-19", by: "day", ...args }, ENTRIES, { FLEET_TIME_ZONE });
    expect(items.map(({ driver, day, driving, shiftStart }: Row) => `${driver} ${day}: ${driving} from ${shiftStart}`)).toEqual(rows);
    expect(note).toContain(`All ${rows.length} days: driving 6:30`);
  });

  it("adds up to the same as the whole period, in pages of one row, and on the day of 25 hours", async () => {
    const { record } = await servePast(["p1: drive 10-24T20:00-10-26T04:00"], { env: { FLEET_TIME_ZONE: "Europe/Berlin" } });
    const rows: Row[] = [];
    for (let cursor: string | undefined = ""; cursor !== undefined; ) {
      const args: Args = { period: "2026-10-24/2026-10-26", by: "day", limit: 1, ...(cursor && { cursor }) };
      const page = await record("summarize_driver_activity", args);
      rows.push(...page.items);
      cursor = page.next;
    }
    expect(rows.map(({ day, driving }) => `${day} ${driving}`)).toEqual(["2026-10-24 2:00", "2026-10-25 25:00", "2026-10-26 5:00"]);
  });
});
