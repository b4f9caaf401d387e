import { expect, it } from "vitest";
import { flood } from "./flood.ts";
import { servedFleet } from "./served-fleet.ts";

it.each([
  ["trips_and_stops", { vehicle: "truck 1", period: "2026-11-18" }, "100000 of drivers with more in a day than tachographs record"],
  ["where_was", { vehicle: "truck 1", time: "2026-11-18T06:30:00Z" }, "100000 of drivers with more in a day than tachographs record"],
  ["driver_hours", {}, "No figures for Driver 1: more activities in a day than tachographs record."],
  ["driver_infringements", { period: "2026-11-18" }, "Not judged: Driver 1: more activities in a day than tachographs record."],
])("%s says that 100,000 activities in a day cannot be true", async (tool, args, said) => {
  const body = JSON.stringify({ count: 1, data: [{ driverId: "p1", driverKey: "DRIVERCARD0p100", activities: flood(100_000) }] });
  const vehicle = { assetId: "v1", assetName: "Truck 1", assetRegistration: "AB 1", driverId: "p1", driverName: "Driver 1" };
  const { text } = await servedFleet({
    script: { listLivePositions: () => ({ body: [vehicle] }), queryTachoActivity: () => ({ body }) },
    env: { FLEET_DISTANCE_UNIT: "km" },
  });
  expect(await text(tool, args)).toContain(said);
});
