import { describe, expect, it } from "vitest";
import type { Position } from "../../tools/test/canned-fleet.ts";
import { type Script, tachoRecords } from "../../tools/test/fleet-service.ts";
import { errorOf, questionOf, serverUnderTest, structuredOf, textOf } from "./server-under-test.ts";

const FLEET: Position[] = [
  {
    assetId: "v1",
    assetName: "Truck 1",
    assetRegistration: "KX21 ABC",
    driverId: "p1",
    driverName: "Anna Keller",
    assetGroupId: "g1",
    assetGroupName: "North",
  },
  {
    assetId: "v2",
    assetName: "Truck 2",
    assetRegistration: "B-MW 1234",
    driverId: "p2",
    driverName: "Karl Ås",
    assetGroupId: "g1",
    assetGroupName: "North",
  },
  {
    assetId: "v3",
    assetName: "Truck 3",
    assetRegistration: "ZZ99 ZZZ",
    driverId: "p3",
    driverName: "Anna Moser",
    assetGroupId: "g2",
    assetGroupName: "South",
  },
];

const KEYS: Record<string, string> = { p1: "DE0000000000010100", p2: "DE0000000000020200", p3: "AT0000000000030300" };

const did = (activity: string, startTime?: string, endTime?: string, more: object = {}) => ({ activity, startTime, endTime, ...more });

const entry = (driverId: string, assetRegistration: string, activities: object[]) => ({
  driverId,
  driverKey: KEYS[driverId],
  activities: activities.map((activity) => ({ assetRegistration, ...activity })),
});

/** Anna drove Truck 2 at night and her own truck in the morning; her day is split over two entries. */
const ENTRIES = [
  entry("p1", "B-MW 1234", [did("DRIVING", "2026-11-18T22:00:00Z", "2026-11-19T01:30:00Z")]),
  entry("p2", "B-MW 1234", [
    did("REST", "2026-11-19T00:00:00", "2026-11-19T12:00:00"),
    did("WORK", "2026-11-19T12:00:00", undefined, { inProgress: true }),
  ]),
  entry("p1", "KX21 ABC", [
    did("DRIVING", "2026-11-19T06:00:00Z", "2026-11-19T08:00:00Z"),
    did("DRIVING", "2026-11-19T07:30:00Z", "2026-11-19T09:00:00Z"),
    did("WORK", "2026-11-19T09:00:00Z", "2026-11-19T09:20:00Z"),
    did("WORK", "2026-11-19T10:00:00Z", undefined),
    did("PAUSE", "20.11.2026", "2026-11-19T11:00:00Z"),
    did("REST", "2026-11-19T20:00:00Z", "2026-11-20T05:00:00Z"),
  ]),
];

interface Asked {
  body: { driverKeys?: string[]; registrations?: string[]; skip: number; limit: number };
}

/** Filters as documented, but returns one entry per page whatever the limit. */
const tacho: Script = {
  queryTachoActivity: ({ body: { driverKeys, registrations, skip } }: Asked) => {
    const found = ENTRIES.filter(
      ({ driverKey = "", activities }) =>
        (!driverKeys || driverKeys.includes(driverKey)) &&
        (!registrations || activities.some(({ assetRegistration }) => registrations.includes(assetRegistration))),
    );
    return { body: { count: found.length, data: found.slice(skip, skip + 1) } };
  },
};

const pageOf = (data: object[]) => ({ body: { count: data.length, data } });

const serve = (env: Record<string, string> = {}, script: Script = tacho) =>
  serverUnderTest({ script: { listLivePositions: () => ({ body: FLEET }), ...script }, env: { FLEET_TIME_ZONE: "UTC", ...env } });

/** "driver: driving, shift start-end", and more fields if asked for. */
const lines = (items: Record<string, string>[]) =>
  items.map(({ driver, driving, shiftStart, shiftEnd }) => `${driver}: ${driving}, ${shiftStart}-${shiftEnd}`);

const KELLER = "Anna Keller: 4:30, 00:00, period begins-09:20";

describe("summarize_driver_activity", () => {
  it("computes a driver's times from start and end, over all pages, clipped to the period, counting each minute once", async () => {
    const { call } = await serve();
    const { items, total, note } = structuredOf(await call("summarize_driver_activity", { period: "yesterday" }));
    expect(lines(items)).toEqual([KELLER, "Karl Ås: 0:00, 12:00-00:00, period ends"]);
    expect(total).toBe(2);
    // 90 minutes at night, and 6 to 9 in two overlapping entries.
    expect(items[0]).toMatchObject({ shift: "9:20", work: "0:20", vehicle: ["B-MW 1234", "KX21 ABC"] });
    expect(items[1]).toMatchObject({ work: "12:00", shift: "12:00" });
    expect(note).toContain("Without tachograph activities: 1 of the 3 drivers in the live positions.");
    expect(note).toContain("Left out: 2 entries without readable times.");
    expect(note).toContain("times in UTC");
    expect(note).toContain("All 2: driving 4:30, work 12:20.");
  });

  it("names drivers whose entries cannot be read, instead of saying that they have none", async () => {
    const unread = [entry("p3", "ZZ99 ZZZ", [did("DRIVING", "2026-11-19T07:00:00Z")])];
    const { call } = await serve({}, { queryTachoActivity: () => pageOf([...ENTRIES, ...unread]) });
    const { note } = structuredOf(await call("summarize_driver_activity", { period: "yesterday" }));
    expect(note).toContain("Left out: 3 entries without readable times; no others from Anna Moser.");
    expect(note).not.toMatch(/without tachograph activities/i);
  });

  it("says that a shift goes on, and counts it up to now", async () => {
    const { call } = await serve();
    const { items } = structuredOf(await call("summarize_driver_activity", { period: "last 24 hours", driver: "Karl" }));
    expect(items[0]).toMatchObject({ shiftStart: "19 Nov 12:00", shiftEnd: "goes on", shift: "20:34", work: "20:34" });
  });

  it.each([
    ["driving", ["Anna Keller", "Karl Ås"]],
    ["work", ["Karl Ås", "Anna Keller"]],
    ["shift", ["Karl Ås", "Anna Keller"]],
  ])("sorts by %s", async (sort, expected) => {
    const { call } = await serve();
    const { items } = structuredOf(await call("summarize_driver_activity", { period: "yesterday", sort }));
    expect(items.map(({ driver }: { driver: string }) => driver)).toEqual(expected);
  });

  it.each<[string, unknown]>([
    ["a driver's name", "anna keller"],
    ["a last name with a typo", "Kellar"],
    ["an id", "p1"],
    ["the driver's vehicle", "truck 1"],
    ["its registration", "KX21ABC"],
  ])("finds everything the driver did by %s, in other vehicles too", async (_, driver) => {
    const { call, service } = await serve();
    const { items } = structuredOf(await call("summarize_driver_activity", { period: "2026-11-19", driver }));
    expect(lines(items)).toEqual([KELLER]);
    const queries = service.of("queryTachoActivity").map(({ body }) => body);
    expect(queries[0].registrations).toEqual(["KX21 ABC"]);
    expect(queries.find(({ driverKeys }) => driverKeys)?.driverKeys).toEqual([KEYS["p1"]]);
  });

  it.each<[string, Record<string, unknown>]>([
    ["names with commas between them", { driver: "keller, Karl Ås" }],
    ["a list of names", { driver: ["keller", "Karl Ås"] }],
    ["a list of names as text", { driver: '["keller","Karl Ås"]' }],
    ["a group", { group: "north" }],
  ])("summarizes several drivers by %s", async (_, args) => {
    const { call } = await serve();
    const { items } = structuredOf(await call("summarize_driver_activity", { period: "yesterday", ...args }));
    expect(lines(items)).toEqual([KELLER, "Karl Ås: 0:00, 12:00-00:00, period ends"]);
  });

  it("counts what was done in a vehicle, by whoever drove it then", async () => {
    const { call, service } = await serve();
    const ask = async (more: object) =>
      structuredOf(await call("summarize_driver_activity", { period: "yesterday", vehicle: "truck 2", ...more }));
    const { items, note } = await ask({});
    const night = "Anna Keller: 1:30, 00:00, period begins-01:30";
    expect(lines(items)).toEqual([night, "Karl Ås: 0:00, 12:00-00:00, period ends"]);
    expect(note).toContain("Only activities in Truck 2 (B-MW 1234).");
    expect(note).not.toContain("Without tachograph activities");
    expect(service.of("queryTachoActivity")[0]?.body.registrations).toEqual(["B-MW 1234"]);
    expect(lines((await ask({ driver: "anna keller" })).items)).toEqual([night]);
    expect((await ask({ driver: "anna moser" })).note).toContain("Drivers without tachograph activities: Anna Moser");
  });

  it("tells namesakes apart by vehicle and group", async () => {
    const { call, service } = await serve();
    service.script = {
      ...service.script,
      listLivePositions: () => ({ body: FLEET.map((one) => ({ ...one, driverName: "Anna Keller" })) }),
    };
    const { items, note } = structuredOf(await call("summarize_driver_activity", { period: "yesterday", driver: "anna keller" }));
    expect(items.map(({ driver }: { driver: string }) => driver)).toEqual(["Anna Keller (Truck 1; North)", "Anna Keller (Truck 2; North)"]);
    expect(note).toContain("3 drivers named Anna Keller.");
    expect(note).toContain("Drivers without tachograph activities: Anna Keller (Truck 3; South).");
    const one = structuredOf(await call("summarize_driver_activity", { period: "yesterday", driver: "Anna Keller (Truck 2; North)" }));
    expect(one.items.map(({ driver }: { driver: string }) => driver)).toEqual(["Anna Keller (Truck 2; North)"]);
  });

  it("names words that have no meaning here, unless FLEET_ACTIVITY_WORDS gives them one", async () => {
    const script = tachoRecords([entry("p1", "KX21 ABC", [did("FAHREN", "2026-11-19T06:00:00Z", "2026-11-19T08:00:00Z")])]);
    const ask = async (env: Record<string, string>) =>
      structuredOf(await (await serve(env, script)).call("summarize_driver_activity", { period: "yesterday" }));
    const unknown = await ask({});
    expect(unknown.items[0]).toMatchObject({ driving: "0:00", other: "FAHREN 2:00" });
    expect(unknown.note).toContain("Not in FLEET_ACTIVITY_WORDS, so not part of shifts: “FAHREN”");
    const known = await ask({ FLEET_ACTIVITY_WORDS: "FAHREN=driving, RUHE=rest" });
    expect(lines(known.items)).toEqual(["Anna Keller: 2:00, 06:00-08:00"]);
  });

  it("searches all entries if the driver was in another vehicle then", async () => {
    const { call, service } = await serve();
    service.script = { ...service.script, listLivePositions: () => ({ body: [{ ...FLEET[0], assetRegistration: "NEW 1" }] }) };
    const { items } = structuredOf(await call("summarize_driver_activity", { period: "2026-11-19", driver: "keller" }));
    expect(lines(items)).toEqual([KELLER]);
  });

  it.each([
    ["is too short", "D1"],
    ["is missing", undefined],
  ])("reads all entries if the driver key %s", async (_, driverKey) => {
    const nearest = { ...entry("p1", "KX21 ABC", [did("DRIVING", "2026-11-19T06:00:00Z", "2026-11-19T08:00:00Z")]), driverKey };
    const elsewhere = entry("p1", "B-MW 1234", [did("DRIVING", "2026-11-19T10:00:00Z", "2026-11-19T11:00:00Z")]);
    const { call, service } = await serve(
      {},
      { queryTachoActivity: ({ body }) => (body.registrations ? pageOf([nearest]) : pageOf([nearest, elsewhere])) },
    );
    const { items } = structuredOf(await call("summarize_driver_activity", { period: "yesterday", driver: "anna keller" }));
    expect(lines(items)).toEqual(["Anna Keller: 3:00, 06:00-11:00"]);
    expect(service.of("queryTachoActivity").at(-1)?.body).not.toHaveProperty("driverKeys");
  });

  it("says who has no tachograph data", async () => {
    const { call } = await serve();
    const { items, note } = structuredOf(await call("summarize_driver_activity", { period: "yesterday", driver: "moser" }));
    expect(items).toEqual([]);
    expect(note).toContain("Drivers without tachograph activities: Anna Moser (Truck 3; South).");
  });

  it.each([
    ["an unknown period", { period: "soon" }, /^input: period: "soon" is not a valid period.*yesterday/],
    ["an end before the start", { period: "2026-11-19/2026-11-17" }, /ends before it begins/],
    ["an impossible date", { period: "2026-02-30" }, /is not a valid period/],
    ["a name that every object has", { period: "constructor" }, /is not a valid period/],
    ["an unknown order", { period: "yesterday", sort: "rest" }, /sort: /],
  ])("refuses %s", async (_, args, expected) => {
    expect(errorOf(await (await serve()).call("summarize_driver_activity", args))).toMatch(expected);
  });

  it.each([
    ["several", "anna", /^2 drivers match "anna"\. Which one: Anna Keller \(Truck 1; North\); Anna Moser \(Truck 3; South\)\? /],
    ["none", "Zeppelin", /^No driver matches "Zeppelin"\. What is the full name or vehicle\?/],
  ])("asks rather than guesses: %s", async (_, driver, expected) => {
    expect(questionOf(await (await serve()).call("summarize_driver_activity", { period: "yesterday", driver }))).toMatch(expected);
  });

  it("continues by cursor, in the same period and order", async () => {
    const { call } = await serve();
    const seen: string[] = [];
    let next: string | undefined;
    do {
      const more = next === undefined ? {} : { cursor: next };
      const page = structuredOf(await call("summarize_driver_activity", { period: "yesterday", sort: "work", limit: 1, ...more }));
      seen.push(...lines(page.items));
      next = page.next;
    } while (next !== undefined);
    expect(seen).toEqual(["Karl Ås: 0:00, 12:00-00:00, period ends", KELLER]);
  });

  it("shows a long list with one figure for each driver: the one that it is sorted by, or driving", async () => {
    const activities = [{ activity: "WORK", startTime: "2026-11-19T06:00:00Z", endTime: "2026-11-19T07:00:00Z" }];
    const many = Array.from({ length: 6 }, (_, at) => ({ driverId: `q${at}`, driverKey: `DE000000000002${at}00`, activities }));
    const { call } = await serve({}, { queryTachoActivity: () => pageOf(many) });
    const headerOf = async (args: object) =>
      textOf(await call("summarize_driver_activity", { period: "yesterday", ...args })).split("\n")[1];
    expect(await headerOf({})).toBe("driver | shiftStart | shiftEnd | driving");
    expect(await headerOf({ sort: "work" })).toBe("driver | shiftStart | shiftEnd | work");
  });

  it("ends if the service repeats a page", async () => {
    const { call } = await serve({}, { queryTachoActivity: () => ({ body: { count: 9, data: [ENTRIES[0]] } }) });
    expect(errorOf(await call("summarize_driver_activity", { period: "yesterday" }))).toMatch(/^contract: /);
  });

  it("respects FLEET_DRIVER_NAMES=hide: the pseudonym works, the name does not", async () => {
    const { call } = await serve({ FLEET_DRIVER_NAMES: "hide" });
    const result = await call("summarize_driver_activity", { period: "yesterday" });
    expect(JSON.stringify(result)).not.toMatch(/Keller|Ås/);
    const pseudonym = structuredOf(result).items.find(({ driving }: { driving: string }) => driving === "4:30").driver;
    const own = structuredOf(await call("summarize_driver_activity", { period: "yesterday", driver: pseudonym }));
    expect(own.total).toBe(1);
    expect(questionOf(await call("summarize_driver_activity", { period: "yesterday", driver: "Keller" }))).not.toContain("Anna");
  });
});

describe("a period is read in FLEET_TIME_ZONE", () => {
  // It is Friday, 2026-11-20 08:34 UTC.
  it.each([
    ["yesterday", "UTC", "2026-11-19T00:00:00", "2026-11-20T00:00:00"],
    ["Yesterday", "Europe/Paris", "2026-11-18T23:00:00", "2026-11-19T23:00:00"],
    ["today", "Pacific/Auckland", "2026-11-19T11:00:00", "2026-11-20T11:00:00"],
    ["today", "America/Los_Angeles", "2026-11-20T08:00:00", "2026-11-21T08:00:00"],
    ["yesterday", "Asia/Kathmandu", "2026-11-18T18:15:00", "2026-11-19T18:15:00"],
    ["this week", "Europe/Paris", "2026-11-15T23:00:00", "2026-11-22T23:00:00"],
    ["last week", "Europe/Paris", "2026-11-08T23:00:00", "2026-11-15T23:00:00"],
    ["this month", "Europe/Paris", "2026-10-31T23:00:00", "2026-11-30T23:00:00"],
    ["last month", "Europe/Paris", "2026-09-30T22:00:00", "2026-10-31T23:00:00"],
    ["monday", "UTC", "2026-11-16T00:00:00", "2026-11-17T00:00:00"],
    ["last friday", "UTC", "2026-11-13T00:00:00", "2026-11-14T00:00:00"],
    ["last 24 hours", "Europe/Paris", "2026-11-19T08:34:00", "2026-11-20T08:34:00"],
    ["past 7 days", "UTC", "2026-11-13T08:34:00", "2026-11-20T08:34:00"],
    // Days of 25 and 23 hours, and one that starts at one o'clock.
    ["2026-10-25", "Europe/Paris", "2026-10-24T22:00:00", "2026-10-25T23:00:00"],
    ["2026-03-29", "Europe/Paris", "2026-03-28T23:00:00", "2026-03-29T22:00:00"],
    ["2026-09-06", "America/Santiago", "2026-09-06T04:00:00", "2026-09-07T03:00:00"],
    ["2026-11-16/2026-11-18", "Europe/Paris", "2026-11-15T23:00:00", "2026-11-18T23:00:00"],
    ["2026-11-16T06:00:00+01:00/2026-11-16T18:00:00Z", "UTC", "2026-11-16T05:00:00", "2026-11-16T18:00:00"],
  ])("%s in %s", async (period, FLEET_TIME_ZONE, startTime, endTime) => {
    const { call, service } = await serve({ FLEET_TIME_ZONE }, tachoRecords([]));
    const { note } = structuredOf(await call("summarize_driver_activity", { period }));
    expect(service.of("queryTachoActivity").map(({ body }) => [body.startTime, body.endTime])).toEqual([[startTime, endTime]]);
    const local = (time: string) => new Date(`${time}Z`).toLocaleString("sv-SE", { timeZone: FLEET_TIME_ZONE }).slice(0, 16);
    const [start, end] = [local(startTime), local(endTime)];
    expect(note).toContain(`in ${FLEET_TIME_ZONE}: ${start} to ${end}`);
  });
});
