import { describe, expect, it } from "vitest";
import type { Position } from "../../src/fleet/position.ts";
import { bearingDegrees, distanceKm, middleOf, type Point, pointOf } from "../../src/places/geography.ts";
import { type NearestQuery, vehiclesWithDistance } from "../../src/tools/nearest-vehicles.ts";

const at = (latitude: number, longitude: number): Point => ({ latitude, longitude });
const LYON = at(45.76, 4.835);
const PARIS = at(48.857, 2.352);
const SYDNEY = at(-33.869, 151.209);

it.each([
  ["the same place", LYON, LYON, 0, 0],
  ["a degree north", at(0, 0), at(1, 0), 111.195, 0],
  ["a degree south", at(10, 20), at(9, 20), 111.195, 180],
  ["a degree east at the equator", at(0, 0), at(0, 1), 111.195, 90],
  ["a degree west at 60°", at(60, 10), at(60, 9), 55.596, 270.433],
  ["Lyon to Paris", LYON, PARIS, 391.91, 332.38],
  ["Paris to Lyon", PARIS, LYON, 391.91, 150.55],
  ["Paris to Sydney", PARIS, SYDNEY, 16_960.5, 68.58],
  ["across the date line", at(0, 179.5), at(0, -179.5), 111.195, 90],
  ["from pole to pole", at(90, 0), at(-90, 0), 20_015.115, 180],
])("%s: %j to %j is %d km, bearing %d°", (_, from, to, km, bearing) => {
  expect(distanceKm(from, to)).toBeCloseTo(km, km > 10_000 ? 0 : 2);
  expect(bearingDegrees(from, to)).toBeCloseTo(bearing, 1);
});

it.each([
  ["two points", [at(10, 20), at(12, 30)], at(11, 25)],
  ["three points", [at(0, 0), at(3, 3), at(0, 0)], at(1, 1)],
  ["across the date line", [at(0, 179), at(2, -179.5)], at(1, 179.75)],
  ["across the date line, to the west", [at(0, -179), at(2, 178)], at(1, 179.5)],
  ["one point", [at(-5, -170)], at(-5, -170)],
  ["no points", [], undefined],
])("the center of %s %j is %j", (_, points, middle) => {
  const found = middleOf(points);
  if (!middle) return expect(found).toBeUndefined();
  expect(found?.latitude).toBeCloseTo(middle.latitude, 9);
  expect(found?.longitude).toBeCloseTo(middle.longitude, 9);
});

it.each([
  [
    { latitude: 0, longitude: 0 },
    { latitude: 0, longitude: 0 },
  ],
  [{ latitude: 1 }, undefined],
  [{ longitude: 1 }, undefined],
])("a record with %j is at %j", (record, point) => expect(pointOf(record)).toEqual(point));

describe("the nearest vehicles", () => {
  const place = (latitude: number, more: Position = {}): Position => ({ latitude, longitude: 0, ...more });
  const FLEET: Position[] = [
    place(3, { assetId: "c", city: "Lyon", eventType: "driving" }),
    place(-1, { assetId: "a", speed: 0 }),
    place(2, { assetId: "b", city: "Lyon", speed: 0.5 }),
    { assetId: "u", eventType: "stationary" },
    { assetId: "p", privacy: true },
    { assetId: "w", city: "Lyon", latitude: 1 },
  ];
  const isLyon = ({ city }: Position) => city === "Lyon";

  it.each<[string, Omit<NearestQuery, "from">, string[], [hidden: number, unlocated: number]]>([
    ["all", {}, ["a", "b", "c"], [1, 2]],
    ["all but one", { except: "b" }, ["a", "c"], [1, 2]],
    ["of a kind", { includes: ({ speed = 0, eventType }) => speed > 0 || eventType === "driving" }, ["b", "c"], [0, 0]],
    ["in a place, which says nothing of private journeys", { isThere: isLyon }, ["b", "c"], [1, 1]],
    ["within a distance", { withinKm: 230 }, ["a", "b"], [1, 2]],
  ])("%s: %j", async (_, query, ids, [hidden, unlocated]) => {
    const found = await vehiclesWithDistance(FLEET, { from: at(0, 0), ...query });
    expect(found.near.toSorted((a, b) => a.km - b.km).map(({ position }) => position.assetId)).toEqual(ids);
    expect([found.hidden, found.unlocated]).toEqual([hidden, unlocated]);
  });

  it("are listed with their distance", async () => {
    const { near } = await vehiclesWithDistance([at(1, 0), at(1, 1)], { from: at(0, 0) });
    expect(near.map(({ km }) => Math.round(km))).toEqual([111, 157]);
  });
});
