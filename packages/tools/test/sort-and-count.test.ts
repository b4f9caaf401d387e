import { describe, expect, it } from "vitest";
import { fleetOf } from "./canned-fleet.ts";
import { faultPages, servedFleet } from "./served-fleet.ts";

type Json = Record<string, unknown>;

/** Fleets whose names are their places in the service's response. */
const fleetWith = (field: string, values: readonly unknown[]) => ({
  listLivePositions: () => ({ body: values.map((value, at) => ({ assetName: String.fromCharCode(97 + at), [field]: value })) }),
});

const jobsWith = (values: readonly unknown[]) => ({
  listJobs: () => ({ body: values.map((value, at) => ({ jobNumber: String.fromCharCode(97 + at), status: "NEW", value })) }),
});

describe("sort", () => {
  it.each([
    ["odometer", "dcba"],
    ["-odometer", "bcda"],
    ["odometer:DESC", "bcda"],
  ])("%j lists %s, those without it last", async (sort, expected) => {
    const { record } = await servedFleet({ script: fleetWith("odometer", [undefined, 30, 20, 10]) });
    const { items } = await record("list_live_positions", { sort, limit: 500 });
    expect(items.map(({ assetName }: Json) => assetName).join("")).toBe(expected);
  });

  const MIXED = ["Truck 12", "Truck 2", "2026-11-20T00:00:00Z", 10, 9, true, ["Truck 3", "x"], "2026-11-19T00:00:00Z", "", null, "truck 2"];

  it("orders values of any kind, also in pages of one row: numbers and flags, times, texts, and rows without the value", async () => {
    const { allItems } = await servedFleet({ script: jobsWith(MIXED) });
    for (const limit of [1, 100]) {
      const items = await allItems("list_jobs", { sort: "-value", limit, fields: "jobNumber" });
      expect(items.map(({ jobNumber }: Json) => jobNumber).join("")).toBe("defchagbkij");
    }
  });

  it("is part of a cursor, which another query refuses", async () => {
    const { record, failure } = await servedFleet({ script: fleetWith("odometer", [1, 2, 3]) });
    const first = await record("list_live_positions", { sort: "-odometer", limit: 2 });
    const { items } = await record("list_live_positions", { sort: "-odometer", limit: 2, cursor: first.next });
    expect(items).toMatchObject([{ assetName: "a" }]);
    for (const other of [{}, { sort: "odometer" }, { sort: "-odometer", where: "speed>1" }])
      expect(await failure("list_live_positions", { ...other, cursor: first.next })).toMatch(
        /^input: cursor: the other arguments have changed/,
      );
  });
});

describe("count", () => {
  const rows = [
    { city: "Lyon", tags: ["x", "y", "x"], size: { w: 1 } },
    { city: "Lyon", tags: [], size: { w: 1 } },
    { city: "Aix", tags: ["y"], level: 1 },
    { city: "", level: "1" },
    { city: null, level: "none" },
  ];

  it.each([
    ["city", ["city | jobs", "Lyon | 2", "none | 2", "Aix | 1"]],
    ["tags", ["tags | jobs", "none | 3", "y | 2", "x | 1"]],
    ["size", ["size | jobs", "none | 3", '{"w":1} | 2']],
    ["level", ["level | jobs", "none | 2", "1 | 1", "1 | 1", "none | 1"]],
  ])("%s has a row for each value, the most frequent first", async (count, expected) => {
    const { text } = await servedFleet({ script: { listJobs: () => ({ body: rows }) } });
    expect((await text("list_jobs", { count })).split("\n").slice(1)).toEqual(expected);
  });

  const FAULTS = [
    { id: "v1", assetName: "Truck 1", faults: [{ code: "P1" }, { code: "P2", inProgress: true }] },
    { id: "v2", assetName: "Truck 2", faults: [{ code: "P1" }] },
  ];

  it.each([
    [{ count: "code" }, "3 faults of 2 vehicles. Counted by code: 2 values.", ["code | faults | vehicles", "P1 | 2 | 2", "P2 | 1 | 1"]],
    [
      { count: "code", sort: "-severity", where: "code=P1" },
      "2 faults of 2 vehicles. Counted by code: 1 value; sort has no effect here, except by code, faults, vehicles. Where code=P1.",
      ["code | faults | vehicles", "P1 | 2 | 2"],
    ],
    [{ count: "code", sort: "count" }, "Counted by code: 2 values.", ["code | faults | vehicles", "P2 | 1 | 1", "P1 | 2 | 2"]],
    // Each value belongs to one vehicle.
    [{ count: "assetName" }, "Counted by assetName: 2 values.", ["assetName | faults", "Truck 1 | 2", "Truck 2 | 1"]],
    [{ count: "total" }, "3 faults of 2 vehicles. Truck 1, Truck 2.", []],
  ])("%j of faults counts their vehicles too", async (args, head, table) => {
    const { text } = await servedFleet({ script: faultPages(FAULTS) });
    const [first, ...others] = (await text("list_vehicle_faults", args)).split("\n");
    expect(first).toContain(head);
    expect(others).toEqual(table);
  });

  it.each([
    [5, /^5 vehicles\.( Truck \d[,.]){5}$/],
    [6, /^6 vehicles\.$/],
  ])("names up to five rows: %i", async (vehicles, said) => {
    const { text } = await servedFleet({ script: { listLivePositions: () => ({ body: fleetOf(vehicles) }) } });
    expect(await text("list_live_positions", { count: "total" })).toMatch(said);
  });
});

describe("a count by a time", () => {
  const begun = (times: readonly string[]) =>
    faultPages([{ id: "v1", assetName: "Truck 1", faults: times.map((startDate, at) => ({ code: `P${at}`, startDate })) }]);

  const WEEK = ["2026-11-17T22:59:00Z", "2026-11-17T23:01:00Z", "2026-11-18T07:00:00Z", "2026-11-20T07:00:00Z", ""];
  const DAYS = "2026-11-17 | 1, 2026-11-18 | 2, 2026-11-20 | 1, none | 1";
  const YEAR = ["2025-11-28T07:00:00Z", "2026-03-02T07:00:00Z", "2026-03-08T07:00:00Z", "2026-11-20T07:00:00Z"];
  const BACK = ["2026-10-25T00:10:00Z", "2026-10-25T01:10:00Z", "2026-10-25T01:20:00Z", "2026-10-25T02:10:00Z"];

  it.each<[what: string, times: string[], args: Json, counts: string]>([
    ["days of Europe/Berlin: 4 values.", WEEK, { count: "startDate" }, DAYS],
    ["days of", WEEK, { count: "startDate", sort: "-faults" }, "2026-11-18 | 2"],
    ["weeks of", YEAR, { count: "startDate" }, "2025-11-24 | 1, 2026-03-02 | 2, 2026-11-16 | 1"],
    ["days of", YEAR, { count: "startDate per day" }, "2025-11-28 | 1, 2026-03-02 | 1, 2026-03-08 | 1"],
    ["hours of", BACK, { count: "startDate" }, "2026-10-25 02:00+02:00 | 1, 2026-10-25 02:00+01:00 | 2, 2026-10-25 03:00 | 1"],
  ])("is in %s %j by %j", async (what, times, args, counts) => {
    const { text } = await servedFleet({ script: begun(times), env: { FLEET_TIME_ZONE: "Europe/Berlin" } });
    const [first, , ...rows] = (await text("list_vehicle_faults", args)).split("\n");
    expect(first).toContain(`Counted by startDate in ${what}`);
    expect(rows.join(", ").slice(0, counts.length)).toBe(counts);
  });
});

describe("a count adds up", () => {
  const drive = (vehicle: number, from: number, until: number, distance: number) => ({
    ...{ activity: "DRIVING", assetId: `v${vehicle}`, assetRegistration: `AB ${vehicle}`, distance, duration: until - from },
    ...{ startTime: `2026-11-19T${String(from).padStart(2, "0")}:00:00Z`, endTime: `2026-11-19T${until}:00:00Z` },
  });
  const ENTRIES = [
    { driverId: "d1", driverKey: "DRIVERCARD00001", activities: [drive(1, 8, 10, 90.5), drive(1, 12, 14, 100)] },
    { driverId: "d2", driverKey: "DRIVERCARD00002", activities: [drive(2, 8, 12, 300)] },
  ];
  const FLEET = [1, 2].map((at) => ({ assetId: `v${at}`, assetName: `Truck ${at}`, assetRegistration: `AB ${at}` }));
  const serve = () =>
    servedFleet({
      script: { listLivePositions: () => ({ body: FLEET }), queryTachoActivity: () => ({ body: { count: 2, data: ENTRIES } }) },
      env: { FLEET_DISTANCE_UNIT: "km" },
    });

  const trips = (vehicle: string, km: number, count: number) => ({ vehicle, km, driving: "4:00", "trips and stops": count });
  const BY_DAY = [{ start: "2026-11-19", km: 490.5, driving: "8:00", "trips and stops": 3, vehicles: 2 }];
  it.each<[tool: string, args: Json, rows: Json[]]>([
    ["trips_and_stops", { count: "vehicle", sort: "-km", where: "kind=trip" }, [trips("Truck 2", 300, 1), trips("Truck 1", 190.5, 2)]],
    ["trips_and_stops", { count: "start by day", where: "kind=trip" }, BY_DAY],
    // A unit alone is that of the first time, never of another field.
    ["trips_and_stops", { count: "day", where: "kind=trip" }, BY_DAY],
    ["query_tacho_activity", { count: "assetId", sort: "distance" }, [{ assetId: "v1", distance: 190.5, duration: 4 }, {}]],
  ])("in %s %j", async (tool, args, rows) => {
    const { record } = await serve();
    expect((await record(tool, { period: "yesterday", ...args })).items).toMatchObject(rows);
  });
});
