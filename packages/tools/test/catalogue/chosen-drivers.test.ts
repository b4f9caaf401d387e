import { describe, expect, it } from "vitest";
import { labelWithVehicle } from "../../src/fleet/entity-labels.ts";
import type { Position } from "../../src/fleet/position.ts";
import { type ChosenBy, chosenDrivers } from "../../src/lookup/chosen-drivers.ts";
import type { NameQuestion } from "../../src/names/name-question.ts";
import { fleetOf } from "../names/fleet-of.ts";

const FLEET: Position[] = [
  { assetId: "v1", assetName: "Truck 1", driverId: "d1", driverName: "Ana Ruiz", driverGroupId: "g1", driverGroupName: "Lyon" },
  { assetId: "v2", assetName: "Truck 2", driverId: "d2", driverName: "Bo Tanaka", assetGroupId: "g1", assetGroupName: "Lyon" },
  { assetId: "v3", assetName: "Truck 3", driverId: "d3", driverName: "bo tanaka", assetGroupId: "g2", assetGroupName: "Paris" },
  { assetId: "v4", assetName: "Crane", driverName: "Kim Oh" },
  { assetId: "v5", assetName: "Van 5" },
  { assetId: "v6", assetName: "Doe, Jo", driverId: "d6", driverName: "Doe, Jo" },
];
const fleet = await fleetOf(...FLEET);

async function chosen(by: ChosenBy) {
  const { wanted, notes } = await chosenDrivers(by, fleet);
  return [wanted?.drivers.map(({ driverId, driverName }) => driverId ?? driverName).join(" "), notes];
}

const ANA = "Ana Ruiz (d1) drives Truck 1 (v1) now.";
const BOTH = "2 drivers named Bo Tanaka.";

it.each<[why: string, by: ChosenBy, drivers: string | undefined, notes: string[]]>([
  ["all", {}, undefined, []],
  ["one by name", { driver: "ana" }, "d1", []],
  ["one by id", { driver: "d1" }, "d1", []],
  ["several", { driver: "Ana Ruiz , d2," }, "d1 d2", []],
  ["a list, whose names may hold commas", { driver: ["Doe, Jo", "d1"] }, "d6 d1", []],
  ["a list as text", { driver: '["Doe, Jo","d1"]' }, "d6 d1", []],
  ["one whose name begins with a bracket", { driver: "[ana" }, "d1", []],
  ["one twice", { driver: "ana, d1" }, "d1", []],
  ["namesakes", { driver: "Bo Tanaka" }, "d2 d3", [BOTH]],
  ["the driver of a vehicle named as one", { driver: "truck 1" }, "d1", [ANA]],
  ["the driver of a vehicle", { vehicle: "truck 1" }, "d1", [ANA]],
  ["a driver, if in a vehicle", { driver: "bo tanaka", vehicle: "truck 3" }, "d3", [BOTH, "bo tanaka (d3) drives Truck 3 (v3) now."]],
  ["a driver, who is not in a vehicle", { driver: "ana", vehicle: "truck 3" }, "", ["bo tanaka (d3) drives Truck 3 (v3) now."]],
  ["those in a group, or in a vehicle of it", { group: "Lyon" }, "d1 d2", ["Only Lyon (g1)."]],
  ["namesakes in a group", { driver: "bo tanaka", group: "Paris" }, "d3", [BOTH, "Only Paris (g2)."]],
  ["one who is in no live position, as results call them", { driver: "id pm19x8k2q1" }, "pm19x8k2q1", []],
  ["one who is in no live position, by id", { driver: "pm19x8k2q1" }, "pm19x8k2q1", []],
  ["one who is in no live position, by driver key", { driver: "DF000012345678901" }, "DF000012345678901", []],
  ["one without an id, if not by name", { vehicle: "crane" }, "Kim Oh", ["Kim Oh drives Crane (v4) now."]],
])("%s: %j", async (_, by, drivers, notes) => expect(await chosen(by)).toEqual([drivers, notes]));

describe("no driver is chosen", () => {
  it.each<[ChosenBy, string]>([
    [{ driver: "van 5" }, "driver: Van 5 (v5) has no driver now"],
    [{ vehicle: "van 5" }, "vehicle: Van 5 (v5) has no driver now"],
    [{ driver: "Kim Oh" }, "driver: the live positions have no id for “Kim Oh”, so their tachograph entries cannot be found"],
  ])("by %j", async (by, message) => expect(chosenDrivers(by, fleet)).rejects.toMatchObject({ code: "input", message }));

  it.each<[ChosenBy, object]>([
    [{ driver: "truk 1" }, { result: "notFound", field: "driver", distinguishedBy: "full name or vehicle" }],
    [{ driver: "truck7!" }, { result: "notFound", field: "driver" }],
    [{ driver: "nobody" }, { result: "notFound", field: "driver" }],
    [{ driver: "truck" }, { result: "notFound", field: "driver" }],
    [{ vehicle: "truck" }, { result: "ambiguous", field: "vehicle" }],
    [{ group: "Rome" }, { result: "notFound", field: "group" }],
  ])("by %j, which is a question", async (by, unresolved) => {
    const error = await chosenDrivers(by, fleet).catch((reason: unknown) => reason);
    expect((error as NameQuestion).unresolved).toMatchObject(unresolved);
  });
});

it.each([
  [
    { driverId: "d", driverName: "Ana", vehicles: [{ assetName: "Truck", driverGroupName: "Lyon", assetGroupName: "Paris" }] },
    "Ana (Truck; Lyon)",
  ],
  [{ driverId: "d", driverName: "Ana", vehicles: [{ assetRegistration: "AB 1", assetGroupName: "Paris" }] }, "Ana (AB 1; Paris)"],
  [{ driverId: "d", driverName: "Ana", vehicles: [] }, "Ana (d)"],
  [{ driverId: "d", driverName: undefined, vehicles: [{ assetName: "Truck" }] }, "d"],
])("%j is labelled %j", (driver, label) => expect(labelWithVehicle(driver)).toBe(label));
