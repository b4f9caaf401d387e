import type { LivePosition } from "@fleetwire/core";
import { contextOf, fullRecords, type Position } from "@fleetwire/tools/internal";
import { expect, it } from "vitest";
import { servedFleet } from "../served-fleet.ts";

const full = (assetId: string): LivePosition => ({ assetId, assetName: `Truck ${assetId}`, odometer: 7 });

it.each<[string, Position[], LivePosition[], unknown]>([
  ["are requested by id", [{ assetId: "a" }, { assetId: "b" }], [full("a"), full("b")], { vehicleIds: "a,b" }],
  ["keep the order asked for", [{ assetId: "b" }, { assetId: "a" }], [full("b"), full("a")], { vehicleIds: "b,a" }],
  ["include sold vehicles", [{ assetId: "a", status: "SOLD" }], [full("a")], { vehicleIds: "a", showAllVehicleStatus: "true" }],
  [
    "remain what is known if a vehicle cannot be read",
    [{ assetId: "c", city: "Lyon" }],
    [{ assetId: "c", city: "Lyon" }],
    { vehicleIds: "c" },
  ],
  ["are not requested without ids", [{ assetName: "x" }, { assetId: "" }], [{ assetName: "x" }, { assetId: "" }], undefined],
  ["of vehicles with and without id", [{ assetName: "x" }, { assetId: "a" }], [{ assetName: "x" }, full("a")], { vehicleIds: "a" }],
])("full records %s", async (_, positions, expected, asked) => {
  const { tools, service } = await servedFleet({ script: { listLivePositions: () => ({ body: [full("a"), full("b")] }) } });
  const records = await fullRecords(positions, contextOf(tools));
  expect(records.map((record) => JSON.parse(JSON.stringify(record)))).toEqual(expected);
  const requested = service.received.map(({ url }) => Object.fromEntries(url.searchParams));
  expect(requested).toEqual(asked === undefined ? [] : [{ hideSpeedIfSpeedSensitive: "true", ...asked }]);
});
