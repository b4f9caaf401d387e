import { fieldMetadata } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { compilePlan, holdsUndocumented, type Plan } from "../../src/fleet/masking-plan.ts";

const person = () => z.string().register(fieldMetadata, { holds: "person" });
const title = () => z.string().register(fieldMetadata, { holds: "text" });
const place = () => z.string().register(fieldMetadata, { holds: "place", withheld: true });
const flag = () => z.boolean().register(fieldMetadata, { holds: "flag", guard: true });

/** A plan in short: what happens to each value, and in records, which fields are guards, withheld and visited. */
function brief(plan: Plan): unknown {
  switch (plan.kind) {
    case "text":
      return plan.isPerson ? "person" : "text";
    case "list":
      return [brief(plan.item)];
    case "oneOf":
      return { oneOf: plan.options.map(brief) };
    case "record": {
      const { fields, others, isMap, guards, withheld, inner } = plan;
      const all = Object.fromEntries([...fields].map(([name, field]) => [name, brief(field)]));
      return { ...(isMap ? { map: brief(others) } : { all, others: brief(others) }), guards, withheld: Object.keys(withheld), inner };
    }
    default:
      return plan.kind;
  }
}

const NOTHING_ELSE = { others: "undocumented", guards: [], withheld: [], inner: undefined };

describe("if names are hidden", () => {
  const planOf = (schema: z.ZodType) => brief(compilePlan(schema, { withholds: false, hidesNames: true }));
  const mapOf = (map: unknown) => ({ map, guards: [], withheld: [], inner: undefined });

  it.each<[string, z.ZodType, unknown]>([
    ["a name", person(), "person"],
    ["a name that may be absent", person().nullish(), "person"],
    ["a documented text", title(), "text"],
    ["a documented choice", z.enum(["a"]).register(fieldMetadata, { holds: "label" }), "text"],
    ["a text without metadata", z.string(), "undocumented"],
    ["any value", z.unknown(), "undocumented"],
    ["a number", z.number(), "nothing"],
    ["a flag", flag(), "nothing"],
    ["a list of names", z.array(person()), ["person"]],
    ["a list of numbers", z.array(z.number()), "nothing"],
    ["a pair", z.tuple([person(), z.number()]), ["person"]],
    ["a pair followed by texts", z.tuple([z.number(), z.number()]).rest(person()), ["person"]],
    ["one of several", z.union([person(), z.array(title()), z.null()]), { oneOf: ["person", ["text"]] }],
    ["one of several without text", z.union([z.number(), z.boolean()]), "nothing"],
    ["both of two", z.intersection(z.record(z.string(), person()), z.number()), mapOf("person")],
    ["a map of names", z.record(z.string(), person()), mapOf("person")],
    ["a map of numbers, whose keys may be names", z.record(z.string(), z.number()), mapOf("nothing")],
    ["a converted name", person().transform((name) => name), "undocumented"],
    ["a piped name", z.unknown().pipe(person()), "person"],
    ["what a lazy schema returns", z.lazy(() => person()), "person"],
    ["a lazy name", z.lazy(() => z.string()).register(fieldMetadata, { holds: "person" }), "person"],
  ])("%s", (_, schema, plan) => expect(planOf(z.object({ field: schema }))).toEqual({ all: { field: plan }, ...NOTHING_ELSE }));

  it("metadata of a field applies to the values in it", () => {
    const names = z.array(z.string()).register(fieldMetadata, { holds: "person" });
    const byKey = z.record(z.string(), z.string()).register(fieldMetadata, { holds: "person" });
    const mixed = z.record(z.string(), title()).register(fieldMetadata, { holds: "person" });
    const either = z.union([z.string(), title()]).register(fieldMetadata, { holds: "person" });
    expect(planOf(z.object({ names, byKey, mixed, either }))).toEqual({
      all: { names: ["person"], byKey: mapOf("person"), mixed: mapOf("text"), either: { oneOf: ["person", "text"] } },
      ...NOTHING_ELSE,
    });
  });

  it("a shape that contains itself has one plan", () => {
    const shape: z.ZodType = z.object({ name: person(), inner: z.lazy(() => shape).optional() });
    const plan = compilePlan(shape, { withholds: false, hidesNames: true });
    expect(plan.kind === "record" && plan.fields.get("inner")).toBe(plan);
    expect(holdsUndocumented(plan)).toBe(false);
  });

  it.each<[string, z.ZodType, boolean]>([
    ["documented text", title(), false],
    ["a number", z.number(), false],
    ["text without metadata", z.string(), true],
    ["a list of them", z.array(z.string()), true],
    ["a list of names", z.array(person()), false],
    ["one of several", z.union([title(), z.array(z.unknown())]), true],
    ["one of several documented ones", z.union([title(), z.array(title())]), false],
    ["a record", z.object({ a: z.object({ b: z.string() }) }), true],
    ["a record of documented text", z.object({ a: title() }), false],
  ])("undocumented text may be in %s: %s", (_, schema, expected) => {
    const plan = compilePlan(z.object({ schema }), { withholds: false, hidesNames: true });
    expect(holdsUndocumented(plan)).toBe(expected);
  });
});

describe("if whereabouts are withheld", () => {
  const planOf = (schema: z.ZodType) => brief(compilePlan(schema, { withholds: true, hidesNames: false }));
  const recordOf = (all: object, more: object = {}) => ({ all, others: "nothing", guards: [], withheld: [], inner: [], ...more });

  it.each<[string, z.ZodType, unknown]>([
    ["nothing to withhold", z.object({ name: person(), id: z.string() }), "nothing"],
    ["a place", z.object({ at: place() }), recordOf({ at: "nothing" }, { withheld: ["at"] })],
    [
      "a flag and a place",
      z.object({ at: place(), isPrivate: flag().optional() }),
      recordOf({ at: "nothing", isPrivate: "nothing" }, { withheld: ["at"], guards: [["isPrivate", true]] }),
    ],
    ["only a flag", z.object({ isPrivate: flag() }), recordOf({ isPrivate: "nothing" }, { guards: [["isPrivate", true]] })],
    [
      "a flag that marks the opposite",
      z.object({ isPublic: z.boolean().register(fieldMetadata, { holds: "flag", guard: false }) }),
      recordOf({ isPublic: "nothing" }, { guards: [["isPublic", false]] }),
    ],
    [
      "a place in a list, map, pair or union",
      z.object({
        a: z.array(place()),
        b: z.record(z.string(), place()),
        c: z.tuple([place()]),
        d: z.union([place(), z.number()]),
        e: z.intersection(z.number(), place()),
      }),
      recordOf({ a: "nothing", b: "nothing", c: "nothing", d: "nothing", e: "nothing" }, { withheld: ["a", "b", "c", "d", "e"] }),
    ],
    [
      "records in a record without flag",
      z.object({ inner: z.object({ id: z.string() }), other: z.object({ at: place() }) }),
      recordOf({ inner: "nothing", other: recordOf({ at: "nothing" }, { withheld: ["at"] }) }, { inner: ["other"] }),
    ],
    // Whatever is inside a private record has its undocumented fields dropped.
    [
      "records in a record with a flag",
      z.object({ isPrivate: flag(), inner: z.array(z.object({ id: z.string() })) }),
      recordOf({ isPrivate: "nothing", inner: [recordOf({ id: "nothing" })] }, { guards: [["isPrivate", true]], inner: ["inner"] }),
    ],
  ])("%s", (_, schema, plan) => expect(planOf(schema)).toEqual(plan));

  it("nothing is withheld if nothing is protected", () => {
    const schema = z.object({ isPrivate: flag(), at: place(), inner: z.object({ id: z.string() }) });
    expect(brief(compilePlan(schema, { withholds: false, hidesNames: false }))).toBe("nothing");
  });

  it("a recursive shape with a flag is guarded throughout", () => {
    const shape: z.ZodType = z.object({ isPrivate: flag(), next: z.lazy(() => shape).optional() });
    const plan = compilePlan(shape, { withholds: true, hidesNames: false });
    expect(plan.kind === "record" && [plan.inner, plan.fields.get("next") === plan]).toEqual([["next"], true]);
  });
});
