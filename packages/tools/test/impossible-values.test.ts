import { type LivePosition, operations } from "@fleetwire/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { derivedTool } from "../src/query/derived-tool.ts";
import { findNearestVehicles } from "../src/tools/find-nearest-vehicles.ts";
import { listLivePositions } from "../src/tools/list-live-positions.ts";
import { locateVehicle } from "../src/tools/locate-vehicle.ts";
import { mapPositions } from "../src/tools/map-positions.ts";
import { summarizeFleet } from "../src/tools/summarize-fleet.ts";
import { cannedService, rowsOf, toolsOver } from "./canned-service.ts";
import { fleetUnderTest } from "./fleet-under-test.ts";

const date = "2026-11-20T08:30:00Z";
const ADDRESS = { city: "Leipzig", country: "Germany", formattedAddress: "Ring 4, Leipzig, 04109, Germany" };
const DRESDEN: LivePosition = { assetId: "d", assetName: "Dresden", date, latitude: 51.05, longitude: 13.74 };
const LEIPZIG: LivePosition = { assetId: "l", assetName: "Leipzig truck", date, ...ADDRESS, latitude: 51.34, longitude: 12.37 };

const fleetOf = async (fleet: readonly LivePosition[], env: Record<string, string> = {}) => {
  const service = await cannedService(({ operation, fields: { vehicleIds } }) => {
    if (operation === "listVehicleFaults") return { items: [], pagination: { totalItems: 0, totalPages: 0 } };
    return vehicleIds === undefined ? fleet : fleet.filter(({ assetId }) => String(vehicleIds).split(",").includes(String(assetId)));
  });
  return toolsOver(service, env);
};

describe.each([{}, { FLEET_PRIVACY: "off" }])("a fix, with %j", (env) => {
  it.each<[latitude: number, longitude: number, isPosition: boolean]>([
    [0, 0, false],
    [-0, 0, false],
    [-270, 12.37, false],
    [51.34, 655.35, false],
    [90.001, 12, false],
    [0, 9.45, true],
    [51.48, 0, true],
    [-17.7, 180, true],
    [-90, -180, true],
  ])("at %d, %d is a position: %j", async (latitude, longitude, isPosition) => {
    const lost = { assetId: "x", assetName: "Lost", date, ...ADDRESS, latitude, longitude };
    const { call, context, failure } = await fleetOf([DRESDEN, LEIPZIG, lost], env);

    const { text, structured } = await call(locateVehicle, { query: "lost" });
    expect(text).toContain(ADDRESS.formattedAddress);
    const sent = `no valid position (the service sent ${latitude}, ${longitude})`;
    expect(text.includes(sent)).toBe(!isPosition);
    expect((structured["vehicle"] as LivePosition).latitude).toBe(isPosition ? latitude : undefined);

    const near = await call(findNearestVehicles, { to: "51.3, 12.4" });
    expect(near.text.includes("1 without a valid position")).toBe(!isPosition);
    expect(near.structured["total"]).toBe(isPosition ? 3 : 2);
    if (!isPosition) expect(await failure(findNearestVehicles, { to: "lost" })).toContain(`Lost (x) has ${sent}`);

    const { rows } = (await mapPositions([], context)).structured as { rows: unknown[][] };
    expect(rows.map(([id]) => id).includes("x")).toBe(isPosition);
  });

  it("at 0, 0 with an old address does not move the town", async () => {
    const lost = Array.from({ length: 3 }, (_, at) => ({ assetId: `x${at}`, date, ...ADDRESS, latitude: 0, longitude: 0 }));
    const { call } = await fleetOf([...lost, DRESDEN, LEIPZIG], env);
    const { structured } = await call(findNearestVehicles, { to: "Leipzig", limit: 1 });
    expect(structured["items"]).toMatchObject([{ assetName: "Leipzig truck", km: 0 }]);
  });
});

it("an impossible position is withheld on a private journey like any other", async () => {
  const { call } = await fleetOf([{ assetId: "x", assetName: "Lost", date, privacy: true, latitude: 0, longitude: 0 }]);
  expect((await call(locateVehicle, { query: "lost" })).text).not.toMatch(/0, 0|valid position/);
});

it("with FLEET_PRIVACY=off, an impossible position on a private journey is counted by its city, and said to be none", async () => {
  const lost = { assetId: "x", assetName: "Lost", date, ...ADDRESS, privacy: true, latitude: 0, longitude: 0 };
  const { call, failure } = await fleetOf([lost, LEIPZIG], { FLEET_PRIVACY: "off" });
  const { text, structured } = await call(summarizeFleet, { in: "Leipzig" });
  expect([structured["vehicles"], text.includes("private")]).toEqual([2, false]);
  expect(text).toContain("By city: Leipzig 2");
  expect((await call(findNearestVehicles, { to: "51.3, 12.4" })).text).toContain("unknown: 1 without a valid position");
  expect(await failure(findNearestVehicles, { to: "lost" })).toContain("no valid position (the service sent 0, 0)");
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
  const { call } = toolsOver(await cannedService(() => ({ total: "NaN", events })));
  const listTireEvents = derivedTool(operations.listTireEvents);
  const { text, structured } = await call(listTireEvents, { sort: "-pressure", fields: "id, pressure" });
  expect(rowsOf(structured)).toEqual([{ id: "e2", pressure: 800 }, { id: "e1" }]);
  expect(text + (await call(listTireEvents)).text).not.toMatch(/Infinity|1e999/);
});

describe("a value that stands for none", () => {
  const NONE: readonly [field: keyof LivePosition, values: readonly number[], possible: number][] = [
    ["fuelLevelPercentage", [-5, 101, 255, 65_535], 0],
    ["fuelLevelLitres", [-1, 65_535, 4_294_967.295], 255],
    ["electricBatteryLevelPercent", [-1, 255], 100],
    ["electricChargingTimeRemainingMins", [-1, 65_535], 255],
    ["electricRangeKm", [-1, 4_095, 65_535], 255],
    ["odometer", [-12, 4_294_967.295], 3_999_999],
    ["speed", [-1, 255, 65_535], 240],
    ["heading", [-181, 400, 65_535], 360],
    ["engineRpm", [-1, 8_191.875, 65_535], 8_000],
    ["engineTotalHours", [-1, 65_535, 4_294_967.295], 64_000],
  ];

  it.each(NONE)("of %s is not reported, wherever it is used", async (field, values, possible) => {
    const broken = values.map((value, at) => ({ assetId: `x${at}`, assetName: `Broken ${at}`, date, [field]: value }));
    const { call } = await fleetOf([...broken, { assetId: "v", assetName: "Fine", date, [field]: possible }]);
    const list = async (args: Record<string, unknown>) =>
      rowsOf((await call(listLivePositions, args)).structured).map(({ assetName }) => assetName);
    expect((await list({ sort: `-${field}`, fields: [field] }))[0]).toBe("Fine");
    expect((await list({ sort: field, fields: [field] }))[0]).toBe("Fine");
    expect(await list({ where: `${field}>=0` })).toEqual(["Fine"]);
    expect(await list({ where: `${field}<0` })).toEqual([]);
    const { text } = await call(listLivePositions, { fields: [field], limit: 50 });
    for (const value of values) expect(text).not.toContain(String(value));
  });

  it("is no low level, no recommendation and no time left", async () => {
    const { call } = await fleetOf([
      { assetId: "a", assetName: "Truck 1", date, fuelLevelPercentage: -5, latitude: 51, longitude: 12 },
      {
        assetId: "b",
        assetName: "Van 2",
        date,
        electricBatteryLevelPercent: 255,
        electricCharging: true,
        electricChargingTimeRemainingMins: 65_535,
      },
      { assetId: "c", assetName: "Truck 3", date, fuelLevelPercentage: 12, fuelLevelLitres: 48 },
    ]);
    const { text } = await call(summarizeFleet);
    expect(text).toContain("Fuel below 20%: 1 of 1 reporting (Truck 3 12% (48 l))");
    expect(text).toContain("Battery below 20%: 0 of 0 reporting");
    expect(text).toContain("Charging: 1 (Van 2 level not reported)");
    expect((await call(findNearestVehicles, { to: "51, 12", driveHours: 1 })).text).toContain("level not reported");
    expect((await call(locateVehicle, { query: "van 2" })).text).toContain("Battery not reported (the service sent 255%), charging.");
    expect((await call(locateVehicle, { query: "truck 3" })).text).toContain("Fuel 12% (48 l).");
  });

  it("beside a possible one in another unit is left out", async () => {
    const { call } = await fleetOf([{ assetId: "a", assetName: "Truck 1", date, fuelLevelPercentage: 255, fuelLevelLitres: 80 }]);
    expect((await call(locateVehicle, { query: "truck 1" })).text).toContain("Fuel 80 l.");
  });
});

describe("litres are shown beside percent", () => {
  const FLEET: LivePosition[] = [
    { assetId: "a", assetName: "Truck 1", date, fuelLevelPercentage: 40, fuelLevelLitres: 240 },
    { assetId: "b", assetName: "Van 2", date, fuelLevelPercentage: 60, fuelLevelLitres: 42 },
  ];
  it.each([{ sort: "-fuelLevelPercentage" }, { where: "fuelLevelPercentage>20" }])("by default: %j", async (args) => {
    const rows = rowsOf((await (await fleetOf(FLEET)).call(listLivePositions, args)).structured);
    expect(rows.map(({ fuelLevelLitres }) => fuelLevelLitres).toSorted()).toEqual([240, 42]);
  });

  it("only if there are any", async () => {
    const percent = FLEET.map(({ fuelLevelLitres: _, ...position }) => position);
    const { text } = await (await fleetOf(percent)).call(listLivePositions, { sort: "-fuelLevelPercentage" });
    expect(text).not.toContain("fuelLevelLitres");
  });
});

it.each([
  ["odd-fix=Truck 12", "No valid position, perhaps an old address: Truck 12"],
  ["odd-private=Truck 12", undefined],
])("a list with %s", async (faults, note) => {
  const { tools } = await fleetUnderTest({ sandbox: { faults } });
  const result = await tools.call("list_live_positions", { vehicle: "truck 12" });
  const text = "text" in result ? result.text : "";
  expect(text).toMatch(/^1 of 1 vehicle/);
  expect(/No valid position[^(]*/.exec(text)?.[0].trim()).toBe(note);
});
