import type { LivePosition } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import { faultPages } from "./fleet-service.ts";
import { NOW, servedFleet } from "./served-fleet.ts";

const date = new Date(NOW - 60_000).toISOString();
const ev = { energyType: "EV", fuelType: ["ELECTRIC"], assetType: "VAN" };

/** Van 1 is of a speed-sensitive group, so that the service sends no speed; Van 2 is on a private journey. */
const FLEET: LivePosition[] = [
  { assetId: "v1", assetName: "Van 1", eventType: "driving", fuelLevelPercentage: 15, fuelLevelLitres: 9, city: "Lyon" },
  { assetId: "v2", assetName: "Van 2", speed: 120, privacy: true, city: "Lyon" },
  { assetId: "v3", assetName: "Van 3", speed: 70, city: "Lyon", odometer: 5 },
  { assetId: "v4", assetName: "Van 4", ...ev, electricBatteryLevelPercent: 80, electricRangeKm: 210, speed: 10 },
  { assetId: "v5", assetName: "Van 5", ...ev, electricBatteryLevelPercent: 90, electricRangeKm: 190, speed: 20 },
  { assetId: "v6", assetName: "Van 6", ...ev, electricRangeKm: 50, electricBatteryLevelPercent: 15, city: "Ulm", speed: 30 },
];
const fleet = (positions = FLEET, env: Record<string, string> = {}) =>
  servedFleet({
    env,
    script: {
      listLivePositions: () => ({ body: positions.map((one) => ({ date, ...one })) }),
      ...faultPages(["v1", "v3"].map((id) => ({ id, faults: [{ code: `P${id}` }] }))),
    },
  });

const HIDDEN = "hidden for speed-sensitive groups";
const WITHHELD = "withheld on private journeys";
const withoutPrivate = FLEET.filter(({ privacy }) => !privacy);

describe("rows that lack a value", () => {
  it.each<[what: string, args: Record<string, unknown>, said: string, positions?: LivePosition[], env?: Record<string, string>]>([
    ["the fastest", { sort: "-speed", limit: 1 }, `Without speed, last: 2 (${HIDDEN}, ${WITHHELD}, or not reported).`],
    ["the fastest, without private journeys", { sort: "-speed" }, `Without speed, last: 1 (${HIDDEN}, or not reported).`, withoutPrivate],
    ["those over 50 km/h", { where: "speed>50" }, `Left out without speed: 2 (${HIDDEN}, ${WITHHELD}, or not reported).`],
    ["counts by speed", { count: "speed" }, `none: ${HIDDEN}, ${WITHHELD}, or not reported.`],
    ["only not reported", { sort: "-odometer" }, "Without odometer, last: 5. "],
    ["without privacy", { sort: "-speed" }, "Without speed, last: 1. ", FLEET, { FLEET_PRIVACY: "off" }],
    ["counts without", { count: "energyType" }, ""],
  ])("%s: %j", async (_, args, said, positions, env) => {
    const served = await fleet(positions, env);
    const text = await served.text("list_live_positions", args);
    expect(text).toContain(said);
    expect(String((await served.record("list_live_positions", args)).note)).toContain(said.trim());
    if (said === "") expect(text).not.toMatch(/Without|Left out|none:|hidden/);
  });
});

describe("how far an electric vehicle gets", () => {
  it.each<[args: Record<string, unknown>, columns: string]>([
    [{ where: "energyType=EV" }, " | electricBatteryLevelPercent | electricRangeKm"],
    [{ sort: "-range", where: "energyType=EV" }, " | electricRangeKm | electricBatteryLevelPercent"],
    [{ where: "fuelLevelPercentage<20" }, " | fuelLevelPercentage | fuelLevelLitres"],
  ])("list_live_positions %j shows %s", async (args, columns) => {
    const { call } = await fleet();
    expect((await call("list_live_positions", args)).text.split("\n")[1]?.endsWith(columns)).toBe(true);
  });

  it("is told beside its charge, and where it is low", async () => {
    const { text, record } = await fleet();
    expect(await text("locate_vehicle", { query: "van 4" })).toContain("Battery 80%, range 210 km.");
    const { concerns } = await record("summarize_fleet");
    expect(concerns.lowBattery.first).toEqual([expect.objectContaining({ batteryPercent: 15, rangeKm: 50 })]);
    expect(concerns.lowFuel.first).toEqual([expect.objectContaining({ fuelPercent: 15, fuelLitres: 9 })]);
  });
});
