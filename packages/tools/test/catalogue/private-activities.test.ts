import { describe, expect, it } from "vitest";
import { servedFleet } from "../served-fleet.ts";

const ROAD = { startLatitude: 51.339701, startLongitude: 12.371101, endLatitude: 51.340702, endLongitude: 12.372102 };
const SECRETS = Object.values(ROAD).map(String);

interface Vehicle {
  assetId?: string;
  assetRegistration?: string;
  driverId?: string;
  privacy?: unknown;
}

const OPEN: Vehicle = { assetId: "v1", assetRegistration: "AB 1", driverId: "p1" };
const OTHER: Vehicle = { assetId: "v2", assetRegistration: "CD 2", driverId: "p2", privacy: false };

const activity = (more: object) => ({
  activity: "DRIVING",
  startTime: "2026-11-20T06:00:00Z",
  endTime: "2026-11-20T07:00:00Z",
  ...ROAD,
  ...more,
});
const inVehicle = (vehicle: Vehicle, more: object = {}) =>
  activity({ assetId: vehicle.assetId, assetRegistration: vehicle.assetRegistration, ...more });
const entry = (driverId: string | undefined, ...activities: object[]) => ({
  ...(driverId && { driverId }),
  driverKey: `DRIVERCARD0${driverId ?? "none"}00`.slice(0, 15),
  activities,
});

/** A service with these vehicles and entries; without vehicles, its live positions cannot be read. */
const serve = (vehicles: readonly Vehicle[] | undefined, data: readonly object[], env: Record<string, string> = {}) =>
  servedFleet({
    script: {
      ...(vehicles && { listLivePositions: () => ({ body: vehicles }) }),
      queryTachoActivity: () => ({ body: { count: data.length, data } }),
    },
    env,
  });

const FIELDS = ["driver", "startLatitude", "startLongitude", "endLatitude", "endLongitude", "placesWithheld"];
const PERIOD = { period: "last 24 hours" };

const PRIVATE = { ...OPEN, privacy: true };

describe("the places of activities", () => {
  it.each<[why: string, vehicles: Vehicle[] | undefined, entries: object[], shown: boolean]>([
    ["of nobody on a private journey", [OPEN, OTHER], [entry("p1", inVehicle(OPEN))], true],
    ["of another vehicle and driver", [PRIVATE, OTHER], [entry("p2", inVehicle(OTHER))], true],
    ["of the vehicle and driver on one", [PRIVATE, OTHER], [entry("p1", inVehicle(OPEN))], false],
    ["of the vehicle's other driver", [PRIVATE, OTHER], [entry("p2", inVehicle(OPEN, { driverCardSlot: 2 }))], false],
    ["of the driver in another vehicle", [PRIVATE, OTHER], [entry("p1", inVehicle(OTHER))], false],
    ["of the vehicle, recognized by registration", [PRIVATE, OTHER], [entry("p2", activity({ assetRegistration: "ab-1" }))], false],
    [
      "of the vehicle, recognized by a registration in letters that look alike",
      [{ ...PRIVATE, assetRegistration: "АВ 1" }, OTHER],
      [entry("p2", activity({ assetRegistration: "AB 1" }))],
      false,
    ],
    ["of another vehicle, recognized by registration", [PRIVATE, OTHER], [entry("p2", activity({ assetRegistration: "CD 2" }))], true],
    [
      "of a private vehicle without a registration",
      [{ ...PRIVATE, assetRegistration: "" }],
      [entry("p2", activity({ assetRegistration: "CD 2" }))],
      false,
    ],
    ["of a private vehicle without an id", [{ ...PRIVATE, assetId: "" }], [entry("p2", activity({ assetId: "v2" }))], false],
    ["of no known vehicle", [PRIVATE, OTHER], [entry("p2", activity({}))], false],
    ["of no known driver", [PRIVATE, OTHER], [entry(undefined, inVehicle(OTHER))], false],
    ["of no known driver, with nobody on one", [OPEN, OTHER], [entry(undefined, inVehicle(OTHER))], true],
    ["with an unreadable flag", [{ ...OPEN, privacy: "ja" }], [entry("p1", inVehicle(OPEN))], false],
    ["while live positions cannot be read", undefined, [entry("p1", inVehicle(OPEN))], false],
  ])("%s are shown: %s", async (_, vehicles, entries, shown) => {
    const result = await (await serve(vehicles, entries)).call("query_tacho_activity", { ...PERIOD, fields: FIELDS });
    for (const secret of SECRETS) expect([result.text.includes(secret), JSON.stringify(result).includes(secret)]).toEqual([shown, shown]);
    const reason = vehicles ? "private journey" : "live positions cannot be read";
    expect(result.text.includes(`Places withheld in 1 of 1: ${reason}`)).toBe(!shown);
  });

  const [LONG_AGO, WITHIN_A_DAY] = [
    { startTime: "2026-11-19T07:00:00Z", endTime: "2026-11-19T08:33:00Z" },
    { startTime: "2026-11-19T07:00:00Z", endTime: "2026-11-19T08:35:00Z" },
  ];
  const OPEN_END = { startTime: "2026-11-17T07:00:00Z", endTime: undefined, inProgress: true };

  it.each<[past: string | undefined, when: string, more: object, vehicles: Vehicle[] | undefined, shown: boolean]>([
    [undefined, "ended more than 24 hours ago, of the vehicle on one", LONG_AGO, [PRIVATE], true],
    [undefined, "ended within 24 hours", WITHIN_A_DAY, [PRIVATE], false],
    [undefined, "in progress since days", OPEN_END, [PRIVATE], false],
    [undefined, "in progress, with a past end", { ...LONG_AGO, inProgress: true }, [PRIVATE], false],
    [undefined, "which ends before it begins", { startTime: LONG_AGO.endTime, endTime: LONG_AGO.startTime }, [PRIVATE], false],
    [undefined, "without an end", { ...LONG_AGO, endTime: undefined }, [PRIVATE], false],
    [undefined, "with an unreadable end", { ...LONG_AGO, endTime: "yesterday" }, [PRIVATE], false],
    [undefined, "ended more than 24 hours ago, while live positions cannot be read", LONG_AGO, undefined, true],
    ["full", "ended within 24 hours, of the vehicle on one", WITHIN_A_DAY, [PRIVATE], true],
    ["full", "in progress since days", OPEN_END, [PRIVATE], false],
    ["off", "ended more than 24 hours ago, of nobody on one", LONG_AGO, [OPEN], false],
    ["off", "in progress, of nobody on one", OPEN_END, [OPEN], false],
  ])("with FLEET_PAST %s, %s: shown %s", async (past, _, more, vehicles, shown) => {
    const env = past === undefined ? {} : { FLEET_PAST: past };
    const { call } = await serve(vehicles, [entry("p1", inVehicle(OPEN, more))], env);
    const result = await call("query_tacho_activity", { period: "2026-11-17/2026-11-21", fields: FIELDS });
    for (const secret of SECRETS) expect([result.text.includes(secret), JSON.stringify(result).includes(secret)]).toEqual([shown, shown]);
    expect(result.text.includes("Places withheld in 1 of 1")).toBe(!shown);
  });

  it("are withheld with FLEET_PAST=off even if FLEET_PRIVACY=off shows private journeys", async () => {
    const { text } = await serve([OPEN], [entry("p1", inVehicle(OPEN))], { FLEET_PRIVACY: "off", FLEET_PAST: "off" });
    const shown = await text("query_tacho_activity", { ...PERIOD, fields: FIELDS });
    for (const secret of SECRETS) expect(shown).not.toContain(secret);
    expect(shown).toContain("places of the past are not shown (FLEET_PAST)");
  });

  it("say nothing if they were not asked for", async () => {
    const { text } = await serve([PRIVATE], [entry("p1", inVehicle(OPEN))]);
    expect(await text("query_tacho_activity", PERIOD)).not.toContain("withheld");
  });

  it("are shown with FLEET_PRIVACY=off, and live positions are not needed", async () => {
    const { text } = await serve(undefined, [entry("p1", inVehicle(OPEN))], { FLEET_PRIVACY: "off" });
    expect(await text("query_tacho_activity", { ...PERIOD, fields: FIELDS })).toContain(SECRETS[0]);
  });

  it("are withheld without a tool for positions", async () => {
    const { tools, text } = await serve([PRIVATE], [entry("p1", inVehicle(OPEN))], { FLEET_TOOLS: "query_tacho_activity" });
    expect(tools.tools.map(({ name }) => name)).toEqual(["query_tacho_activity"]);
    const shown = await text("query_tacho_activity", { ...PERIOD, fields: FIELDS });
    for (const secret of SECRETS) expect(shown).not.toContain(secret);
    expect(shown).toContain("Places withheld in 1 of 1");
  });

  it("are not revealed by undocumented fields around them", async () => {
    const near = { near: SECRETS[0] };
    const { call, service } = await serve([PRIVATE, OTHER], []);
    const data = [{ ...entry("p2", { ...inVehicle(OPEN), ...near }), ...near }];
    service.script.queryTachoActivity = () => ({ body: { count: 1, data, ...near } });
    expect(JSON.stringify(await call("query_tacho_activity", { ...PERIOD, fields: FIELDS }))).not.toContain(SECRETS[0]);
  });

  it.each(["driver_hours", "summarize_driver_activity", "query_tacho_activity"])("appear in no result of %s", async (tool) => {
    const { call } = await serve([PRIVATE, OTHER], [entry("p1", inVehicle(OPEN)), entry("p2", inVehicle(OPEN))]);
    const result = await call(tool, tool === "driver_hours" ? {} : PERIOD);
    expect(result.ok).toBe(true);
    for (const secret of SECRETS) expect(JSON.stringify(result)).not.toContain(secret);
  });
});
