import { expect, it } from "vitest";
import type { Position } from "../../src/fleet/position.ts";
import { kindsIn, labelsMeaning, vehicleKind } from "../../src/lookup/vehicle-kind.ts";

const FLEET: Position[] = [
  { assetType: "TRUCK", energyType: "ICE", fuelType: ["DIESEL"] },
  { assetType: "TRUCK", energyType: "EV" },
  { assetType: "Van", energyType: "ev" },
  { assetType: "VAN", energyType: "ICE", fuelType: ["PETROL", "lpg"] },
  { assetType: "CAR", energyType: "PHEV", fuelType: ["petrol"] },
  { assetType: "SEMI_TRAILER" },
  { energyType: "LNG" },
  { assetType: "CAR", energyType: "HEV" },
  { assetType: "CAR", energyType: "FECV" },
  {},
];

it.each([
  ["van", "2 3"],
  ["furgoni", "2 3"],
  ["the trucks", "0 1"],
  ["LKW", "0 1"],
  ["electric", "1 2"],
  ["EV", "1 2"],
  ["elektrisch", "1 2"],
  ["electric trucks", "1"],
  ["evan", "2"],
  ["etruck", "1"],
  ["plugin", "4"],
  ["hybrid cars", "4 7"],
  ["hydrogen", "8"],
  ["gas", "6"],
  ["LNG", "6"],
  ["diesel", "0"],
  ["Benzin", "3 4"],
  ["petrol vans", "3"],
  ["semi trailer", "5"],
  ["semi_trailer", "5"],
  ["ICE", "0 3"],
  ["bus", ""],
  ["", ""],
  ["the", ""],
])("%j is the kind of the vehicles %j", (text, expected) => {
  const isKind = vehicleKind(text);
  // The second time from the cache.
  for (const _ of [1, 2]) expect(FLEET.flatMap((position, at) => (isKind(position) ? [at] : [])).join(" ")).toBe(expected);
});

it.each([
  ["electric", ["ICE", "ev", "EV"], ["ev", "EV"]],
  ["hybrid", ["HEV", "PHEV", "EV"], ["HEV", "PHEV"]],
  ["Diesel", ["DIESEL", "PETROL"], ["DIESEL"]],
  ["lkw", ["TRUCK", "VAN", "Lorry"], ["TRUCK", "Lorry"]],
  ["electric truck", ["TRUCK", "EV"], []],
  ["bus", ["TRUCK"], []],
])("%j, of %j, means %j", (text, labels, expected) => expect(labelsMeaning(text, labels)).toEqual(expected));

it("kinds are counted, most frequent first, and at most eight are named", () => {
  expect(kindsIn(FLEET)).toBe(
    "types: CAR 3, TRUCK 2, Van 1, VAN 1, SEMI_TRAILER 1; energy: ICE 2, EV 1, ev 1, PHEV 1, LNG 1, HEV 1, FECV 1",
  );
  expect(kindsIn([])).toBe("types: none; energy: none");
  expect(kindsIn([..."abcdefghi"].map((assetType) => ({ assetType })))).toBe("types: a 1, b 1, c 1, d 1, e 1, f 1, g 1, h 1; energy: none");
  expect(kindsIn([{ energyType: "x".repeat(30) }])).toBe(`types: none; energy: ${"x".repeat(23)}… 1`);
});
