import { expect, it } from "vitest";
import { tachoRecords } from "./fleet-service.ts";
import { servedFleet } from "./served-fleet.ts";

const YARD = { latitude: 45.5255, longitude: 4.8748 };
const vehicle = (more: object = {}) => ({ assetId: "v1", assetName: "Truck 1", assetRegistration: "AB 1", ...more });
const IN_YARD = [vehicle({ ...YARD, locationId: "l1", locationName: "Brick Yard" })];
const LEFT = [vehicle({ latitude: 48.8566, longitude: 2.3522 })];
const stand = {
  ...{ activity: "REST", assetId: "v1", assetRegistration: "AB 1" },
  ...{ startTime: "2026-11-20T05:00:00Z", endTime: "2026-11-20T06:00:00Z" },
  ...{ startLatitude: YARD.latitude, startLongitude: YARD.longitude },
};
const TRIPS = { vehicle: "truck 1", period: "2026-11-20" };
const NOW = "Locations: where vehicles report them now.";
const EARLIER = "Locations: where vehicles report them now, or did since this server started.";

/** Calls a tool after each list of live positions; returns what it said last. */
async function afterLists(lists: readonly object[][], tool: string, args: object, env: Record<string, string> = {}): Promise<string> {
  let list = lists[0];
  const script = { listLivePositions: () => ({ body: list }), ...tachoRecords([{ driverId: "d1", activities: [stand] }]) };
  const { call } = await servedFleet({ script, env });
  let text = "";
  for (list of lists) text = (await call(tool, args as Record<string, unknown>)).text;
  return text;
}

it.each<[what: string, lists: object[][], tool: string, args: object, said: string[]]>([
  ["names the place while a vehicle is there", [IN_YARD], "trips_and_stops", TRIPS, ["Brick Yard", NOW]],
  ["keeps its name in trips", [IN_YARD, LEFT], "trips_and_stops", TRIPS, ["Brick Yard", EARLIER]],
  [
    "keeps its name at a time",
    [IN_YARD, LEFT],
    "where_was",
    { vehicle: "truck 1", time: "2026-11-20T05:30:00Z" },
    ["standing at Brick Yard", EARLIER],
  ],
  [
    "keeps its place",
    [IN_YARD, LEFT],
    "trips_and_stops",
    { at: "brick yard", period: "2026-11-20" },
    ["where vehicles were earlier", "1 visit"],
  ],
  ["keeps its place for distances", [IN_YARD, LEFT], "find_nearest_vehicles", { to: "Brick Yard" }, ["where vehicles were earlier"]],
])("a location that its last vehicle left %s", async (_, lists, tool, args, said) => {
  const text = await afterLists(lists, tool, args);
  for (const part of said) expect(text).toContain(part);
});

it("a location is not learned on a private journey", async () => {
  const hidden = IN_YARD.map((one) => ({ ...one, privacy: true }));
  for (const args of [TRIPS, { at: "brick yard", period: "2026-11-20" }])
    expect(await afterLists([hidden, LEFT], "trips_and_stops", args)).not.toContain("Brick Yard");
});
