import { expect, it } from "vitest";
import { servedFleet } from "./served-fleet.ts";

type Json = Record<string, unknown>;

const FLEET = [
  { assetId: "v1", assetName: "Truck 1", odometer: 500, city: "Lyon", speed: 0, eventType: "driving", date: "2026-11-20T08:30:00Z" },
  { assetId: "v2", assetName: "Van 2", odometer: 900, city: "Kassel", speed: 30, date: "2026-11-20T08:25:00Z" },
  { assetId: "v3", assetName: "Car 3", odometer: 100, city: "Lyon", speed: 0 },
];
const SOLD = { assetId: "v9", assetName: "Car 9", status: "SOLD", odometer: 7 };

const listed = async (args: Json, fleet: readonly Json[] = FLEET) => {
  const { record, service } = await servedFleet({
    script: {
      listLivePositions: ({ url: { searchParams } }) => {
        const all = searchParams.has("showAllVehicleStatus") ? [...fleet, SOLD] : fleet;
        const ids = searchParams.get("vehicleIds")?.split(",");
        return { body: ids ? all.filter(({ assetId }) => ids.includes(String(assetId))) : all };
      },
    },
  });
  const { note, items } = await record("list_live_positions", args);
  const asked = service.of("listLivePositions").map(({ url }) => {
    const { hideSpeedIfSpeedSensitive: _, ...parameters } = Object.fromEntries(url.searchParams);
    return parameters;
  });
  return { note, rows: items as Json[], asked };
};

const [CAR, TRUCK, VAN] = [{ assetName: "Car 3" }, { assetName: "Truck 1" }, { assetName: "Van 2" }];
const VAN_ROW = { ...VAN, odometer: 900 };
const ODOMETERS = [{ ...TRUCK, odometer: 500 }, VAN_ROW];
const COUNTS = [
  { moving: true, vehicles: 2 },
  { moving: false, vehicles: 1 },
];
const SOLD_ROW = { assetName: "Car 9", odometer: 7 };
const ALL = { showAllVehicleStatus: "true" };
it.each<[string, Json, Json[], Json[]]>([
  ["the view's fields in one request", { fields: "city", where: "city=Lyon" }, [CAR, TRUCK].map((one) => ({ ...one, city: "Lyon" })), [{}]],
  ["those that move", { where: "moving=true", fields: "moving" }, [TRUCK, VAN].map((one) => ({ ...one, moving: true })), [{}]],
  ["other fields", { fields: "odometer, moving", limit: 1 }, [{ ...CAR, odometer: 100, moving: false }], [{}, { vehicleIds: "v3" }]],
  ["by another field", { where: "odometer>400", fields: "odometer" }, ODOMETERS, [{}]],
  ["sold vehicles", { where: "status=SOLD", fields: "status" }, [{ assetName: "Car 9", status: "SOLD" }], [ALL]],
  ["more of these", { where: "status=SOLD", fields: "odometer" }, [SOLD_ROW], [ALL, { vehicleIds: "v9", ...ALL }]],
  ["two by name", { vehicle: "car 9, van 2", fields: "odometer" }, [SOLD_ROW, VAN_ROW], [ALL, { vehicleIds: "v9,v2", ...ALL }]],
  ["how many move", { count: "moving" }, COUNTS, [{}]],
  ["one by its id", { vehicle: "van 2", fields: "odometer" }, [VAN_ROW], [ALL, { vehicleIds: "v2" }]],
])("lists %s: %j", async (_, args, rows, asked) => {
  const result = await listed(args);
  expect([result.rows, result.asked]).toEqual([rows, asked]);
});

it("says that a vehicle is sold, unless its status is shown", async () => {
  expect((await listed({ vehicle: "car 9" })).note).toContain("Sold, no longer in the fleet: Car 9 (v9).");
  expect((await listed({ vehicle: "car 9", fields: "status" })).note).not.toContain("no longer");
  const { note } = await listed({ where: "status=SOLD" }, [{ assetId: "v8", assetName: "Car 8", status: "SOLD" }]);
  expect(note).toContain("All of these are sold, no longer in the fleet.");
  expect(note).not.toContain("Car 9");
});

it("reads the whole list if a vehicle cannot be read by its id", async () => {
  const { rows, asked } = await listed({ fields: "odometer" }, [...FLEET, { assetName: "Bus", odometer: 1 }]);
  expect(rows).toContainEqual({ assetName: "Bus", odometer: 1 });
  expect(asked).toEqual([{}, {}]);
});
