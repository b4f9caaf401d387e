import { describe, expect, it } from "vitest";
import { type Script, tachoRecords } from "../fleet-service.ts";
import { servedFleet } from "../served-fleet.ts";

type Args = Record<string, unknown>;

const FLEET = [
  {
    ...{ assetId: "v1", assetName: "Truck 1", assetRegistration: "KX21 ABC", driverId: "p1", driverName: "Anna Keller" },
    ...{ driverGroupId: "g1", driverGroupName: "North" },
  },
  { assetId: "v2", assetName: "Truck 2", assetRegistration: "B-MW 1234", driverId: "p2", driverName: "Karl Ås" },
  { assetId: "v3", assetName: "Van 3", driverId: "p3", driverName: "Bea Ost" },
];

const KEY = "DE0000000000010100";
const activities = [
  { activity: "DRIVING", startTime: "2026-11-19T22:30:00Z", endTime: "2026-11-20T00:30:00Z", vehicleFriendlyName: "Truck 1" },
  { activity: "REST", startTime: "2026-11-20T00:30:00Z", inProgress: true, vehicleFriendlyName: "Truck 1" },
];
const entry = { driverId: "p1", driverKey: KEY, activities };

const serve = (script: Script = {}) =>
  servedFleet({
    script: { listLivePositions: () => ({ body: FLEET }), ...tachoRecords([entry]), ...script },
    env: { FLEET_TIME_ZONE: "Europe/Paris" },
  });

describe("query_tacho_activity", () => {
  it("names the driver and shows the times in the user's zone, in the last 24 hours by default", async () => {
    const { text, service } = await serve();
    const shown = await text("query_tacho_activity");
    // It is 2026-11-20 08:34 UTC.
    const period = { startTime: "2026-11-19T08:34:00", endTime: "2026-11-20T08:34:00" };
    expect(service.of("queryTachoActivity")[0]?.body).toMatchObject(period);
    expect(shown).toContain("\nAnna Keller | 19 Nov 23:30 | 20 Nov 01:30 | DRIVING | Truck 1\nAnna Keller | 20 Nov 01:30 | - | REST");
  });

  it("shows the time of day, however long ago", async () => {
    const old = { activity: "WORK", startTime: "2026-11-02T07:10:00Z", endTime: "2026-11-02T09:00:00Z" };
    const { text } = await serve(tachoRecords([{ ...entry, activities: [old] }]));
    expect(await text("query_tacho_activity", { period: "2026-11-02" })).toContain("2 Nov 08:10 | 10:00");
  });

  it.each<[what: string, args: Args, sent: object, said: string, count?: number]>([
    ["a driver", { driver: "keller" }, { driverKeys: [KEY] }, "Only Anna Keller"],
    ["a group", { group: "north" }, { registrations: ["KX21 ABC"] }, "Only North"],
    ["a vehicle", { vehicle: "truck 2" }, { registrations: ["B-MW 1234"] }, "Only activities in Truck 2 (B-MW 1234)."],
    ["a driver and a vehicle", { driver: "keller", vehicle: "truck 2" }, { driverKeys: [KEY] }, "Only activities in Truck 2 (B-MW 1234)."],
    ["a registration", { registrations: ["ZZ 1"] }, { registrations: ["ZZ 1"] }, ""],
    ["a period", { period: "yesterday" }, { startTime: "2026-11-18T23:00:00", endTime: "2026-11-19T23:00:00" }, "Period yesterday", 1],
  ])("requests the activities of %s, and says so", async (_, args, sent, said, count = 2) => {
    const { record, service } = await serve();
    const { items, note } = await record("query_tacho_activity", args);
    expect(items).toHaveLength(count);
    expect(service.of("queryTachoActivity").map(({ body }) => body)).toContainEqual(expect.objectContaining(sent));
    expect(note).toContain(said);
  });

  it.each<[Args, startTime: string, endTime: string]>([
    [{ period: "yesterday" }, "2026-11-18T23:00:00", "2026-11-19T23:00:00"],
    [{ startTime: "2026-11-10T00:00:00Z", endTime: "2026-11-11T00:00:00Z" }, "2026-11-10T00:00:00", "2026-11-11T00:00:00"],
    [{}, "2026-11-19T08:34:00", "2026-11-20T08:34:00"],
  ])("looks for a driver's key in the same period: %j", async (args, startTime, endTime) => {
    const { record, service } = await serve();
    await record("query_tacho_activity", { driver: "keller", ...args });
    const periods = service.of("queryTachoActivity").map(({ body }) => [body.startTime, body.endTime]);
    expect(periods.length).toBeGreaterThan(1);
    // Other cards are looked for only in time of which the first says nothing.
    for (const [start, end] of periods) expect([start, end <= endTime]).toEqual([startTime, true]);
    expect(periods).toContainEqual([startTime, endTime]);
  });

  it("finds a driver whose key the service does not accept among everyone", async () => {
    const { record } = await serve(tachoRecords([{ ...entry, driverKey: "x" }]));
    expect((await record("query_tacho_activity", { driver: "keller" })).items).toHaveLength(2);
  });

  it.each([{ startTime: "2026-11-19T00:00:00Z" }, { endTime: "2026-11-20T00:00:00Z" }])("refuses %j alone", async (args) => {
    const { failure } = await serve();
    expect(await failure("query_tacho_activity", args)).toContain("startTime and endTime go together");
  });

  it("says what to do if a vehicle cannot be asked for", async () => {
    const { failure } = await serve();
    expect(await failure("query_tacho_activity", { vehicle: "van 3" })).toMatch(/^input: vehicle: Van 3 .*has no registration/);
  });

  it("shows ids if the live positions cannot be read", async () => {
    const { record } = await serve({ listLivePositions: () => ({ status: 503 }) });
    expect((await record("query_tacho_activity")).items[0]).toMatchObject({ driver: "id p1", activity: "DRIVING" });
  });
});
