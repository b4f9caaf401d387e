import { describe, expect, it } from "vitest";
import { vehicleNaming } from "../../src/fleet/fleet-naming.ts";
import type { Position } from "../../src/fleet/position.ts";
import { MAX_NAME_LENGTH, NameIndex } from "../../src/names/name-index.ts";
import { resolveName } from "../../src/names/resolve-name.ts";
import { TimeSlices } from "../../src/runtime/time-slices.ts";

const VEHICLE: Position = {
  assetName: "Magazzino Nord 12",
  assetRegistration: "AB 1234",
  driverName: "Ana Ruiz",
  assetGroupName: "Lyon Vans",
};
const OTHER: Position = { assetName: "Truck 7", assetRegistration: "CD 56", driverName: "Bo Tanaka", assetGroupName: "Lyon Vans" };

function indexOf(...vehicles: Position[]): NameIndex<Position> {
  const index = new NameIndex(vehicleNaming);
  for (const [at, vehicle] of vehicles.entries()) index.set(at, vehicle);
  return index;
}

/** The keys of the vehicles that a query finds. */
async function found(index: NameIndex<Position>, query: string): Promise<unknown[]> {
  const resolution = await resolveName(query, index);
  const values =
    resolution.result === "found"
      ? [resolution.match.value]
      : resolution.result === "ambiguous"
        ? resolution.matches.map(({ value }) => value)
        : [];
  return [...index.keyed()].filter(([, { value }]) => values.includes(value)).map(([key]) => key);
}

const QUERIES = ["magazzino nord 12", "magazzinonord 12", "depot nord 12", "nord depot 12", "magazino 12", "AB 1234", "ana ruiz"];

describe("a vehicle", () => {
  it("is found by its names and codes, until they change", async () => {
    const index = indexOf(VEHICLE, OTHER);
    for (const query of QUERIES) expect(await found(index, query), query).toEqual([0]);
    const changed = { ...VEHICLE, assetName: "Crane", assetRegistration: "EF 78", driverName: "Kim Oh", assetGroupName: "Paris" };
    const entry = index.set(0, changed);
    expect(entry).toBe(index.get(0));
    for (const query of QUERIES) expect(await found(index, query), query).toEqual([]);
    for (const query of ["crane", "EF 78", "kim oh", "paris"]) expect(await found(index, query), query).toEqual([0]);
    expect(await found(index, "lyon vans")).toEqual([1]);
  });

  it("is found until it is deleted, which leaves the others", async () => {
    const index = indexOf(VEHICLE, OTHER, { ...VEHICLE, assetRegistration: "GH 90" });
    index.delete(0);
    index.delete(0);
    for (const query of QUERIES.filter((text) => text !== "AB 1234")) expect(await found(index, query), query).toEqual([2]);
    expect([await found(index, "AB 1234"), await found(index, "GH 90"), await found(index, "lyon vans")]).toEqual([[], [2], [1, 2]]);
    index.delete(2);
    for (const query of QUERIES) expect(await found(index, query), query).toEqual([]);
    expect(["magazzino", "truck", "lyon"].map(index.names.hasWord)).toEqual([false, true, true]);
    expect([index.names.wordsBeginning("mag"), index.names.wordsBeginning("lyo")]).toEqual([[], ["lyon"]]);
  });

  it("keeps its names if only other fields change, and its codes", async () => {
    const index = indexOf(VEHICLE);
    const { names } = index.get(0) ?? {};
    const moved = { ...VEHICLE, city: "Lyon" };
    expect(index.set(0, moved).names).toBe(names);
    expect(index.get(0)?.value).toBe(moved);
    index.set(0, { ...moved, assetRegistration: "ZZ 99" });
    expect([index.get(0)?.names, await found(index, "ZZ 99"), await found(index, "AB 1234")]).toEqual([names, [0], []]);
  });

  it("shares the name of its group with the others, but not its own name", async () => {
    const index = indexOf(VEHICLE, { ...VEHICLE });
    const [[name, driver, group] = [], [otherName, otherDriver, otherGroup] = []] = [...index.entries()].map(({ names }) => names);
    expect([name === otherName, driver === otherDriver, group === otherGroup]).toEqual([false, true, true]);
    expect(group?.entries).toHaveLength(2);
    index.set(1, { ...VEHICLE, assetGroupName: "Paris" });
    expect(group?.entries).toHaveLength(1);
    index.set(0, { ...VEHICLE, assetGroupName: "Paris" });
    index.set(2, { assetGroupName: "Lyon Vans" });
    expect(index.get(2)?.names[0]).not.toBe(group);
    expect(await found(index, "lyon vans")).toEqual([2]);
  });

  it("is found once by a word that several of its names hold", async () => {
    const index = indexOf({ assetName: "Bordeaux van", driverName: "Ana Bordeaux" }, { driverName: "Bo Bordeaux" });
    const entries = await index.entriesWith(["bordeaux"], "same", new TimeSlices());
    expect(entries.map(({ entry }) => entry.value.driverName)).toEqual(["Ana Bordeaux", "Bo Bordeaux"]);
  });

  it("has names of at most a hundred characters, which contain a letter or digit", () => {
    const index = indexOf({ assetName: `${"ab".repeat(MAX_NAME_LENGTH / 2)}cd` }, { assetName: "--" });
    expect([...index.entries()].map(({ names }) => names.map(({ tokens }) => tokens.join(" ")))).toEqual([["ab".repeat(50)], []]);
  });
});

it.each([
  ["ab1234", ["registration"]],
  ["wdb9634031l1234567", ["vin"]],
  ["12", ["id"]],
  ["1234", []],
  ["", []],
])("the codes written %j are %j", (text, codes) => {
  const index = indexOf({ ...VEHICLE, assetId: "12", assetVin: "WDB9634031L1234567" });
  expect(index.codesWritten(text).map(({ by }) => by)).toEqual(codes);
});

it("codes are found by a part of them, unless they match only as a whole", async () => {
  const index = indexOf({ ...VEHICLE, assetId: "id 1234", assetVin: "WDB9634031L1234567" });
  expect((await index.codesContaining("1234", new TimeSlices())).map(({ by }) => by)).toEqual(["vin", "registration"]);
  expect(index.minPartLength).toBe(3);
});
