import { expect, it } from "vitest";
import { tachoRecords } from "./fleet-service.ts";
import { servedFleet } from "./served-fleet.ts";

const inVehicle = (driverId?: string, driverName?: string) => [{ assetId: "v1", assetName: "Truck 1", driverId, driverName }];
const ANA = inVehicle("d1", "Ana Ruiz");
const activities = [
  { activity: "DRIVING", assetId: "v1", startTime: "2026-11-20T05:00:00Z", endTime: "2026-11-20T06:00:00Z" },
  { activity: "REST", assetId: "v1", startTime: "2026-11-20T06:00:00Z", inProgress: true },
];
const PERIOD = { period: "2026-11-20" };
const LEFT = "Ana Ruiz (d1) is in no vehicle now.";

/** Calls a tool after each list of live positions; returns what it said last. */
async function afterLists(lists: readonly object[][], tool: string, args: object, env: Record<string, string> = {}): Promise<string> {
  let list = lists[0];
  const script = { listLivePositions: () => ({ body: list }), ...tachoRecords([{ driverId: "d1", activities }]) };
  const { call } = await servedFleet({ script, env });
  let text = "";
  for (list of lists) text = (await call(tool, args as Record<string, unknown>)).text;
  return text;
}

it.each<[what: string, lists: object[][], tool: string, args: object, shows: string | RegExp]>([
  ["keeps the name in hours", [ANA, inVehicle()], "driver_hours", {}, "Ana Ruiz"],
  ["keeps the name in activities", [ANA, inVehicle()], "query_tacho_activity", PERIOD, "Ana Ruiz"],
  ["keeps the name in sums", [ANA, inVehicle()], "summarize_driver_activity", PERIOD, "Ana Ruiz"],
  ["keeps the name in trips", [ANA, inVehicle()], "trips_and_stops", { vehicle: "truck 1", ...PERIOD }, "Ana Ruiz"],
  ["keeps the name if the vehicle has gone", [ANA, []], "driver_hours", {}, "Ana Ruiz"],
  ["keeps the last name", [ANA, inVehicle("d1", "Ana Sol"), inVehicle()], "driver_hours", {}, "Ana Sol"],
  ["has only an id of who was never seen", [inVehicle()], "driver_hours", {}, "id d1"],
  ["is found by name", [ANA, inVehicle()], "driver_hours", { driver: "ana ruiz" }, LEFT],
  ["is found by name with a typo", [ANA, inVehicle()], "driver_hours", { driver: "ana ruis" }, LEFT],
  ["is not taken for a misspelling of another", [ANA, inVehicle("d2", "Ana Ruis")], "driver_hours", { driver: "Ana Ruiz" }, LEFT],
  ["gives way to whom the query names as exactly", [ANA, inVehicle("d2", "Ana Cole")], "driver_hours", { driver: "ana" }, /^(?!.*Ruiz)/s],
])("a driver who left the vehicle %s", async (_, lists, tool, args, shows) => {
  expect(await afterLists(lists, tool, args)).toMatch(shows);
});

it.each(["driver_hours", "query_tacho_activity", "summarize_driver_activity"])("%s shows no hidden name", async (tool) => {
  const text = await afterLists([ANA, inVehicle()], tool, tool === "driver_hours" ? {} : PERIOD, { FLEET_DRIVER_NAMES: "hide" });
  expect(text).toMatch(/d1|driver/i);
  expect(text).not.toContain("Ana");
});
