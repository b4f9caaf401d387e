import { FleetError } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import { readConditions, Where, type WrittenCondition, withoutFlags } from "../../src/query/read-conditions.ts";

/** Conditions as field, operator and values: `city = Lyon / Paris`. */
const written = (conditions: readonly WrittenCondition[]) =>
  conditions.map(({ field, operator, wanted }) => `${field} ${operator} ${wanted.join(" / ")}`).join("; ");

const read = (where: Parameters<typeof readConditions>[0]) => written(readConditions(where));

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
    ["city=Lyon OR Paris || Lille", "city = Lyon / Paris / Lille"],
    ["city=Lyon or city=Paris | city = 'Lille', speed>5", "city = Lyon / Paris / Lille; speed > 5"],
    ["city=Lyon || city=Paris", "city = Lyon / Paris"],
    ["not city=Lyon, NOT name:x and !size==L", "city != Lyon; name != x; size != L"],
    ["moving and city=Lyon", "moving = true; city = Lyon"],
    ["moving and not city=Lyon AND speed>5", "moving = true; city != Lyon; speed > 5"],
    ["notes=Lyon, nothing=5", "notes = Lyon; nothing = 5"],
    ["city=Lyon && speed>5 && <9", "city = Lyon; speed > 5; speed < 9"],
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
    ["speed>5, moving", "speed > 5; moving = true"],
    ["speed>5; not moving and charging", "speed > 5; moving = false; charging = true"],
    ["speed>80 and <=86, moving", "speed > 80; speed <= 86; moving = true"],
    ["odometer>100,000", "odometer > 100,000"],
    ["speed>5, city=Lyon", "speed > 5; city = Lyon"],
    [["speed>80", "city=Lyon, moving"], "speed > 80; city = Lyon, moving"],
    [[], ""],
    [undefined, ""],
  ])("%j are read as %j", (where, expected) => expect(read(where)).toBe(expected));

  it("of an object are equalities", () => {
    expect(readConditions({ city: ["Lyon", "Paris"], moving: true, speed: 80 })).toEqual([
      { field: "city", operator: "=", wanted: ["Lyon", "Paris"] },
      { field: "moving", operator: "=", wanted: ["true"] },
      { field: "speed", operator: "=", wanted: ["80"] },
    ]);
  });

  it.each([
    [{ speed: ">80" }, "speed > 80"],
    [{ speed: ">= 80, moving" }, "speed >= 80; moving = true"],
    [{ city: "!=Lyon" }, "city != Lyon"],
    [{ city: "<>Lyon|Paris" }, "city != Lyon / Paris"],
    [{ city: "==Lyon" }, "city = Lyon"],
    [{ city: [">Lyon"] }, "city > Lyon"],
    [{ "speed>": 80, "city!": ["Lyon", "Paris"], "size=": "L" }, "speed > 80; city != Lyon / Paris; size = L"],
  ])("of an object may have an operator: %j is read as %j", (where, expected) => expect(read(where)).toBe(expected));

  it.each([
    ["city=Lyon, moving", "city = Lyon; moving = true"],
    ["city=Lyon|Paris and not moving", "city = Lyon / Paris; moving = false"],
    ["city=Lyon, moving, charging", "city = Lyon; moving = true; charging = true"],
    ["city='Lyon, France', moving", "city = Lyon, France; moving = true"],
    ["city=Lyon && moving", "city = Lyon; moving = true"],
    ["city=Lyon, France", "city = Lyon, France"],
    ["city=Lyon ,  no   moving", "city = Lyon; moving = false"],
    [{ city: "Lyon,\nmoving" }, "city = Lyon; moving = true"],
    [{ city: [1, "Lyon & moving"] }, "city = 1 / Lyon; moving = true"],
    [{ city: ", moving" }, "city = , moving"],
    [{ city: "Lyon, moving," }, "city = Lyon, moving,"],
    ["city=moving", "city = moving"],
  ])("%j, of which moving and charging are fields, are read as %j", (where, expected) => {
    const isField = (name: string) => ["city", "moving", "charging"].includes(name);
    expect(written(withoutFlags(readConditions(where), isField))).toBe(expected);
  });

  it.each(["12", "moving, ?", "not speed>5", "not city!=Lyon", "(speed)", "speed>5, 6", { city: ["Lyon", "!=Paris"] }])(
    "%j are rejected",
    (where) => {
      expect(() => readConditions(where)).toThrow(FleetError);
      expect(() => readConditions(where)).toThrow(/^where: not understood: "/);
    },
  );

  it.each([
    "speed>80 or fuel<20",
    "speed<5 or speed>80",
    "city!=Lyon || city!=Paris",
    "city=Lyon|moving=true",
    "city=Lyon or not city=Paris",
    "moving or city=Lyon",
  ])("%j are rejected, since all conditions must hold", (where) =>
    expect(() => readConditions(where)).toThrow(/^where: not understood: "/),
  );
});

it("runs of spaces take no longer than other text", () => {
  const timeOf = (where: Parameters<typeof readConditions>[0]) => {
    const start = performance.now();
    try {
      withoutFlags(readConditions(where), (name) => name === "moving");
    } catch (error) {
      expect(error).toBeInstanceOf(FleetError);
    }
    return performance.now() - start;
  };
  const shapes = [
    (text: string) => ({ city: `x,${text},` }),
    (text: string) => `city=x${text}?`,
    (text: string) => `${"and ".repeat(300)}${text}`,
  ];
  // With an expression that takes time with the cube of the length, the ratio is some thousands.
  for (const shape of shapes) expect(timeOf(shape(" ".repeat(2_500))) / (timeOf(shape("x".repeat(2_500))) + 1)).toBeLessThan(100);
});

it("twenty conditions are accepted, flags after values included", () => {
  const split = (flags: number) => withoutFlags(readConditions(`speed>80${", moving".repeat(flags)}`), (field) => field === "moving");
  expect(split(19)).toHaveLength(20);
  expect(() => split(20)).toThrow("where: 21 conditions exceed the limit of 20");
});

it.each([
  ["speed>80", true],
  ["x", true],
  ["", false],
  [["speed>80", "moving"], true],
  [["speed>80", ""], false],
  [["speed>80", 80], false],
  [{ speed: 80, city: "Lyon", moving: true, tags: ["a", 1, false] }, true],
  [{ speed: null }, false],
  [{ speed: { above: 80 } }, false],
  [80, false],
])("%j is accepted: %j", (where, isAccepted) => expect(Where.safeParse(where).success).toBe(isAccepted));
