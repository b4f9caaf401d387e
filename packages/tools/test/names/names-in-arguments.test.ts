import { expect, it } from "vitest";
import { faultPages } from "../fleet-service.ts";
import { servedFleet } from "../served-fleet.ts";

const FLEET = ["12", "112"].map((number) => ({ assetId: `v${number}`, assetName: `Truck ${number}`, assetRegistration: `REG ${number}` }));
const GROUP = { assetGroupId: "north", assetGroupName: "north vans" };
const SOLD = { assetId: "v99", assetName: "Van 99", status: "SOLD", ...GROUP };

it("list_vehicle_faults takes a vehicle, a group and a period in words, sold vehicles and ids too, and says what it took them for", async () => {
  const { text, record, question, service } = await servedFleet({
    script: {
      ...faultPages([{ id: "v12", assetName: "Truck 12", faults: [{ code: "P0401" }] }]),
      listLivePositions: ({ url }) => ({ body: url.searchParams.get("showAllVehicleStatus") === "true" ? [...FLEET, SOLD] : FLEET }),
    },
    env: { FLEET_TIME_ZONE: "Europe/Paris" },
  });
  const args = { vehicle: "truck 12", group: "the north vans", period: "this week" };
  const { note, total, vehicles } = await record("list_vehicle_faults", args);
  expect(Object.fromEntries(service.of("listVehicleFaults")[0]?.url.searchParams ?? [])).toMatchObject({
    ...{ vehicleId: "v12", groupId: "north", startDate: "2026-11-15T23:00:00", endDate: "2026-11-22T23:00:00" },
  });
  expect([total, vehicles]).toEqual([1, 1]);
  for (const part of ["Only Truck 12 (REG 12).", "this week in Europe/Paris", "service due dates"]) expect(note).toContain(part);

  await text("list_vehicle_faults", { vehicle: "van 99" });
  const { length: reads } = service.of("listLivePositions");
  await text("list_vehicle_faults", { vehicleId: "v1", startDate: "2026-11-01T00:00:00Z" });
  expect(service.of("listLivePositions")).toHaveLength(reads);
  expect(service.of("listVehicleFaults").map(({ url }) => url.searchParams.get("vehicleId"))).toEqual(["v12", "v99", "v1"]);
  expect(await question("list_vehicle_faults", { vehicle: "truck" })).toMatch(/Truck 12 \(REG 12\).*; Truck 112 \(REG 112\).*\?/);
});
