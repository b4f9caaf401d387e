import { describe, expect, it } from "vitest";
import { vehicleNaming } from "../../src/fleet/fleet-naming.ts";
import type { Position } from "../../src/fleet/position.ts";
import { DRIVERS, GROUPS, type MatchOptions, requireMatch, VEHICLES, VEHICLES_AND_PLACES } from "../../src/lookup/single-match.ts";
import { NameIndex } from "../../src/names/name-index.ts";
import { NameQuestion, type UnresolvedName } from "../../src/names/name-question.ts";

const TRUCK: Position = { assetId: "v1", assetName: "Truck 1", assetRegistration: "AB 1", driverName: "Ana\nRuiz", assetGroupName: "Lyon" };
const TRUCK_2: Position = { assetId: "v2", assetName: "Truck 2", assetRegistration: "" };
const VAN: Position = { assetId: "v3", assetName: "Minivan", assetRegistration: "CD 3" };

const index = new NameIndex(vehicleNaming);
for (const vehicle of [TRUCK, TRUCK_2, VAN]) index.set(vehicle.assetId, vehicle);
const OPTIONS: MatchOptions<Position> = { ...VEHICLES, field: "vehicle", alternative: "Or omit it." };
const RECORD = { assetId: "v1", assetName: "Truck 1", assetRegistration: "AB 1", driverName: "Ana Ruiz" };
const KINDS = { noun: ["vehicle", "vehicles"], distinguishedBy: "registration" };

async function questionFor(query: string, options: Partial<MatchOptions<Position>> = {}): Promise<UnresolvedName | string | undefined> {
  try {
    return (await requireMatch(query, index, { ...OPTIONS, ...options })).value.assetId;
  } catch (error) {
    if (error instanceof NameQuestion) return error.unresolved;
    throw error;
  }
}

describe("a name", () => {
  it("that is certain is returned", async () => {
    expect(await requireMatch("truck 1", index, OPTIONS)).toEqual({ value: TRUCK, matchedBy: "name" });
  });

  it("that fits several vehicles is a question with all of them", async () => {
    expect(await questionFor("truck")).toEqual({
      ...{ result: "ambiguous", field: "vehicle", query: "truck", total: 2, ...KINDS },
      candidates: [
        { label: "Truck 1 (AB 1), driver Ana Ruiz", record: RECORD },
        { label: "Truck 2 (v2)", record: { assetId: "v2", assetName: "Truck 2" } },
      ],
    });
  });

  it("that fits none is a question with the nearest names, and an alternative", async () => {
    expect(await questionFor("truck 3")).toMatchObject({
      ...{ result: "notFound", field: "vehicle", query: "truck 3", ...KINDS, alternative: "Or omit it." },
      candidates: [{ record: RECORD }, { record: { assetId: "v2" } }],
    });
  });

  it.each([
    ["minivan", "v3"],
    ["CD 3", "v3"],
    ["minvan", { result: "notFound", query: "minvan", candidates: [{ record: { assetId: "v3" } }], alternative: "Or omit it." }],
    ["Lyon", { result: "notFound", candidates: [{ record: RECORD }] }],
  ])("for a write, %j must be exact", async (query, expected) => {
    const asked = await questionFor(query, { exactOnly: true });
    if (typeof expected === "string") expect(asked).toBe(expected);
    else expect(asked).toMatchObject(expected);
  });

  it.each([
    ["minvan", "v3"],
    ["Lyon", "v1"],
  ])("for a read, %j may be loose", async (query, id) => expect(await questionFor(query)).toBe(id));
});

const DRIVER = { driverId: "d1", driverName: "Ana Ruiz", vehicles: [] };
const PLACE = { id: "l1", name: "Yard", inside: [] };

it.each([
  ["driver", DRIVERS, DRIVER, "Ana Ruiz (d1)", { driverId: "d1", driverName: "Ana Ruiz" }],
  ["driver", DRIVERS, { ...DRIVER, driverName: undefined }, "d1", { driverId: "d1" }],
  ["group", GROUPS, { id: "g1", name: "n".repeat(50) }, `${"n".repeat(39)}… (g1)`, { id: "g1", name: `${"n".repeat(39)}…` }],
  ["vehicle, driver or location", VEHICLES_AND_PLACES, PLACE, "Yard", { locationName: "Yard" }],
  ["vehicle, driver or location", VEHICLES_AND_PLACES, TRUCK, "Truck 1 (AB 1), driver Ana Ruiz", RECORD],
])("a %s is presented as %#", (noun, kind, value, label, record) => {
  expect(kind.noun[0]).toBe(noun);
  expect(kind.labelOf(value as never)).toBe(label);
  expect(kind.recordOf(value as never)).toEqual(record);
});

it.each([
  [DRIVERS, "drivers", "full name or id"],
  [GROUPS, "groups", "full name or id"],
  [VEHICLES_AND_PLACES, "vehicles, drivers and locations", "full name or registration"],
])("entities are told apart: %#", ({ noun, distinguishedBy }, many, by) => {
  expect([noun[1], distinguishedBy]).toEqual([many, by]);
});
