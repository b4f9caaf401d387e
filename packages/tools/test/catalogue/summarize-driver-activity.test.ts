import { describe, expect, it } from "vitest";
import { type Script, tachoRecords } from "../fleet-service.ts";
import { servedFleet } from "../served-fleet.ts";

type Args = Record<string, unknown>;
type Row = Record<string, string>;

const FLEET = [
  { assetId: "v1", assetName: "Truck 1", assetRegistration: "KX21 ABC", driverId: "p1", driverName: "Anna Keller" },
  { assetId: "v2", assetName: "Truck 2", assetRegistration: "B-MW 1234", driverId: "p2", driverName: "Karl Ås" },
  { assetId: "v3", assetName: "Truck 3", assetRegistration: "ZZ99 ZZZ", driverId: "p3", driverName: "Anna Moser" },
];

const did = (activity: string, startTime?: string, endTime?: string, more: object = {}) => ({ activity, startTime, endTime, ...more });
const entry = (driverId: string, assetRegistration: string, activities: object[]) => ({
  ...{ driverId, driverKey: `DE000000000${driverId}000` },
  activities: activities.map((activity) => ({ assetRegistration, ...activity })),
});

/** Anna drove Truck 2 at night and her own truck in the morning; her day is split over two entries. */
const ENTRIES = [
  entry("p1", "B-MW 1234", [did("DRIVING", "2026-11-18T22:00:00Z", "2026-11-19T01:30:00Z")]),
  entry("p2", "B-MW 1234", [
    did("REST", "2026-11-19T00:00:00", "2026-11-19T18:00:00"),
    did("WORK", "2026-11-19T18:00:00", undefined, { inProgress: true }),
  ]),
  entry("p1", "KX21 ABC", [
    did("DRIVING", "2026-11-19T06:00:00Z", "2026-11-19T09:00:00Z"),
    did("WORK", "2026-11-19T09:00:00Z", "2026-11-19T09:20:00Z"),
    did("WORK", "2026-11-19T10:00:00Z", undefined),
    did("PAUSE", "20.11.2026", "2026-11-19T11:00:00Z"),
    did("REST", "2026-11-19T20:00:00Z", "2026-11-20T05:00:00Z"),
  ]),
];

/** Returns one entry per page, whatever the limit. */
const onePerPage: Script = {
  queryTachoActivity: ({ body: { skip } }) => ({ body: { count: ENTRIES.length, data: ENTRIES.slice(skip, skip + 1) } }),
};

const serve = (script: Script = onePerPage, env: Record<string, string> = {}, fleet: readonly object[] = FLEET) =>
  servedFleet({ script: { listLivePositions: () => ({ body: fleet }), ...script }, env });

const summarize = async (args: Args, script?: Script, env?: Record<string, string>) =>
  (await serve(script, env)).record("summarize_driver_activity", { period: "yesterday", ...args });

/** "driver: driving, shift start-end". */
const lines = (items: Row[]) =>
  items.map(({ driver, driving, shiftStart, shiftEnd }) => `${driver}: ${driving}, ${shiftStart}-${shiftEnd}`);

const KELLER = "Anna Keller: 4:30, 00:00, period begins-09:20";
const AS = "Karl Ås: 0:00, 18:00-00:00, period ends";

describe("summarize_driver_activity", () => {
  it("computes a driver's times over all pages, clipped to the period", async () => {
    const { items, total, note } = await summarize({});
    expect([lines(items), total]).toEqual([[KELLER, AS], 2]);
    expect(items[0]).toMatchObject({ shift: "9:20", work: "0:20", vehicle: ["B-MW 1234", "KX21 ABC"] });
    expect(items[1]).toMatchObject({ work: "6:00", shift: "6:00" });
    for (const said of [
      "Without tachograph activities: 1 of the 3 drivers in the live positions.",
      "Left out: 2 entries without readable times.",
      "times in UTC, durations in h:mm",
      "All 2: driving 4:30, work 6:20.",
    ])
      expect(note).toContain(said);
  });

  it("says that a shift goes on, and counts it up to now", async () => {
    const { items } = await summarize({ period: "last 24 hours", driver: "Karl" });
    expect(items).toMatchObject([{ shiftStart: "19 Nov 18:00", shiftEnd: "goes on", shift: "14:34", work: "14:34" }]);
  });

  it.each([
    ["driving", ["Anna Keller", "Karl Ås"]],
    ["work", ["Karl Ås", "Anna Keller"]],
    ["shift", ["Anna Keller", "Karl Ås"]],
  ])("sorts by %s, also over pages", async (sort, expected) => {
    const { record } = await serve();
    const args = { period: "yesterday", sort, limit: 1 };
    const first = await record("summarize_driver_activity", args);
    const last = await record("summarize_driver_activity", { ...args, cursor: first.next });
    expect([...first.items, ...last.items].map(({ driver }: Row) => driver)).toEqual(expected);
    expect(last.next).toBeUndefined();
  });

  it("shows one figure of more than three drivers, that by which they are sorted, and names the columns left out", async () => {
    const activities = [
      did("WORK", "2026-11-19T06:00:00Z", "2026-11-19T07:00:00Z"),
      did("REST", "2026-11-19T07:00:00Z", "2026-11-19T08:00:00Z"),
    ];
    activities.push(did("DRIVING", "2026-11-19T08:00:00Z", "2026-11-19T09:00:00Z"));
    const many = tachoRecords(Array.from({ length: 4 }, (_, at) => entry(`q${at}`, "AB 1", activities)));
    expect((await summarize({}, many)).columns).toEqual(["driver", "shiftStart", "shiftEnd", "driving"]);
    const { columns, note } = await summarize({ sort: "work" }, many);
    expect(columns).toEqual(["driver", "shiftStart", "shiftEnd", "work"]);
    expect(note).toContain("Not shown of more than 3 drivers: vehicle, shift, driving, breaks; request them as fields.");
    const chosen = await summarize({ fields: ["shift", "driving", "breaks"] }, many);
    expect(chosen.items[0]).toEqual({ shift: "3:00", driving: "1:00", breaks: "1:00" });
    expect(chosen.note).not.toContain("Not shown");
  });

  it("names words that have no meaning here, unless FLEET_ACTIVITY_WORDS gives them one", async () => {
    const script = tachoRecords([entry("p1", "KX21 ABC", [did("FAHREN", "2026-11-19T06:00:00Z", "2026-11-19T08:00:00Z")])]);
    const unknown = await summarize({}, script);
    expect(unknown.items).toMatchObject([{ driving: "0:00", other: "FAHREN 2:00" }]);
    expect(unknown.note).toContain("Not in FLEET_ACTIVITY_WORDS, so not part of shifts: “FAHREN”");
    const { items, note } = await summarize({}, script, { FLEET_ACTIVITY_WORDS: "FAHREN=driving, RUHE=rest" });
    expect(lines(items)).toEqual(["Anna Keller: 2:00, 06:00-08:00"]);
    expect(note).not.toContain("FLEET_ACTIVITY_WORDS");
  });

  it.each([
    [["Ana"], "Left out: 1 entry without readable times; no others from Ana."],
    [
      ["N".repeat(50), "B", "C", "D", "E", "F"],
      `Left out: 6 entries without readable times; no others from ${"N".repeat(39)}…, B, C, D, E and 1 more.`,
    ],
  ])("names drivers of whom no entry has readable times, instead of saying that they have none: %j", async (names, said) => {
    const fleet = names.map((driverName, at) => ({ assetId: `v${at}`, driverId: `d${at}`, driverName }));
    const unread = tachoRecords(fleet.map(({ driverId }) => entry(driverId, "AB 1", [did("DRIVING", "soon")])));
    const { note } = await (await serve(unread, {}, fleet)).record("summarize_driver_activity", { period: "yesterday" });
    expect(note).toContain(said);
    expect(note).not.toMatch(/without tachograph activities/i);
  });

  it.each([
    ["an unknown period", { period: "soon" }, /^input: period: "soon" is not a valid period.*last week/],
    ["an end before the start", { period: "2026-11-19/2026-11-17" }, /ends before it begins/],
    ["an impossible date", { period: "2026-02-30" }, /is not a valid period/],
    ["a name that every object has", { period: "constructor" }, /is not a valid period/],
    ["an unknown order", { period: "yesterday", sort: "rest" }, /sort: /],
  ])("refuses %s", async (_, args, expected) => {
    expect(await (await serve()).failure("summarize_driver_activity", args)).toMatch(expected);
  });

  it("ends if the service repeats a page", async () => {
    const { failure } = await serve({ queryTachoActivity: () => ({ body: { count: 9, data: [ENTRIES[0]] } }) });
    expect(await failure("summarize_driver_activity", { period: "yesterday" })).toMatch(/^contract: /);
  });

  it("respects FLEET_DRIVER_NAMES=hide: the pseudonym works, the name does not", async () => {
    const { record, question } = await serve(onePerPage, { FLEET_DRIVER_NAMES: "hide" });
    const { items, ...rest } = await record("summarize_driver_activity", { period: "yesterday" });
    expect(JSON.stringify([items, rest])).not.toMatch(/Keller|Ås/);
    const { driver } = items.find(({ driving }: Row) => driving === "4:30");
    expect((await record("summarize_driver_activity", { period: "yesterday", driver })).total).toBe(1);
    expect(await question("summarize_driver_activity", { period: "yesterday", driver: "Keller" })).not.toContain("Anna");
  });

  it("explains the columns whose names do not explain them", async () => {
    const { tools } = await serve();
    const tool = tools.tools.find(({ name }) => name === "summarize_driver_activity");
    const schema = JSON.stringify(tool?.outputJsonSchema);
    for (const explained of ["vehicle: vehicles used", "shift: length in h:mm, number of shifts", "other: by unknown word"])
      expect(schema).toContain(explained);
    expect(schema).not.toContain("driving: ");
  });
});

it("a period of more than 31 days is read in parts, and what lasts over their edges counts once", async () => {
  const entry = {
    driverId: "p1",
    driverKey: "k1",
    activities: [{ activity: "DRIVING", startTime: "2026-10-01T22:00:00Z", endTime: "2026-10-02T02:00:00Z" }],
  };
  const { text, service } = await serve({ queryTachoActivity: () => ({ body: { count: 1, data: [entry] } }) }, {});
  expect(await text("summarize_driver_activity", { period: "2026-09-01/2026-10-31" })).toContain("| 4:00 | 4:00");
  expect(service.of("queryTachoActivity").map(({ body }) => [body.startTime, body.endTime])).toEqual([
    ["2026-09-01T00:00:00", "2026-10-02T00:00:00"],
    ["2026-10-02T00:00:00", "2026-11-01T00:00:00"],
  ]);
});

describe("a period is read in FLEET_TIME_ZONE", () => {
  // It is Friday, 2026-11-20 08:34 UTC.
  it.each([
    ["Yesterday", "Europe/Paris", "2026-11-18T23:00:00", "2026-11-19T23:00:00"],
    ["today", "Pacific/Auckland", "2026-11-19T11:00:00", "2026-11-20T11:00:00"],
    ["today", "America/Los_Angeles", "2026-11-20T08:00:00", "2026-11-21T08:00:00"],
    ["yesterday", "Asia/Kathmandu", "2026-11-18T18:15:00", "2026-11-19T18:15:00"],
    ["last month", "Asia/Tokyo", "2026-09-30T15:00:00", "2026-10-31T15:00:00"],
    ["last 24 hours", "Europe/Paris", "2026-11-19T08:34:00", "2026-11-20T08:34:00"],
    // Days of 25 and 23 hours, and one that starts at one o'clock.
    ["2026-10-25", "Europe/Paris", "2026-10-24T22:00:00", "2026-10-25T23:00:00"],
    ["2026-03-29", "Europe/Paris", "2026-03-28T23:00:00", "2026-03-29T22:00:00"],
    ["2026-09-06", "America/Santiago", "2026-09-06T04:00:00", "2026-09-07T03:00:00"],
    ["2026-11-16T06:00:00+01:00/2026-11-16T18:00:00Z", "UTC", "2026-11-16T05:00:00", "2026-11-16T18:00:00"],
  ])("%s in %s", async (period, FLEET_TIME_ZONE, startTime, endTime) => {
    const { record, service } = await serve(tachoRecords([]), { FLEET_TIME_ZONE });
    const { note } = await record("summarize_driver_activity", { period });
    expect(service.of("queryTachoActivity").map(({ body }) => [body.startTime, body.endTime])).toEqual([[startTime, endTime]]);
    const local = (time: string) => new Date(`${time}Z`).toLocaleString("sv-SE", { timeZone: FLEET_TIME_ZONE }).slice(0, 16);
    expect(note).toContain(`in ${FLEET_TIME_ZONE}: ${local(startTime)} to ${local(endTime)}`);
  });
});

describe("by day", () => {
  const byDay = async (args: Args = {}, env: Record<string, string> = {}) => {
    const { items, note, total } = await summarize({ period: "2026-11-18/2026-11-19", by: "day", ...args }, undefined, env);
    const rows = items.map(({ driver, day, driving, shiftStart }: Row) => `${driver} ${day}: ${driving} from ${shiftStart}`);
    return { rows, note, total };
  };

  it("has a row for each day and driver, longest first if asked", async () => {
    const KARL = "Karl Ås 2026-11-19: 0:00 from 18:00";
    const [FIRST, SECOND] = ["Anna Keller 2026-11-18: 2:00 from 22:00", "Anna Keller 2026-11-19: 4:30 from 00:00, day begins"];
    expect(await byDay()).toMatchObject({
      rows: [FIRST, SECOND, KARL],
      total: 3,
      note: expect.stringContaining("All 3 days: driving 6:30"),
    });
    expect((await byDay({ sort: "driving" })).rows).toEqual([SECOND, FIRST, KARL]);
  });

  it("is of the days in the user's zone", async () => {
    const { rows } = await byDay({ driver: "Anna Keller" }, { FLEET_TIME_ZONE: "Europe/Berlin" });
    expect(rows).toEqual(["Anna Keller 2026-11-18: 1:00 from 23:00", "Anna Keller 2026-11-19: 5:30 from 00:00, day begins"]);
  });

  it("adds up to the same as the whole period, in pages of one row, and on the day of 25 hours", async () => {
    const long = { activity: "DRIVING", startTime: "2026-10-24T20:00:00Z", endTime: "2026-10-26T04:00:00Z" };
    const script = tachoRecords([entry("p1", "KX21 ABC", [long])]);
    const args = { period: "2026-10-24/2026-10-26", by: "day" };
    const { record } = await serve(script, { FLEET_TIME_ZONE: "Europe/Berlin" });
    const rows: Row[] = [];
    for (let cursor: string | undefined | null = null; cursor !== undefined; ) {
      const page = await record("summarize_driver_activity", { ...args, limit: 1, ...(cursor !== null && { cursor }) });
      rows.push(...page.items);
      cursor = page.next;
    }
    expect(rows.map(({ day, driving }) => [day, driving])).toEqual([
      ["2026-10-24", "2:00"],
      ["2026-10-25", "25:00"],
      ["2026-10-26", "5:00"],
    ]);
  });
});
