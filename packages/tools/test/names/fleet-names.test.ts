import { describe, expect, it } from "vitest";
import { driverLabel, groupLabel, placeLabel, vehicleLabel, vehicleName } from "../../src/fleet/entity-labels.ts";
import { driversIn, groupsIn, placesIn } from "../../src/fleet/fleet-names.ts";
import { FleetView } from "../../src/fleet/fleet-view.ts";
import type { Position } from "../../src/fleet/position.ts";

async function viewOf(positions: readonly Position[]): Promise<FleetView> {
  const view = new FleetView();
  const update = view.update();
  for (const position of positions) update.add(position);
  await update.end();
  return view;
}

const day = (date: number) => `2026-11-${date}T08:00:00`;

describe("the latest record of each vehicle", () => {
  it.each<[string, Position[], number[]]>([
    [
      "is the last one, if it is newer",
      [
        { assetId: "a", date: day(10) },
        { assetId: "a", date: day(11) },
      ],
      [1],
    ],
    [
      "is the first one, if it is newer",
      [
        { assetId: "a", date: day(11) },
        { assetId: "a", date: day(10) },
      ],
      [0],
    ],
    [
      "is the first of two with the same date",
      [
        { assetId: "a", date: day(11) },
        { assetId: "a", date: day(11), speed: 1 },
      ],
      [0],
    ],
    ["is the one with a date", [{ assetId: "a" }, { assetId: "a", date: day(10) }, { assetId: "a" }], [1]],
    [
      "is kept for each vehicle, in order",
      [
        { assetId: "b", date: day(10) },
        { assetId: "a", date: day(11) },
      ],
      [0, 1],
    ],
    ["is every record without an id", [{ assetId: "" }, { assetId: "" }, {}, {}], [0, 1, 2, 3]],
  ])("%s", async (_, positions, kept) => {
    expect((await viewOf(positions)).positions).toEqual(kept.map((at) => positions[at]));
  });
});

const NEW: Position = {
  ...{ assetId: "v1", assetName: "Truck 1", assetVin: "WDB1", assetRegistration: "AB 1", assetGroupId: "g1", assetGroupName: "Lyon" },
  ...{ driverId: "d1", driverName: "Ana Ruiz", driverGroupId: "g2", driverGroupName: "Night", date: day(12) },
  ...{ locationId: "l1", locationName: "North depot" },
};
const OLD: Position = {
  assetId: "v2",
  driverId: "d1",
  driverName: "A. Ruiz",
  date: day(10),
  locationId: "l1",
  locationName: "Depot north",
};
const UNDATED: Position = { assetId: "v3", driverId: "d1", locationName: "Yard" };
const UNNUMBERED: Position = { assetId: "v4", driverName: "Bo Li", assetGroupId: "g2", assetGroupName: "Night shift", locationId: "l2" };
const FLEET = [UNDATED, OLD, NEW, UNNUMBERED];

it("a driver has the name in the latest report, and all vehicles, latest first", async () => {
  const drivers = [
    ["d1", { driverId: "d1", driverName: "Ana Ruiz", vehicles: [NEW, OLD, UNDATED] }],
    ["Bo Li", { driverId: undefined, driverName: "Bo Li", vehicles: [UNNUMBERED] }],
  ];
  const inAnyOrder = [FLEET, [NEW, OLD, UNDATED, UNNUMBERED], [OLD, NEW, UNDATED, UNNUMBERED]];
  for (const positions of inAnyOrder) expect([...(await driversIn(positions))]).toEqual(drivers);
  expect([...(await driversIn([{ assetId: "v5" }]))]).toEqual([]);
});

it("groups are those of vehicles and of drivers, named as the vehicles' group", async () => {
  for (const positions of [FLEET, FLEET.toReversed()])
    expect([...(await groupsIn(positions)).values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
      { id: "g1", name: "Lyon" },
      { id: "g2", name: "Night shift" },
    ]);
  expect([...(await groupsIn([{ driverGroupId: "g3", driverGroupName: "Day" }]))]).toEqual([["g3", { id: "g3", name: "Day" }]]);
  const sometimesNamed = [
    { assetGroupId: "g1", assetGroupName: "Lyon" },
    { assetGroupId: "g1" },
    { driverGroupId: "g1", driverGroupName: "Crew" },
  ];
  for (const positions of [sometimesNamed, sometimesNamed.toReversed()])
    expect([...(await groupsIn(positions)).values()]).toEqual([{ id: "g1", name: "Lyon" }]);
});

it("places are the named locations that vehicles are in", async () => {
  expect([...(await placesIn(FLEET))]).toEqual([
    ["Yard", { id: "Yard", name: "Yard", inside: [UNDATED] }],
    ["l1", { id: "l1", name: "Depot north", inside: [OLD, NEW] }],
  ]);
});

it.each([
  [vehicleLabel(NEW), "Truck 1 (AB 1)"],
  [vehicleLabel({ assetRegistration: "AB 1", assetId: "v1" }), "AB 1 (v1)"],
  [vehicleLabel({ assetName: " ", assetId: "v1" }), "v1"],
  [vehicleLabel({}), "Vehicle without a name"],
  [vehicleName({ assetName: "", assetRegistration: "B KL 12", assetId: "v1" }), "B KL 12"],
  [vehicleName({ assetName: "", assetRegistration: "", assetId: "v1" }), "v1"],
  [vehicleName({ assetId: "" }), "-"],
  [vehicleLabel({ assetName: "Long name" }, 5), "Long…"],
  [vehicleLabel({ assetName: "n".repeat(41) }), `${"n".repeat(39)}…`],
  [vehicleName(NEW), "Truck 1"],
  [vehicleName({ assetRegistration: "AB 1", assetId: "v1" }), "AB 1"],
  [vehicleName({ assetId: "v1" }), "v1"],
  [vehicleName({}), "-"],
  [driverLabel({ driverId: "d1", driverName: "Ana", vehicles: [] }), "Ana (d1)"],
  [driverLabel({ driverId: undefined, driverName: undefined, vehicles: [] }), "Driver without a name"],
  [groupLabel({ id: "g1", name: "Lyon" }), "Lyon (g1)"],
  [groupLabel({ id: "", name: "" }), "Group without a name"],
  [placeLabel({ id: "l1", name: "Yard", inside: [] }), "Yard"],
  [placeLabel({ id: "l1", name: "", inside: [] }), "Location without a name"],
])("the label %j is %j", (label, expected) => expect(label).toBe(expected));
