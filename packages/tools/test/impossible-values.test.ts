import type { LivePosition } from "@fleetwire/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { servedFleet } from "./served-fleet.ts";

const date = "2026-11-20T08:30:00Z";
const ADDRESS = { city: "Leipzig", country: "Germany", formattedAddress: "Ring 4, Leipzig, 04109, Germany" };
const DRESDEN: LivePosition = { assetId: "d", assetName: "Dresden", date, latitude: 51.05, longitude: 13.74 };
const LEIPZIG: LivePosition = { assetId: "l", assetName: "Leipzig truck", date, ...ADDRESS, latitude: 51.34, longitude: 12.37 };

const fleetOf = (fleet: readonly LivePosition[], env: Record<string, string> = {}) =>
  servedFleet({
    script: {
      listLivePositions: ({ url }) => {
        const ids = url.searchParams.get("vehicleIds")?.split(",");
        return { body: fleet.filter(({ assetId = "" }) => ids?.includes(assetId) ?? true) };
      },
      listVehicleFaults: () => ({ body: { items: [], pagination: { totalItems: 0, totalPages: 0 } } }),
    },
    env,
  });

describe.each([{}, { FLEET_PRIVACY: "off" }])("a fix, with %j", (env) => {
  it.each<[latitude: number, longitude: number, isPosition: boolean]>([
    [0, 0, false],
    [-270, 12.37, false],
    [51.34, 655.35, false],
    [0, 9.45, true],
    [-17.7, 180, true],
    [-90, -180, true],
  ])("at %d, %d is a position: %j", async (latitude, longitude, isPosition) => {
    const lost = { assetId: "x", assetName: "Lost", date, ...ADDRESS, latitude, longitude };
    const { text, record, failure, tools } = await fleetOf([DRESDEN, LEIPZIG, lost], env);
    const sent = `no valid position (the service sent ${latitude}, ${longitude})`;

    const located = await text("locate_vehicle", { query: "lost" });
    expect([located.includes(ADDRESS.formattedAddress), located.includes(sent)]).toEqual([true, !isPosition]);
    expect((await record("locate_vehicle", { query: "lost" })).vehicle.latitude).toBe(isPosition ? latitude : undefined);

    const { note, total } = await record("find_nearest_vehicles", { to: "51.3, 12.4" });
    expect([note.includes("1 without a valid position"), total]).toEqual(isPosition ? [false, 3] : [true, 2]);
    if (!isPosition) expect(await failure("find_nearest_vehicles", { to: "lost" })).toContain(`Lost (x) has ${sent}`);

    const map = await tools.readMap([]);
    expect((map.structured as { rows: unknown[][] }).rows.some(([id]) => id === "x")).toBe(isPosition);
  });

  it("at 0, 0 with an old address does not move the town", async () => {
    const lost = Array.from({ length: 3 }, (_, at) => ({ assetId: `x${at}`, date, ...ADDRESS, latitude: 0, longitude: 0 }));
    const { record } = await fleetOf([...lost, DRESDEN, LEIPZIG], env);
    const { items } = await record("find_nearest_vehicles", { to: "Leipzig", limit: 1 });
    expect(items).toMatchObject([{ assetName: "Leipzig truck", km: 0 }]);
  });
});

it("with FLEET_PRIVACY=off, an impossible position on a private journey is counted by its city, and said to be none", async () => {
  const lost = { assetId: "x", assetName: "Lost", date, ...ADDRESS, privacy: true, latitude: 0, longitude: 0 };
  const { text, failure } = await fleetOf([lost, LEIPZIG], { FLEET_PRIVACY: "off" });
  expect(await text("summarize_fleet", { in: "Leipzig" })).toMatch(/^2 vehicles(?!.*private).*By city: Leipzig 2\n/s);
  expect(await text("find_nearest_vehicles", { to: "51.3, 12.4" })).toContain("unknown: 1 without a valid position");
  expect(await failure("find_nearest_vehicles", { to: "lost" })).toContain("no valid position (the service sent 0, 0)");
});

it("a number that JSON cannot express is no value in lists of undocumented records either", async () => {
  // 1e999 is what the client reads for NaN.
  const { fetch } = globalThis;
  vi.stubGlobal("fetch", async (...request: Parameters<typeof fetch>) => {
    const response = await fetch(...request);
    return new Response((await response.text()).replaceAll('"NaN"', "NaN"), { headers: response.headers });
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const events = [
    { id: "e1", pressure: "NaN" },
    { id: "e2", pressure: 800 },
  ];
  const { record, call } = await servedFleet({ script: { listTireEvents: () => ({ body: { total: "NaN", events } }) } });
  const { items } = await record("list_tire_events", { sort: "-pressure", fields: "id, pressure" });
  expect(items).toEqual([{ id: "e2", pressure: 800 }, { id: "e1" }]);
  expect(JSON.stringify(await call("list_tire_events"))).not.toMatch(/Infinity|1e999/);
});

describe("a value that stands for none", () => {
  const NONE: readonly [field: keyof LivePosition, values: readonly number[], possible: number][] = [
    ["fuelLevelPercentage", [-5, 101, 255, 65_535], 0],
    ["electricBatteryLevelPercent", [-1, 255], 100],
    ["electricRangeKm", [-1, 4_095, 65_535], 255],
    ["odometer", [-12, 4_294_967.295], 3_999_999],
    ["speed", [-1, 255, 65_535], 240],
    ["heading", [-181, 400, 65_535], 360],
    ["engineRpm", [-1, 8_191.875, 65_535], 8_000],
  ];

  it.each(NONE)("of %s is not reported, wherever it is used", async (field, values, possible) => {
    const broken = values.map((value, at) => ({ assetId: `x${at}`, assetName: `Broken ${at}`, date, [field]: value }));
    const { text, record } = await fleetOf([...broken, { assetId: "v", assetName: "Fine", date, [field]: possible }]);
    const list = async (args: Record<string, unknown>) =>
      (await record("list_live_positions", args)).items.map(({ assetName }: LivePosition) => assetName);
    expect((await list({ sort: `-${field}`, fields: ["assetName", field] }))[0]).toBe("Fine");
    expect((await list({ sort: field, fields: ["assetName", field] }))[0]).toBe("Fine");
    expect(await list({ where: `${field}>=0` })).toEqual(["Fine"]);
    expect(await list({ where: `${field}<0` })).toEqual([]);
    const shown = await text("list_live_positions", { fields: [field], limit: 50 });
    for (const value of values) expect(shown).not.toContain(String(value));
  });

  it("is no low level, no recommendation and no time left, and is left out beside a possible one in litres", async () => {
    const charging = { electricBatteryLevelPercent: 255, electricCharging: true, electricChargingTimeRemainingMins: 65_535 };
    const { text } = await fleetOf([
      { assetId: "a", assetName: "Truck 1", date, fuelLevelPercentage: -5, latitude: 51, longitude: 12 },
      { assetId: "b", assetName: "Van 2", date, ...charging },
      { assetId: "c", assetName: "Truck 3", date, fuelLevelPercentage: 12, fuelLevelLitres: 48 },
      { assetId: "d", assetName: "Truck 4", date, fuelLevelPercentage: 255, fuelLevelLitres: 80 },
    ]);
    const summary = await text("summarize_fleet");
    for (const said of [
      "Fuel below 20%: 1 of 1 reporting (Truck 3 12% (48 l))",
      ...["Battery below 20%: 0 of 0 reporting", "Charging: 1 (Van 2 level not reported)"],
    ])
      expect(summary).toContain(said);
    expect(await text("find_nearest_vehicles", { to: "51, 12", driveHours: 1 })).toContain("level not reported");
    expect(await text("locate_vehicle", { query: "van 2" })).toContain("Battery not reported (the service sent 255%), charging.");
    expect(await text("locate_vehicle", { query: "truck 3" })).toContain("Fuel 12% (48 l).");
    expect(await text("locate_vehicle", { query: "truck 4" })).toContain("Fuel 80 l.");
  });
});
