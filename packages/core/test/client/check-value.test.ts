import { describe, expect, it } from "vitest";
import * as z from "zod";
import { CheckRun, checkValue, originalLength } from "../../src/client/check-value.ts";
import { checkOf } from "../../src/client/compile-check.ts";
import { DriftCollector, DriftTotal } from "../../src/client/drift.ts";
import { fieldMetadata } from "../../src/index.ts";
import { annotate } from "../../src/schemas/field-metadata.ts";
import { Int64 } from "../../src/schemas/scalars.ts";

const record = (shape: z.ZodRawShape) => z.looseObject(shape);

/** What a value becomes, and how it differed. */
function check(schema: z.ZodType, body: unknown, requoted: string[] = []) {
  const run = new CheckRun(new Set(requoted));
  const fits = checkValue(schema, body, run);
  return { fits, body, drift: run.drift.list().map(({ path, kind, count }) => `${path} ${kind} ${count}`), inexact: [...run.inexact] };
}

describe("a value of a field", () => {
  const guarded = z.boolean().register(fieldMetadata, { holds: "flag", guard: true } as never);
  it.each<[string, z.ZodType, unknown[], unknown[]]>([
    ["string", z.string(), ["", "x"], [5, true, {}, []]],
    ["number", z.number(), [1, -1.5], ["1", Number.NaN, Number.POSITIVE_INFINITY, true]],
    ["integer", z.int(), [0, -5], [1.5, "1", 2 ** 53]],
    ["boolean", z.boolean(), [true, false], ["true", 0]],
    ["enum", z.enum(["A"]), ["A"], [5, true]],
    ["list", z.array(z.string()), [[], ["x"]], ["x", {}, 5]],
    ["object", record({}), [{}], ["x", [], 5]],
    ["record", z.record(z.string(), z.int()), [{}, { a: 1 }], [5, { a: "x" }]],
    ["literal", z.literal("A"), ["A"], ["B"]],
    ["custom", z.custom((value) => value === 1), [1], [2]],
    ["int64", Int64, [5, -5], ["5", 1.5, "x", true]],
  ])("%s", (_, schema, valid, invalid) => {
    for (const value of valid)
      expect(check(record({ at: schema }), { at: value })).toEqual({ fits: true, body: { at: value }, drift: [], inexact: [] });
    for (const value of invalid)
      expect(check(record({ at: schema.optional() }), { at: value })).toEqual({
        fits: true,
        body: { at: undefined },
        drift: ["$.at wrong type 1"],
        inexact: [],
      });
  });

  it("of a guarded flag becomes its safe value", () => {
    expect(check(record({ at: guarded.optional() }), { at: "no" })).toMatchObject({ body: { at: true }, drift: ["$.at wrong type 1"] });
  });

  it("whose rule throws has the wrong type", () => {
    const throwing = z.custom(() => {
      throw new Error("no");
    });
    expect(check(record({ at: throwing }), { at: 1 }).drift).toEqual(["$.at wrong type 1"]);
  });

  it.each<[z.ZodType, unknown]>([
    [z.string().min(5), "x"],
    [z.number().min(5), 1],
    [z.int().min(5), 1],
    [z.boolean().refine(() => false), true],
  ])("is checked for its type only: %#", (schema, value) => {
    expect(check(record({ at: schema }), { at: value })).toMatchObject({ body: { at: value }, drift: [] });
  });

  it("that is not a flag has no safe value", () => {
    const text = annotate(z.string(), { holds: "flag", guard: true });
    expect(check(record({ at: text.optional() }), { at: 5 }).body).toEqual({ at: undefined });
  });

  it("that is null is absent, and missing if required", () => {
    const schema = record({ a: z.string(), b: z.string().optional(), c: z.string().nullable(), d: z.string() });
    expect(check(schema, { a: null, b: null, c: null, x: null })).toEqual({
      fits: true,
      body: { a: undefined, b: undefined, c: undefined, x: null },
      drift: ["$.x unknown field 1", "$.a missing required 1", "$.d missing required 1"],
      inexact: [],
    });
    expect(check(schema, { a: "", d: "" }).drift).toEqual([]);
    expect(check(schema, { a: "" }).drift).toEqual(["$.d missing required 1"]);
    expect(check(schema, { b: "", c: "" }).drift).toEqual(["$.a missing required 1", "$.d missing required 1"]);
  });

  it("that the enum does not document is kept", () => {
    expect(check(record({ at: z.enum(["A"]) }), { at: "B" })).toMatchObject({ body: { at: "B" }, drift: ["$.at unknown enum value 1"] });
  });

  it("may be recursive through another", () => {
    const branch: z.ZodType = z.looseObject({
      get leaf() {
        return leaf.optional();
      },
    });
    const leaf: z.ZodType = z.looseObject({ name: z.string(), branch: branch.optional() });
    expect(check(branch, { leaf: { name: "a", branch: { leaf: { name: "b" } } } }).drift).toEqual([]);
    expect(check(branch, { leaf: { name: "a", branch: 5 } }).drift).toEqual(["$.leaf.branch wrong type 1"]);
  });

  it("may be recursive", () => {
    const tree: z.ZodType = z.looseObject({
      name: z.string(),
      get inner() {
        return z.optional(tree);
      },
    });
    expect(check(tree, { name: "a", inner: { name: "b", inner: { name: "c" } } }).drift).toEqual([]);
    expect(check(tree, { name: "a", inner: { name: 5 } }).drift).toEqual(["$.inner wrong type 1"]);
  });
});

describe("a list", () => {
  it("drops invalid entries other than null, and remembers its length", () => {
    const { body, drift } = check(z.array(z.string().optional()), ["a", null, 5, "b", {}]);
    expect(body).toEqual(["a", null, "b"]);
    expect(drift).toEqual(["$[*] wrong type 2"]);
    expect(originalLength(body as unknown[])).toBe(5);
  });

  it("counts null as wrong if entries are required", () => {
    expect(check(z.array(record({ id: z.string() })), [null, { id: "a" }, 5])).toMatchObject({
      body: [{ id: "a" }],
      drift: ["$[*] dropped record 2"],
    });
  });

  it("that lost nothing has its own length", () => {
    expect(originalLength(check(z.array(z.int()), [1, 2]).body as unknown[])).toBe(2);
  });
});

it("fields may come in any order, among unknown ones", () => {
  const schema = record({ a: z.int(), b: z.int(), c: z.int() });
  for (const body of [
    { a: 1, b: 1, c: 1 },
    { c: 1, b: 1, a: 1 },
    { b: 1, x: 1, a: 1, c: 1 },
    { x: 1, c: 1, a: 1, y: 1, b: 1 },
  ]) {
    const unknown = Object.keys(body).filter((name) => !(name in { a: 1, b: 1, c: 1 }));
    expect(check(schema, { ...body }).drift).toEqual(unknown.map((name) => `$.${name} unknown field 1`));
    const broken = Object.fromEntries(Object.keys(body).map((name) => [name, "x"]));
    expect(
      check(schema, broken)
        .drift.filter((one) => one.includes("wrong type"))
        .sort(),
    ).toEqual(["a", "b", "c"].map((name) => `$.${name} wrong type 1`));
  }
});

describe("a 64-bit integer", () => {
  const schema = record({ id: Int64, ids: z.array(Int64).optional() });
  it("that lost digits is noted by name", () => {
    expect(check(schema, { id: 2 ** 60, ids: [2 ** 61] }).inexact).toEqual(["id", "ids"]);
  });
  it.each<[unknown, boolean]>([
    ["12", true],
    ["-12", true],
    ["1.2", false],
    ["x12", false],
    ["12x", false],
    ["", false],
  ])("in digits that were quoted to keep them: %j", (id, fits) => {
    expect(check(schema, { id }, ["id"]).drift).toEqual(fits ? [] : ["$.id wrong type 1"]);
    expect(check(schema, { id }, ["ids"]).drift).toEqual(["$.id wrong type 1"]);
  });
});

describe("the overall shape", () => {
  const page = record({ items: z.array(record({})), total: z.int(), more: z.array(z.int()).optional() });
  it.each<[z.ZodType, unknown, boolean]>([
    [page, { items: [] }, true],
    [page, { total: 1 }, false],
    [page, { items: null }, false],
    [page, { items: {} }, false],
    [page, [], false],
    [page, null, false],
    [z.array(z.int()), {}, false],
    [z.array(z.int()), [], true],
    [z.string(), "x", true],
  ])("%#: of %j fits: %s", (schema, body, fits) => {
    expect(check(schema, structuredClone(body)).fits).toBe(fits);
  });
});

it.each<[string, z.ZodType, string]>([
  ["transform", z.array(z.object({ at: z.string().transform(Number) })), "$[*].at changes it (pipe)"],
  ["default", z.object({ at: z.string().default("x") }), "$.at changes it (default)"],
  ["prefault", z.object({ at: z.string().prefault("x") }), "$.at changes it (prefault)"],
  ["catch", z.object({ at: z.string().catch("x").optional() }), "$.at changes it (catch)"],
  ["a transform alone", z.transform(String), "$ changes it (transform)"],
])("a schema that changes its value cannot be checked: %s", (_, schema, where) => {
  expect(() => checkOf(schema)).toThrow(
    expect.objectContaining({
      code: "config",
      message: `defineOperation: the output must describe the response as sent, but ${where}`,
      advice: "Use a schema of the response as sent, and transform the result afterwards",
    }),
  );
});

describe("drift", () => {
  it("is counted by place and kind, up to a thousand differences", () => {
    const drift = new DriftCollector();
    const site = { path: "$" };
    drift.add(site, "wrong type");
    drift.add(site, "wrong type");
    drift.add({ path: "$.a" }, "wrong type");
    drift.add(site, "dropped record");
    for (let at = 0; at < 1_000; at++) drift.addUnknownField(site, `f${at}`);
    drift.addUnknownField(site, "f0");
    drift.addUnknownField({ path: "$.a" }, "f0");
    expect(drift.list()).toHaveLength(1_000);
    expect(drift.list().slice(0, 4)).toEqual([
      { path: "$", kind: "wrong type", count: 2 },
      { path: "$.a", kind: "wrong type", count: 1 },
      { path: "$", kind: "dropped record", count: 1 },
      { path: "$.f0", kind: "unknown field", count: 2 },
    ]);
  });

  it("of several parts is summed, up to a thousand differences", () => {
    const total = new DriftTotal();
    const part = Array.from({ length: 600 }, (_, at) => ({ path: `$.f${at}`, kind: "wrong type" as const, count: 2 }));
    total.add(part);
    total.add(part);
    total.add(part.map((one) => ({ ...one, kind: "unknown field" as const })));
    expect(total.list()).toHaveLength(1_000);
    expect(total.list().at(0)).toEqual({ path: "$.f0", kind: "wrong type", count: 4 });
    expect(total.list().at(-1)).toEqual({ path: "$.f399", kind: "unknown field", count: 2 });
  });
});
