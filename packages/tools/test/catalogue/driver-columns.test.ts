import { expect, it } from "vitest";
import type { Driver } from "../../src/fleet/fleet-names.ts";
import { withoutData } from "../../src/lookup/chosen-drivers.ts";
import { driverColumns } from "../../src/tools/driver-columns.ts";

const driver = (driverId: string, driverName: string | undefined, vehicles: Driver["vehicles"] = []): [string, Driver] => [
  driverId,
  { driverId, driverName, vehicles },
];

const DRIVERS = new Map([
  driver("d1", "Ana Ruiz", [{ assetName: "Truck 1", assetRegistration: "AB 1", driverGroupName: "Lyon" }, { assetName: "Van" }]),
  driver("d2", "Bo Tanaka", [{ assetRegistration: "CD 2", assetGroupName: "Paris" }]),
  driver("d3", "Bo Tanaka", [{ assetName: "Crane" }]),
  driver("d4", undefined),
]);

it.each([
  [{ driverId: "d1", driverKey: "k" }, "Ana Ruiz"],
  [{ driverId: "d2", driverKey: "k" }, expect.stringMatching(/^Bo Tanaka .*CD 2/)],
  [{ driverId: "d3", driverKey: "k" }, expect.stringMatching(/^Bo Tanaka .*Crane/)],
  [{ driverId: "d4", driverKey: "k" }, "id d4"],
  [{ driverId: "gone", driverKey: "k" }, "id gone"],
  [{ driverId: undefined, driverKey: "k\n1" }, "id k 1"],
  [{ driverId: undefined, driverKey: undefined }, "id -"],
  [{ driverId: "x".repeat(40), driverKey: undefined }, `id ${"x".repeat(29)}…`],
])("the driver of %j is called %s", (record, name) => expect(driverColumns(DRIVERS).nameOf(record)).toEqual(name));

it("a row names the driver, vehicle and group, as far as they are known", () => {
  const { rowOf } = driverColumns(DRIVERS);
  expect(rowOf({ driverId: "d1", driverKey: "k" })).toEqual({ driver: "Ana Ruiz", vehicle: "Truck 1", group: "Lyon", driverId: "d1" });
  expect(rowOf({ driverId: "d4", driverKey: "k" })).toMatchObject({ driver: "id d4", vehicle: undefined });
  expect(rowOf({ driverId: undefined, driverKey: "k" })).toEqual({
    driver: "id k",
    vehicle: undefined,
    group: undefined,
    driverId: undefined,
  });
});

const drivers = [..."abcdefghij"].map((name) => ({ driverId: undefined, driverName: name, vehicles: [] }));
const BEGINNING = "Drivers without tachograph activities:";

it.each([
  ["none", "abcdefghij", true, []],
  ["none", "abcdefghij", false, []],
  ["all are meant", "abc", true, ["Without tachograph activities: 7 of the 10 drivers in the live positions."]],
  ["a few", "abcdefgh", false, [`${BEGINNING} i, j.`]],
  ["eight", "ab", false, [`${BEGINNING} c, d, e, f, g, h, i, j.`]],
  ["more than eight", "a", false, [`${BEGINNING} b, c, d, e, f, g, h, i and 1 more.`]],
])("a note says which drivers have no data: %s", (_, withData, isAll, notes) => {
  expect(withoutData(drivers, ({ driverName = "" }) => withData.includes(driverName), isAll)).toEqual(notes);
});
