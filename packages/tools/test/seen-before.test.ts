import { expect, it } from "vitest";
import { servedFleet, tachoRecords } from "./served-fleet.ts";

const vehicle = (more: object = {}) => [{ assetId: "v1", assetName: "Truck 1", assetRegistration: "AB 1", ...more }];
const drivenBy = (driverId?: string, driverName?: string) => vehicle({ driverId, driverName });
const YARD = { latitude: 45.5255, longitude: 4.8748 };
const [ANA, NOBODY] = [drivenBy("d1", "Ana Ruiz"), drivenBy()];
const IN_YARD = vehicle({ ...YARD, locationId: "l1", locationName: "Brick Yard" });
const AWAY = vehicle({ latitude: 48.8566, longitude: 2.3522 });
const stand = { activity: "REST", assetId: "v1", assetRegistration: "AB 1", startLatitude: YARD.latitude, startLongitude: YARD.longitude };
const activities = [
  { activity: "DRIVING", assetId: "v1", assetRegistration: "AB 1", startTime: "2026-11-20T04:00:00Z", endTime: "2026-11-20T05:00:00Z" },
  { ...stand, startTime: "2026-11-20T05:00:00Z", endTime: "2026-11-20T06:00:00Z" },
];

const PERIOD = { period: "2026-11-20" };
const TRIPS = { vehicle: "truck 1", ...PERIOD };

/** Calls a tool after each list of live positions; returns what it said last. */
async function afterLists(lists: readonly object[][], tool: string, args: object, env: Record<string, string> = {}): Promise<string> {
  let list = lists[0];
  const script = { listLivePositions: () => ({ body: list }), ...tachoRecords([{ driverId: "d1", activities }]) };
  const { call } = await servedFleet({ script, env });
  let text = "";
  for (list of lists) text = (await call(tool, args as Record<string, unknown>)).text;
  return text;
}

const LEFT = "Ana Ruiz (d1) is in no vehicle now.";
it.each<[what: string, lists: object[][], tool: string, args: object, shows: string | RegExp]>([
  ["keeps the name in hours", [ANA, NOBODY], "driver_hours", {}, "Ana Ruiz"],
  ["keeps the name in trips", [ANA, NOBODY], "trips_and_stops", TRIPS, "Ana Ruiz"],
  ["keeps the last name", [ANA, drivenBy("d1", "Ana Sol"), NOBODY], "driver_hours", {}, "Ana Sol"],
  ["has only an id of who was never seen", [NOBODY], "driver_hours", {}, "id d1"],
  ["is found by name with a typo", [ANA, NOBODY], "driver_hours", { driver: "ana ruis" }, LEFT],
  ["is not taken for a misspelling of another", [ANA, drivenBy("d2", "Ana Ruis")], "driver_hours", { driver: "Ana Ruiz" }, LEFT],
  ["gives way to whom the query names as exactly", [ANA, drivenBy("d2", "Ana Cole")], "driver_hours", { driver: "ana" }, /^(?!.*Ruiz)/s],
])("a driver who left the vehicle %s", async (_, lists, tool, args, shows) => {
  expect(await afterLists(lists, tool, args)).toMatch(shows);
});

it.each(["driver_hours", "query_tacho_activity"])("%s shows no hidden name", async (tool) => {
  const text = await afterLists([ANA, NOBODY], tool, tool === "driver_hours" ? {} : PERIOD, { FLEET_DRIVER_NAMES: "hide" });
  expect(text).toMatch(/d1|driver/i);
  expect(text).not.toContain("Ana");
});

const NOW = "Locations: where vehicles report them now.";
const EARLIER = "Locations: where vehicles report them now, or did since this server started.";
const AT_YARD = { at: "brick yard", ...PERIOD };
it.each<[what: string, lists: object[][], tool: string, args: object, said: string[]]>([
  ["names the place while a vehicle is there", [IN_YARD], "trips_and_stops", TRIPS, ["Brick Yard", NOW]],
  ["keeps its name in trips", [IN_YARD, AWAY], "trips_and_stops", TRIPS, ["Brick Yard", EARLIER]],
  ["keeps its name", [IN_YARD, AWAY], "where_was", { vehicle: "truck 1", time: "2026-11-20T05:30Z" }, ["standing at Brick Yard"]],
  ["keeps its place", [IN_YARD, AWAY], "trips_and_stops", AT_YARD, ["where vehicles were earlier", "1 visit"]],
  ["keeps its place for distances", [IN_YARD, AWAY], "find_nearest_vehicles", { to: "Brick Yard" }, ["where vehicles were earlier"]],
])("a location that its last vehicle left %s", async (_, lists, tool, args, said) => {
  const text = await afterLists(lists, tool, args);
  for (const part of said) expect(text).toContain(part);
});

it.each([TRIPS, AT_YARD])("a location is not learned on a private journey: %j", async (args) => {
  const hidden = IN_YARD.map((one) => ({ ...one, privacy: true }));
  expect(await afterLists([hidden, AWAY], "trips_and_stops", args)).not.toContain("Brick Yard");
});
