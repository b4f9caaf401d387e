import { FleetError } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import { readConditions, Where } from "../../src/rows/read-conditions.ts";

/** Conditions as field, operator and values: `city = Lyon / Paris`. */
const read = (where: Parameters<typeof readConditions>[0]) =>
  readConditions(where)
    .map(({ field, operator, wanted }) => `${field} ${operator} ${wanted.join(" / ")}`)
    .join("; ");

describe("conditions", () => {
  it.each([
    ["speed>80", "speed > 80"],
    ["speed >= 80, city = Lyon", "speed >= 80; city = Lyon"],
    ["speed<80;city!=Lyon", "speed < 80; city != Lyon"],
    ["speed<=80 & city<>Lyon", "speed <= 80; city != Lyon"],
    ["speed == 80 and city ~ Lyon", "speed = 80; city = Lyon"],
    ["speed: 80 AND city:Lyon", "speed = 80; city = Lyon"],
    ["city=Lyon|Paris", "city = Lyon / Paris"],
    ["city=Lyon or Saint-Étienne | Paris", "city = Lyon / Saint-Étienne / Paris"],
    ["city='Lyon'", "city = Lyon"],
    ['city="Lyon, France"', "city = Lyon, France"],
    ["city='Lyon\"", "city = 'Lyon\""],
    ["city=Lyon, France", "city = Lyon, France"],
    ["city=", "city = "],
    ["city=Lyon;, ", "city = Lyon"],
    ["vehicle.id=7", "vehicle.id = 7"],
    ["fuel level>5", "fuel level > 5"],
    ["fuel-level_2>5", "fuel-level_2 > 5"],
    ["größe=L", "größe = L"],
    ["brand=Ford", "brand = Ford"],
    ["moving", "moving = true"],
    ["not moving", "moving = false"],
    ["no driver", "driver = false"],
    ["!moving", "moving = false"],
    ["moving and not charging, speed>5", "moving = true; charging = false; speed > 5"],
    ["notes", "notes = true"],
    [undefined, ""],
  ])("%j are read as %j", (where, expected) => expect(read(where)).toBe(expected));

  it("of an object are equalities", () => {
    expect(readConditions({ city: ["Lyon", "Paris"], moving: true, speed: 80 })).toEqual([
      { field: "city", operator: "=", wanted: ["Lyon", "Paris"] },
      { field: "moving", operator: "=", wanted: ["true"] },
      { field: "speed", operator: "=", wanted: ["80"] },
    ]);
  });

  it.each(["12", "moving, ?", "(speed)"])("%j are rejected", (where) => {
    expect(() => readConditions(where)).toThrow(FleetError);
    expect(() => readConditions(where)).toThrow(/^where: not understood: "/);
  });
});

it.each([
  ["speed>80", true],
  ["", false],
  [{ speed: 80, city: "Lyon", moving: true, tags: ["a", 1, false] }, true],
  [{ speed: null }, false],
  [{ speed: { above: 80 } }, false],
  [80, false],
])("%j is accepted: %j", (where, isAccepted) => expect(Where.safeParse(where).success).toBe(isAccepted));
