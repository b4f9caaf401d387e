import { expect, it } from "vitest";
import { servedFleet, withItems } from "../served-fleet.ts";

/** Five groups with a vehicle and a driver each. */
const GROUPS = ["Portlaoise Trucks", "Portlaoise Vans", "Cork Trucks", "Hamburg, North", "Cork and Kerry"];
const FLEET = GROUPS.map((group, at) => ({
  ...{ assetId: `v${at}`, assetName: `Truck ${at}`, assetRegistration: `AB ${at}`, assetGroupId: `g${at}`, assetGroupName: group },
  ...{ driverId: `d${at}`, driverName: `Driver ${"ABCDE".charAt(at)}`, latitude: 51, longitude: 9, date: "2026-11-20T08:30:00Z" },
}));
const ENTRIES = FLEET.map(({ assetId, assetRegistration, driverId }, at) => {
  const span = { startTime: "2026-11-20T06:00:00Z", endTime: "2026-11-20T07:00:00Z" };
  return { driverId, driverKey: `DRIVERCARD000${at}`, activities: [{ activity: "DRIVING", assetId, assetRegistration, ...span }] };
});
const FAULT = { code: "P1", startDate: "2026-11-20T07:00:00Z" };
const FAULTS = FLEET.map(({ assetId, assetName }) => ({ id: assetId, assetName, faults: [FAULT] }));

const serve = () =>
  servedFleet({
    script: {
      listLivePositions: ({ url }) => {
        const wanted = url.searchParams.get("groupIds")?.split(",");
        return { body: FLEET.filter(({ assetGroupId }) => wanted?.includes(assetGroupId) ?? true) };
      },
      listVehicleFaults: ({ url }) => {
        const [vehicle, group] = [url.searchParams.get("vehicleId"), url.searchParams.get("groupId")];
        const at = FLEET.findIndex(({ assetId, assetGroupId }) => vehicle === assetId || group === assetGroupId);
        const items = at === -1 ? FAULTS : [FAULTS[at]];
        return { body: { items, pagination: { totalItems: items.length, totalPages: 1 } } };
      },
      queryTachoActivity: () => ({ body: { count: ENTRIES.length, data: ENTRIES } }),
    },
  });

const TOOLS: [tool: string, args: object][] = [
  ["list_live_positions", {}],
  ["list_vehicle_faults", { fields: ["id"] }],
  ["find_nearest_vehicles", { to: "51, 9" }],
  ["driver_hours", { fields: ["driver"] }],
  ["summarize_driver_activity", { period: "today", fields: ["driver"] }],
  ["query_tacho_activity", { period: "today", fields: ["driver"] }],
  ["trips_and_stops", { period: "today", where: "kind=trip" }],
];

/** The numbers of the vehicles or drivers in a result. */
const foundIn = (rows: unknown) => {
  const named = JSON.stringify(rows).match(/(?<=Truck |"v)\d|(?<=Driver )[A-E]/g) ?? [];
  return [...new Set(named.map((one) => "01234ABCDE".indexOf(one) % 5))].sort();
};

it.each([
  ["Portlaoise Trucks, Cork Trucks", [0, 2]],
  ["Portlaoise, Hamburg North", [0, 1, 3]],
  ["Cork and Kerry", [4]],
  ["g0, g1, g2", [0, 1, 2]],
] as const)("group: %s are %j, in every tool", async (group, expected) => {
  const { call } = await serve();
  for (const [tool, args] of TOOLS) {
    const { text, structured } = await call(tool, { ...args, group });
    expect([tool, foundIn(withItems(structured).items)]).toEqual([tool, expected]);
    expect(text).toContain(expected.map((at) => `${GROUPS[at]} (g${at})`).join(", "));
  }
});

it.each([["Truck 1, 3 and 4", [1, 3, 4]]] as const)("vehicle: %j are %j, in tools of the past", async (vehicle, expected) => {
  const { record } = await serve();
  for (const [tool, args] of TOOLS.slice(4)) {
    const { items } = await record(tool, { ...args, vehicle });
    expect([tool, foundIn(items)]).toEqual([tool, expected]);
  }
});

it.each([
  ["group", "Portlaoise Trucks, Cork Trucks, Paris", "Paris"],
  ["vehicle", "Truck 1, Truck 9", "Truck 9"],
])("%s: %s asks about the unknown one", async (argument, names, unknown) => {
  const { text } = await serve();
  for (const [tool, args] of TOOLS.slice(4)) expect(await text(tool, { ...args, [argument]: names })).toContain(`matches "${unknown}"`);
});

it("where_was is about one vehicle at a time", async () => {
  const { failure } = await serve();
  expect(await failure("where_was", { vehicle: "Truck 1, Truck 3", time: "today 06:30" })).toBe(
    "input: vehicle: several were named. Next: Call once for each, or use trips_and_stops.",
  );
});
