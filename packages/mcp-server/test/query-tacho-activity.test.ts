import { describe, expect, it } from "vitest";
import type { Position } from "../../tools/test/canned-fleet.ts";
import { type Script, tachoRecords } from "../../tools/test/fleet-service.ts";
import { errorOf, serverUnderTest, structuredOf, textOf } from "./server-under-test.ts";

const FLEET: Position[] = [
  {
    assetId: "v1",
    assetName: "Truck 1",
    assetRegistration: "KX21 ABC",
    driverId: "p1",
    driverName: "Anna Keller",
    driverGroupId: "g1",
    driverGroupName: "North",
  },
  { assetId: "v2", assetName: "Truck 2", assetRegistration: "B-MW 1234", driverId: "p2", driverName: "Karl Ås" },
  { assetId: "v3", assetName: "Van 3", driverId: "p3", driverName: "Bea Ost" },
];

const RECORDS = [
  {
    driverId: "p1",
    driverKey: "DE0000000000010100",
    activities: [
      { activity: "DRIVING", startTime: "2026-11-19T22:30:00Z", endTime: "2026-11-20T00:30:00Z", vehicleFriendlyName: "Truck 1" },
      { activity: "REST", startTime: "2026-11-20T00:30:00Z", inProgress: true, vehicleFriendlyName: "Truck 1" },
    ],
  },
];

const serve = (script: Script = {}) =>
  serverUnderTest({
    script: { listLivePositions: () => ({ body: FLEET }), ...tachoRecords(RECORDS), ...script },
    env: { FLEET_TIME_ZONE: "Europe/Paris" },
  });

describe("query_tacho_activity", () => {
  it("names the driver and shows the times in the user's zone, in the last 24 hours by default", async () => {
    const { call, service } = await serve();
    const result = await call("query_tacho_activity");
    // It is 2026-11-20 08:34 UTC.
    expect(service.of("queryTachoActivity")[0]?.body).toMatchObject({ startTime: "2026-11-19T08:34:00", endTime: "2026-11-20T08:34:00" });
    expect(textOf(result).split("\n").slice(1)).toEqual([
      "driver | startTime | endTime | activity | vehicleFriendlyName",
      "Anna Keller | 19 Nov 23:30 | 20 Nov 01:30 | DRIVING | Truck 1",
      "Anna Keller | 20 Nov 01:30 | - | REST | Truck 1",
    ]);
  });

  it.each([
    [{ period: "yesterday" }, "2026-11-18T23:00:00", "2026-11-19T23:00:00"],
    [{ startTime: "2026-11-10T00:00:00Z", endTime: "2026-11-11T00:00:00Z" }, "2026-11-10T00:00:00", "2026-11-11T00:00:00"],
    [{}, "2026-11-19T08:34:00", "2026-11-20T08:34:00"],
  ])("looks for a driver's key in the same period: %j", async (args, startTime, endTime) => {
    const { call, service } = await serve();
    await call("query_tacho_activity", { driver: "keller", ...args });
    const periods = service.of("queryTachoActivity").map(({ body }) => [body.startTime, body.endTime]);
    expect(periods.length).toBeGreaterThan(1);
    expect(new Set(periods.map(([start]) => start))).toEqual(new Set([startTime]));
    // Other cards are looked for only in time of which the first says nothing.
    for (const [, end] of periods) expect(end <= endTime).toBe(true);
    expect(periods.at(-1)).toEqual([startTime, endTime]);
  });

  it("says what to do if the service would not accept a driver's key", async () => {
    const { call } = await serve(tachoRecords([{ ...RECORDS[0], driverKey: "x" }]));
    expect(errorOf(await call("query_tacho_activity", { driver: "keller" }))).toMatch(
      /^input: driver: the service has no valid driver key.* Next: Call summarize_driver_activity, or leave driver out/,
    );
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>, string]>([
    ["a driver", { driver: "keller" }, { driverKeys: ["DE0000000000010100"] }, "Only Anna Keller"],
    ["a group", { group: "north" }, { driverKeys: ["DE0000000000010100"] }, "Only North"],
    ["a vehicle", { vehicle: "truck 2" }, { registrations: ["B-MW 1234"] }, "Only activities in Truck 2 (B-MW 1234)."],
    [
      "a driver and a vehicle",
      { driver: "keller", vehicle: "truck 2" },
      { driverKeys: ["DE0000000000010100"], registrations: ["B-MW 1234"] },
      "Only activities in Truck 2 (B-MW 1234).",
    ],
    ["a registration", { registrations: ["ZZ 1"] }, { registrations: ["ZZ 1"] }, ""],
    ["a period", { period: "yesterday" }, { startTime: "2026-11-18T23:00:00", endTime: "2026-11-19T23:00:00" }, "Period yesterday"],
  ])("requests the activities of %s, and says so", async (_, args, expected, said) => {
    const { call, service } = await serve();
    const { items, note } = structuredOf(await call("query_tacho_activity", args));
    expect(items).toHaveLength(2);
    expect(service.of("queryTachoActivity").at(-1)?.body).toMatchObject(expected);
    expect(note).toContain(said);
  });

  it("says who has no tachograph data", async () => {
    const { call } = await serve();
    expect(structuredOf(await call("query_tacho_activity", { driver: "Bea" })).note).toBe(
      "Drivers without tachograph activities: Bea Ost (Van 3).",
    );
  });

  it("refuses a vehicle without a registration", async () => {
    const { call } = await serve();
    expect(errorOf(await call("query_tacho_activity", { vehicle: "van 3" }))).toMatch(/^input: vehicle: Van 3 .*has no registration/);
  });

  it("shows ids if the live positions cannot be read", async () => {
    const { call } = await serve({ listLivePositions: () => ({ status: 503 }) });
    expect(structuredOf(await call("query_tacho_activity")).items[0]).toMatchObject({ driver: "id p1", activity: "DRIVING" });
  });
});
