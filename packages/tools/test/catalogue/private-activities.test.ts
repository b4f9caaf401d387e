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
