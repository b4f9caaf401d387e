import { describe, expect, it } from "vitest";
import { Pseudonyms } from "../../src/fleet/pseudonyms.ts";
import { hideUndocumented, isOfDriver, learnUndocumented } from "../../src/fleet/undocumented-fields.ts";

const pseudonyms = new Pseudonyms("k".repeat(44));
pseudonyms.learn("Ana Ruiz");
const ANA = pseudonyms.of("Ana Ruiz");
const BO = pseudonyms.of("Bo Tanaka");

it.each([
  ["driver", {}, true],
  ["coPerson", {}, true],
  ["driverGroup", {}, false],
  ["vehicle", {}, false],
  ["vehicle", { driverId: "d1" }, true],
  ["crew", { personNumber: 7 }, true],
  ["crew", { driver_key: "k" }, true],
  ["crew", { driverIdentity: "x" }, false],
])("a record in %j with %j is about a person: %j", (field, record, isPerson) => expect(isOfDriver(field, record)).toBe(isPerson));

describe("names are hidden", () => {
  it.each([
    ["driverName", "Bo Tanaka", BO],
    ["nameOfPerson", "Bo Tanaka", BO],
    ["drivers", ["Bo Tanaka", "Ana Ruiz"], [BO, ANA]],
    ["driverGroupName", "Bo Tanaka", "Bo Tanaka"],
    ["driver", { name: "Bo Tanaka", city: "Lyon" }, { name: BO, city: "Lyon" }],
    ["driver", { fullName: "Bo Tanaka", nickname: "Bo" }, { fullName: BO, nickname: "Bo" }],
    ["crew", [{ driverId: "d1", last_name: "Bo Tanaka" }], [{ driverId: "d1", last_name: BO }]],
    ["vehicle", { name: "Bo Tanaka" }, { name: "Bo Tanaka" }],
    ["driver", { truck: { name: "Bo Tanaka" } }, { truck: { name: "Bo Tanaka" } }],
    // A known name is hidden wherever it is.
    ["note", "ana ruiz", ANA],
    ["note", "see Ana Ruiz", "see Ana Ruiz"],
    ["hours", { "Ana Ruiz": 7 }, { [ANA]: 7 }],
    ["driverName", " ", " "],
    ["driverName", 7, 7],
    ["driverName", null, null],
  ])("in %s: %j", (field, value, expected) => expect(hideUndocumented(value, { field }, pseudonyms)).toEqual(expected));

  it("in the fields of a record about a person", () => {
    expect(hideUndocumented("Bo Tanaka", { field: "name", ofDriver: true }, pseudonyms)).toBe(BO);
    expect(hideUndocumented("Bo Tanaka", { field: "name" }, pseudonyms)).toBe("Bo Tanaka");
  });

  it("by dropping what is nested more than a hundred deep", () => {
    const nested = (depth: number): unknown => (depth === 0 ? [] : [nested(depth - 1)]);
    expect(hideUndocumented(nested(99), { field: "note" }, pseudonyms)).toEqual(nested(99));
    expect(JSON.stringify(hideUndocumented(nested(100), { field: "note" }, pseudonyms))).toBe(`${"[".repeat(100)}null${"]".repeat(100)}`);
  });
});

it("names are learned from the fields that hold one in every documented record", () => {
  const learned = new Pseudonyms("k".repeat(44));
  learnUndocumented([{ driverName: "Kim Oh", name: "Truck 1", note: "Bo Tanaka" }], { field: "" }, learned);
  expect([learned.ofKnown("kim oh"), learned.ofKnown("Truck 1"), learned.ofKnown("Bo Tanaka")]).toEqual([
    learned.of("Kim Oh"),
    undefined,
    undefined,
  ]);
});
