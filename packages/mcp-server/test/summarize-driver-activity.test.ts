import { describe, expect, it } from "vitest";
import type { Position } from "./canned-fleet.ts";
import { type Script, tachoRecords } from "./fleet-service.ts";
import { errorOf, questionOf, serverUnderTest, structuredOf, textOf } from "./server-under-test.ts";

const FLEET: Position[] = [
  { assetId: "v1", assetName: "Truck 1", assetRegistration: "KX21 ABC", driverId: "p1", driverName: "Anna Keller" },
  { assetId: "v2", assetName: "Truck 2", assetRegistration: "B-MW 1234", driverId: "p2", driverName: "Karl Ås" },
  { assetId: "v3", assetName: "Truck 3", assetRegistration: "ZZ99 ZZZ", driverId: "p3", driverName: "Anna Moser" },
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

const times = (items: { driverName?: string; activity: string; time: string; open?: boolean }[]) =>
  items.map(({ driverName, activity, time, open }) => `${driverName} ${activity} ${time}${open ? " open" : ""}`);

describe("summarize_driver_activity", () => {
  it("computes times from start and end, over all pages, cut to the period, counting each minute once", async () => {
    const { call } = await serve();
    const result = await call("summarize_driver_activity", { period: "yesterday" });
    const { items, total, note } = structuredOf(result);
    expect(times(items)).toEqual([
      // 90 minutes at night, and 6 to 9 in two overlapping entries.
      "Anna Keller DRIVING 4 h 30 min",
      "Anna Keller REST 4 h 00 min",
      "Anna Keller WORK 20 min",
      "Karl Ås REST 12 h 00 min",
      "Karl Ås WORK 12 h 00 min open",
    ]);
    expect(total).toBe(5);
    expect(items[0]).toMatchObject({ driverId: "p1", entries: 3, first: "2026-11-19T00:00:00Z", last: "2026-11-19T09:00:00Z" });
    expect(note).toContain("Period yesterday in UTC: 2026-11-19 00:00 to 2026-11-20 00:00.");
    expect(note).toContain("Left out: 2 entries without readable times.");
    expect(note).toContain("Open entries are counted up to now");
    for (const { time, activity } of items) expect(textOf(result)).toMatch(new RegExp(`${activity} \\| ${time}`));
  });

  it.each([
    ["a driver's name", "anna keller"],
    ["a last name with a typo", "Kellar"],
    ["an id", "p1"],
    ["the driver's vehicle", "truck 1"],
    ["its registration", "KX21ABC"],
  ])("finds everything the driver did by %s, in other vehicles too", async (_, driver) => {
    const { call, service } = await serve();
    const { items } = structuredOf(await call("summarize_driver_activity", { period: "2026-11-19", driver }));
    expect(times(items)).toEqual(["Anna Keller DRIVING 4 h 30 min", "Anna Keller REST 4 h 00 min", "Anna Keller WORK 20 min"]);
    const queries = service.of("queryTachoActivity").map(({ body }) => body);
    expect(queries[0].registrations).toEqual(["KX21 ABC"]);
    expect(queries.at(-1).driverKeys).toEqual([KEYS["p1"]]);
  });

  it("searches all entries if the driver was in another vehicle then", async () => {
    const { call, service } = await serve();
    service.script = { ...service.script, listLivePositions: () => ({ body: [{ ...FLEET[0], assetRegistration: "NEW 1" }] }) };
    const { items } = structuredOf(await call("summarize_driver_activity", { period: "2026-11-19", driver: "keller" }));
    expect(times(items)[0]).toBe("Anna Keller DRIVING 4 h 30 min");
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
    expect(times(items)).toEqual(["Anna Keller DRIVING 3 h 00 min"]);
    expect(service.of("queryTachoActivity").at(-1)?.body).not.toHaveProperty("driverKeys");
  });

  it("says so if there is no activity", async () => {
    const { call } = await serve();
    const { items, note } = structuredOf(await call("summarize_driver_activity", { period: "yesterday", driver: "moser" }));
    expect(items).toEqual([]);
    expect(note).toContain("No tachograph entries for Anna Moser (p3) in this period.");
  });

  it.each([
    ["an unknown period", { period: "soon" }, /^input: period: "soon" is not a valid period.*yesterday/],
    ["an end before the start", { period: "2026-11-19/2026-11-17" }, /ends before it begins/],
    ["an impossible date", { period: "2026-02-30" }, /is not a valid period/],
    ["a name that every object has", { period: "constructor" }, /is not a valid period/],
  ])("refuses %s", async (_, args, expected) => {
    expect(errorOf(await (await serve()).call("summarize_driver_activity", args))).toMatch(expected);
  });

  it.each([
    ["several", "anna", /^2 drivers match "anna"\. Which one: Anna Keller \(p1\), drives .*; Anna Moser \(p3\).*\? /],
    ["none", "Zeppelin", /^No driver matches "Zeppelin"\. What is the full name or id\?/],
  ])("asks rather than guesses: %s", async (_, driver, expected) => {
    expect(questionOf(await (await serve()).call("summarize_driver_activity", { period: "yesterday", driver }))).toMatch(expected);
  });

  it("continues by cursor, in the same period", async () => {
    const { call } = await serve();
    const seen: string[] = [];
    let next: string | undefined;
    do {
      const page = structuredOf(
        await call("summarize_driver_activity", { period: "yesterday", limit: 2, ...(next !== undefined && { cursor: next }) }),
      );
      seen.push(...times(page.items));
      next = page.next;
    } while (next !== undefined);
    expect(seen).toHaveLength(5);
    expect(new Set(seen).size).toBe(5);
  });

  it("ends if the service repeats a page", async () => {
    const { call } = await serve({}, { queryTachoActivity: () => ({ body: { count: 9, data: [ENTRIES[0]] } }) });
    expect(errorOf(await call("summarize_driver_activity", { period: "yesterday" }))).toMatch(/^contract: /);
  });

  it("respects FLEET_DRIVER_NAMES=hide: the pseudonym works, the name does not", async () => {
    const { call } = await serve({ FLEET_DRIVER_NAMES: "hide" });
    const result = await call("summarize_driver_activity", { period: "yesterday" });
    expect(JSON.stringify(result)).not.toMatch(/Keller|Ås/);
    const pseudonym = structuredOf(result).items.find(({ driverId }: { driverId: string }) => driverId === "p1").driverName;
    const own = structuredOf(await call("summarize_driver_activity", { period: "yesterday", driver: pseudonym }));
    expect(own.total).toBe(3);
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
