import { fieldMetadata, type Operation } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { Privacy } from "../../src/fleet/privacy.ts";
import { Pseudonyms } from "../../src/fleet/pseudonyms.ts";

const person = () => z.string().register(fieldMetadata, { holds: "person" });
const title = () => z.string().register(fieldMetadata, { holds: "text" });
const place = () => z.string().register(fieldMetadata, { holds: "place", withheld: true });
const flag = (guard = true) => z.boolean().register(fieldMetadata, { holds: "flag", guard });

const pseudonyms = () => new Pseudonyms("k".repeat(44));
const ANA = pseudonyms().of("Ana Ruiz");
const BO = pseudonyms().of("Bo Tanaka");

const privacyOf = (privacy: "on" | "off", driverNames: "show" | "hide") => new Privacy({ privacy, driverNames }, pseudonyms());

it.each([
  ["show", false],
  ["hide", true],
] as const)("with FLEET_DRIVER_NAMES=%s, names are hidden: %j", (driverNames, expected) => {
  expect(privacyOf("on", driverNames).hidesNames).toBe(expected);
});

describe("a mask", () => {
  const Named = z.object({ driverName: person() });
  const Placed = z.object({ at: place() });
  const Noted = z.object({ note: z.string() });

  it.each<[string, z.ZodType, "on" | "off", "show" | "hide", { isNoop: boolean; needsNames: boolean }]>([
    ["names", Named, "on", "hide", { isNoop: false, needsNames: false }],
    ["names", Named, "on", "show", { isNoop: true, needsNames: false }],
    ["undocumented text", Noted, "off", "hide", { isNoop: false, needsNames: true }],
    ["undocumented text", Noted, "off", "show", { isNoop: true, needsNames: false }],
    ["places", Placed, "on", "show", { isNoop: false, needsNames: false }],
    ["places", Placed, "off", "show", { isNoop: true, needsNames: false }],
    ["numbers", z.number(), "on", "hide", { isNoop: true, needsNames: false }],
  ])("of %s (%#)", (_, schema, privacy, driverNames, expected) => {
    const { isNoop, needsNames } = privacyOf(privacy, driverNames).maskOf(schema);
    expect({ isNoop, needsNames }).toEqual(expected);
  });

  it("is compiled once per schema", () => {
    const privacy = privacyOf("on", "hide");
    expect(privacy.maskOf(Named)).toBe(privacy.maskOf(Named));
    expect(privacy.maskOf(Named)).not.toBe(privacy.maskOf(Placed));
  });
});

describe("on a private journey", () => {
  const masked = (schema: z.ZodType, value: unknown, driverNames: "show" | "hide" = "show") =>
    privacyOf("on", driverNames).maskOf(schema).apply(value);

  it.each<[boolean, unknown, boolean]>([
    [true, true, true],
    [true, false, false],
    [true, undefined, false],
    [true, null, false],
    [true, "false", true],
    [true, 0, true],
    [false, false, true],
    [false, true, false],
    [false, undefined, false],
    [false, null, false],
    [false, "true", true],
  ])("a flag that marks one by %j: given %j, private is %j", (guard, mark, isPrivate) => {
    const schema = z.object({ mark: flag(guard), at: place() });
    expect(masked(schema, { mark, at: "Lyon" })).toEqual(isPrivate ? { mark } : { mark, at: "Lyon" });
  });

  const Stop = z.object({ id: title(), at: place() });
  const Journey = z.object({
    isPrivate: flag(),
    alsoPrivate: flag().optional(),
    at: place(),
    stops: z.array(Stop).optional(),
    byDay: z.record(z.string(), Stop).optional(),
    first: z.tuple([Stop]).optional(),
    any: z.unknown(),
    inner: z.union([Stop, z.object({ note: title() })]).optional(),
  });
  const STOP = { id: "s1", at: "Lyon", near: "Lyon" };

  it.each<[string, object, object]>([
    ["its places", { at: "Lyon" }, {}],
    ["undocumented fields", { near: "Lyon", more: { near: "Lyon" } }, {}],
    ["those in a list", { stops: [STOP, STOP] }, { stops: [{ id: "s1" }, { id: "s1" }] }],
    ["those in a map, whose keys stay", { byDay: { monday: STOP } }, { byDay: { monday: { id: "s1" } } }],
    ["those in a pair", { first: [STOP] }, { first: [{ id: "s1" }] }],
    [
      "those in one of several shapes, but no field that any of them has",
      { inner: { ...STOP, note: "late" } },
      { inner: { id: "s1", note: "late" } },
    ],
    ["nothing of a documented field of any content", { any: { a: 1 } }, { any: { a: 1 } }],
  ])("withholds %s", (_, given, shown) => {
    expect(masked(Journey, { isPrivate: true, ...given })).toEqual({ isPrivate: true, ...shown });
    expect(masked(Journey, { isPrivate: false, alsoPrivate: true, ...given })).toEqual({ isPrivate: false, alsoPrivate: true, ...shown });
    expect(masked(z.array(Journey), [{ isPrivate: true, ...given }])).toEqual([{ isPrivate: true, ...shown }]);
    const journey = { isPrivate: false, ...given };
    expect(masked(Journey, journey)).toBe(journey);
  });

  it("a record inside is private even if its own flag says otherwise", () => {
    const Outer = z.object({ isPrivate: flag(), inner: Journey });
    expect(masked(Outer, { isPrivate: true, inner: { isPrivate: false, at: "Lyon" } })).toEqual({
      isPrivate: true,
      inner: { isPrivate: false },
    });
  });

  it("names are hidden too, and undocumented fields dropped whatever else the record may be", () => {
    const Inner = z.union([person(), z.unknown(), Stop]);
    const schema = z.object({
      isPrivate: flag(),
      driverName: person(),
      at: place(),
      byWhom: z.record(z.string(), z.number()),
      inner: Inner,
    });
    const given = { isPrivate: true, driverName: "Ana Ruiz", at: "Lyon", byWhom: { "Ana Ruiz": 1 }, near: "Lyon", inner: STOP };
    expect(masked(schema, given, "hide")).toEqual({ isPrivate: true, driverName: ANA, byWhom: { [ANA]: 1 }, inner: { id: "s1" } });
  });

  it("values that do not match their schema are shown as they are if names are shown", () => {
    const given = { isPrivate: false, stops: { driver: "Bo Tanaka" } };
    expect(masked(Journey, given)).toBe(given);
  });
});

describe("if names are hidden", () => {
  const Driven = z.object({
    driverName: person(),
    crew: z.array(person()).optional(),
    title: title().optional(),
    hours: z.record(z.string(), z.number()).optional(),
    whom: z.union([person(), z.array(person())]).optional(),
    note: z.string().optional(),
    driver: z.object({ name: z.string(), driverName: person().optional() }).optional(),
    count: z.number().optional(),
    driverNameHints: z.array(title()).optional(),
    truck: z.object({ name: z.string() }).optional(),
  });

  it.each<[string, object, object]>([
    ["a name", {}, {}],
    ["names in a list", { crew: ["Ana Ruiz", "Bo Tanaka"] }, { crew: [ANA, BO] }],
    ["a blank name stays", { crew: [" ", ""] }, { crew: [" ", ""] }],
    ["a known name in a documented text", { title: "ana ruiz" }, { title: ANA }],
    ["another documented text stays", { title: "Bo Tanaka" }, { title: "Bo Tanaka" }],
    ["a known name as the key of a map", { hours: { "Ana Ruiz": 7, "Bo Tanaka": 1 } }, { hours: { [ANA]: 7, "Bo Tanaka": 1 } }],
    ["a documented text stays, whatever its field is called", { driverNameHints: ["Bo Tanaka"] }, { driverNameHints: ["Bo Tanaka"] }],
    ["the name of something else stays", { truck: { name: "Bo Tanaka" } }, { truck: { name: "Bo Tanaka" } }],
    ["one of several shapes", { whom: "Bo Tanaka" }, { whom: BO }],
    ["the other of several shapes", { whom: ["Bo Tanaka"] }, { whom: [BO] }],
    ["a known name in a text without metadata", { note: "Ana Ruiz" }, { note: ANA }],
    ["the name in a record about a driver", { driver: { name: "Bo Tanaka" } }, { driver: { name: BO } }],
    ["a known name in an undocumented field", { more: ["Ana Ruiz", { "Ana Ruiz": 1 }] }, { more: [ANA, { [ANA]: 1 }] }],
    ["a known name as an undocumented field", { "Ana Ruiz": true }, { [ANA]: true }],
    ["a name in an undocumented field of drivers", { drivers: "Bo Tanaka" }, { drivers: BO }],
    // Values that do not match their schema are searched like undocumented ones.
    ["a record instead of text", { title: { driver: "Bo Tanaka" } }, { title: { driver: BO } }],
    ["text instead of a list", { crew: "Ana Ruiz" }, { crew: ANA }],
    ["text instead of a record", { driver: "Bo Tanaka" }, { driver: BO }],
    ["a list instead of a map", { hours: ["Ana Ruiz"] }, { hours: [ANA] }],
    ["a number instead of text", { title: 7 }, { title: 7 }],
    ["nothing instead of text", { title: null }, { title: null }],
  ])("%s", (_, given, shown) => {
    const { apply } = privacyOf("on", "hide").maskOf(Driven);
    expect(apply({ ...given, driverName: "Ana Ruiz" })).toEqual({ ...shown, driverName: ANA });
  });

  it("fields keep their names and their order", () => {
    const { apply } = privacyOf("on", "hide").maskOf(Driven);
    const masked = apply({ driverName: "title", title: "late", crew: ["Ana Ruiz"], count: 1 });
    expect(Object.entries(masked)).toEqual([
      ["driverName", pseudonyms().of("title")],
      ["title", "late"],
      ["crew", [ANA]],
      ["count", 1],
    ]);
  });

  it("a record that repeats a request keeps the fields as sent, but not a name that the service adds", () => {
    const input = z.object({ driverName: person(), note: title() });
    const [operation, privacy] = [{ input } as unknown as Operation, privacyOf("on", "hide")];
    const record = { driverName: ANA, note: ANA, id: "1" };
    expect(privacy.withSent(operation, record, { note: "Ana Ruiz" })).toEqual(record);
    privacy.maskOf(Driven).learn({ driverName: "Ana Ruiz" });
    expect(privacy.withSent(operation, record, { note: "Ana Ruiz" })).toEqual({ ...record, note: "Ana Ruiz" });
  });

  it("a value without names is returned as it is, and shared parts of others are not copied", () => {
    const { apply } = privacyOf("on", "hide").maskOf(z.array(Driven));
    const plain = { driverName: "", title: "Truck", crew: [""], hours: { a: 1 }, more: 1 };
    const given = [plain, { driverName: "Ana Ruiz" }];
    const before = structuredClone(given);
    const masked = apply(given);
    expect([masked, masked[0] === plain, given]).toEqual([[plain, { driverName: ANA }], true, before]);
    const unnamed = [plain];
    expect(apply(unnamed)).toBe(unnamed);
  });

  it("a name is recognized in whatever was learned from earlier, including values that are not shown yet", () => {
    const learned = (value: unknown) => {
      const privacy = privacyOf("on", "hide");
      privacy.maskOf(Driven).learn(value);
      return privacy.text("Bo Tanaka is off duty");
    };
    for (const value of [
      { driverName: "Bo Tanaka" },
      { crew: ["Bo Tanaka"] },
      { whom: ["Bo Tanaka"] },
      { more: { driverName: "Bo Tanaka" } },
    ])
      expect(learned(value)).toBe(`${BO} is off duty`);
    for (const value of [{ title: "Bo Tanaka" }, { note: "Bo Tanaka" }, { driverName: 7 }, { crew: 7 }, { crew: "Bo Tanaka" }, null])
      expect(learned(value)).toBe("Bo Tanaka is off duty");
  });

  it.each([
    ["in an undocumented field", z.object({}), true],
    ["in a field documented as something else", z.object({ driverName: title() }), false],
  ])("a name %s is learned: %j", (_, schema, isLearned) => {
    const privacy = privacyOf("on", "hide");
    privacy.maskOf(schema).learn({ driverName: "Bo Tanaka" });
    expect(privacy.text("Bo Tanaka")).toBe(isLearned ? BO : "Bo Tanaka");
  });

  it("nothing is learned if names are shown", () => {
    const privacy = privacyOf("on", "show");
    expect(privacy.maskOf(Driven).apply({ driverName: "Bo Tanaka", note: "Bo Tanaka" })).toEqual({
      driverName: "Bo Tanaka",
      note: "Bo Tanaka",
    });
    expect(privacy.text("Bo Tanaka is off duty")).toBe("Bo Tanaka is off duty");
  });
});
