import { FleetError } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { checkedArguments } from "../../src/arguments/checked-arguments.ts";
import { toJsonArguments } from "../../src/arguments/json-arguments.ts";
import { prototypeKeyIn } from "../../src/arguments/prototype-key.ts";
import { repairedArguments } from "../../src/arguments/repair-arguments.ts";

const repaired = (input: z.ZodObject, args: unknown) => repairedArguments({ name: "tool", input }, args);

const SCHEMA = z.strictObject({
  limit: z.int().min(1).optional(),
  km: z.number().optional(),
  moving: z.boolean().optional(),
  name: z.string().min(1).optional(),
  any: z.string().optional(),
  cursor: z.string().optional(),
  fields: z.array(z.string()).optional(),
  limits: z.array(z.number()).optional(),
  place: z.strictObject({ lat: z.number(), note: z.string().optional() }).optional(),
  filter: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
  list: z.enum(["lowFuel", "IN_PROGRESS"]).optional(),
  required: z.string().nullish(),
});

describe("arguments that hosts and models write differently", () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["an integer as text", { limit: " 5 " }, { limit: 5 }],
    ["a number as text", { km: "-0.5e+3" }, { km: -500 }],
    ["a boolean as text", { moving: "true" }, { moving: true }],
    ["false as text", { moving: "false" }, { moving: false }],
    ["a boolean as in Python", { moving: "True" }, { moving: true }],
    ["text as a list of one", { name: ["truck 12"], any: [""] }, { name: "truck 12", any: "" }],
    [
      "a number, a boolean and a choice as lists of one",
      { km: ["5"], moving: [true], list: ["lowFuel"] },
      { km: 5, moving: true, list: "lowFuel" },
    ],
    ["a choice in another case", { list: "-in progress" }, { list: "IN_PROGRESS" }],
    ["a list of one as text", { fields: "city", limits: "5" }, { fields: ["city"], limits: [5] }],
    ["text as an integer", { name: 12 }, { name: "12" }],
    ["a list as text", { fields: '["a","b"]' }, { fields: ["a", "b"] }],
    ["an object as text", { place: '{"lat":1}' }, { place: { lat: 1 } }],
    ["numbers in a list", { limits: ["1", 2] }, { limits: [1, 2] }],
    ["a number in an object, among others", { place: { lat: "1", note: "n" } }, { place: { lat: 1, note: "n" } }],
    ["a list as text, with numbers as text", { limits: '["1","2"]' }, { limits: [1, 2] }],
    ["a record as JSON", { filter: '{"a":"b"}' }, { filter: { a: "b" } }],
    [
      "a record as a query",
      { filter: "?status=NEW&from=a%20b+c&status=OLD&x=&y=1=2" },
      { filter: { status: ["NEW", "OLD"], from: "a b+c", x: "", y: "1=2" } },
    ],
    ["a query with a broken escape", { filter: "a=%E0%A4%A&b=c" }, { filter: { a: "%E0%A4%A", b: "c" } }],
    ["a query over two lines", { filter: "a=b\nc" }, { filter: { a: "b\nc" } }],
    ["null for nothing", { limit: null, name: "a" }, { name: "a" }],
    ["an empty string for nothing", { limit: "", name: "", any: "" }, { any: "" }],
    ["null where it is allowed", { required: null }, { required: null }],
    ["several at once", { limit: "5", name: 1, moving: null }, { limit: 5, name: "1" }],
    ["valid arguments", { limit: 5, fields: [] }, { limit: 5, fields: [] }],
  ])("%s: %j", (_, given, args) => expect(repaired(SCHEMA, given)).toEqual({ args, fits: true }));

  it.each<[string, unknown, unknown?]>([
    ["a number with a leading zero", { limit: "05" }],
    ["a number with words", { limit: "5 rows" }],
    ["words with a number", { limit: "top 5" }],
    ["a number without digits after the point", { km: "5." }],
    ["another choice", { list: "fuel" }],
    ["a list of two", { list: ["lowFuel", "lowFuel"], name: ["a", "b"] }],
    ["a list of one list", { list: [["lowFuel"]] }],
    ["a boolean in other words", { moving: "yes" }],
    ["a number that may have been written differently", { name: 1.5 }],
    ["a number that is not exact", { name: 2 ** 53 }],
    ["a list instead of an object", { place: "[1]" }],
    ["an object instead of a list", { fields: '{"a":1}' }],
    ["null as text", { place: "null" }],
    ["a number as text instead of an object", { place: "5" }],
    ["a number instead of a boolean", { moving: 1 }],
    ["a list that is no JSON", { fields: "a,b" }],
    ["an object that is no JSON", { place: "lat=1" }],
    ["a record that is no query", { filter: "status" }],
    ["a query without a name", { filter: "=b" }],
    ["a query with an empty part", { filter: "a=b&" }],
    ["an unknown argument", { nothing: null }],
    ["null inside an object", { place: { lat: null } }],
    ["an empty string inside an object", { place: { lat: "" } }],
    ["no object at all", "limit=5"],
    ["a list of arguments", [{ limit: "5" }]],
    ["too small a number, repaired", { limit: "0" }, { limit: 0 }],
    ["one that can be repaired and one that cannot", { limit: "5", km: "far" }, { limit: 5, km: "far" }],
  ])("not %s: %j", (_, given, args = given) => expect(repaired(SCHEMA, given)).toEqual({ args, fits: false }));

  it("does not drop a required argument that is blank", () => {
    expect(repaired(z.strictObject({ id: z.string().min(1) }), { id: "" })).toEqual({ args: { id: "" }, fits: false });
    expect(repaired(z.strictObject({ id: z.number() }), { id: null })).toEqual({ args: { id: null }, fits: false });
  });

  it("stops at arguments that are nested as text too often", () => {
    const nested = z.strictObject({ a: z.array(z.array(z.array(z.number()))).optional() });
    const twice = JSON.stringify([JSON.stringify([[1]])]);
    const threeTimes = JSON.stringify([JSON.stringify([["1"]])]);
    const often = JSON.stringify([JSON.stringify([JSON.stringify(["1"])])]);
    for (const text of [twice, threeTimes]) expect(repaired(nested, { a: text })).toEqual({ args: { a: [[[1]]] }, fits: true });
    expect(repaired(nested, { a: often })).toEqual({ args: { a: [[["1"]]] }, fits: false });
  });
});

describe("arguments as JSON", () => {
  it.each([
    ["dates as text", { at: new Date(0), list: [new Date(1)] }, { at: "1970-01-01T00:00:00.000Z", list: ["1970-01-01T00:00:00.001Z"] }],
    ["no undefined members", { a: undefined, b: [null, 1, "x", true] }, { b: [null, 1, "x", true] }],
    ["nothing", undefined, undefined],
    ["text", "limit=5", "limit=5"],
    ["an invalid date as an object", { at: new Date(Number.NaN) }, { at: {} }],
  ])("have %s", (_, args, json) => expect(toJsonArguments("tool", args)).toStrictEqual(json));

  const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });
  const lists = (levels: number): unknown => (levels === 0 ? 1 : [lists(levels - 1)]);
  const throwing = {
    get a() {
      throw new Error("secret");
    },
  };

  it.each<[string, unknown, string, string?]>([
    ["a bigint", { a: 1n }, "the arguments contain a bigint"],
    ["a symbol", [Symbol("a")], "the arguments contain a symbol"],
    ["a function", { a: () => 1 }, "the arguments contain a function"],
    ["too many levels", nested(52), "the arguments are nested too deeply"],
    ["too many lists in lists", lists(52), "the arguments are nested too deeply"],
    [
      "too many values",
      Array.from({ length: 1_000 }, () => Array.from({ length: 1_000 }, () => 1)),
      "the arguments contain more than 1000000 values",
      "Pass fewer in one call",
    ],
    [
      "too many fields",
      Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`f${at}`, 1])),
      "the arguments contain more than 10000 fields",
      "Pass fewer in one call",
    ],
    ["a getter that throws", throwing, "the arguments cannot be read"],
  ])("cannot have %s", (_, args, why, advice = "Pass the arguments as a plain JSON object") => {
    const error = expect.objectContaining({ code: "input", summary: `tool: ${why}`, advice });
    expect(() => toJsonArguments("tool", args)).toThrow(FleetError);
    expect(() => toJsonArguments("tool", args)).toThrow(error);
  });

  it("may have 51 levels and 900,000 values", () => {
    for (const args of [nested(51), lists(51)]) expect(toJsonArguments("tool", args)).toEqual(args);
    const [list] = toJsonArguments("tool", [Array.from({ length: 900_000 }, () => 1)]) as [number[]];
    expect(list).toHaveLength(900_000);
  });
});

it.each<[string, string | undefined]>([
  ['{"a":1}', undefined],
  ['{"__proto__":1}', "__proto__"],
  ['{"query":{"__proto__":null}}', "query.__proto__"],
  ['{"list":[null,{"a":{"__proto__":1}}]}', "list.1.a.__proto__"],
  ["null", undefined],
  ['"__proto__"', undefined],
])("the prototype key in %s is %s", (json, path) => expect(prototypeKeyIn(JSON.parse(json))).toBe(path));

describe("checked arguments", () => {
  const tool = { name: "find", effect: "read" as const, input: SCHEMA, inputSchema: { properties: { limit: {}, name: {} } } };

  it.each([
    [{ limit: "5" }, { limit: 5 }],
    [undefined, {}],
    [null, {}],
    [{ name: "x".repeat(3989) }, { name: "x".repeat(3989) }],
    [
      { name: "x".repeat(3989), cursor: "y".repeat(4000) },
      { name: "x".repeat(3989), cursor: "y".repeat(4000) },
    ],
  ])("%j become %j", (raw, args) => expect(checkedArguments(tool, raw)).toEqual(args));

  it.each<[unknown, string, string]>([
    [{ limit: 0 }, "find: limit", "Fix these and call again"],
    [{ limits: 0, max: 1 }, "find: limits", "Fix these and call again; find takes limit, name"],
    [JSON.parse('{"__proto__":1}'), "find: __proto__: is not a field of find", "Call again without it"],
    ["five", "find", "Fix these and call again; find takes limit, name"],
    [{ name: "x".repeat(3990) }, "find: the arguments exceed 4000 characters", "Ask for less in one call"],
    ["x".repeat(3999), "find: the arguments exceed 4000 characters", "Ask for less in one call"],
  ])("%j are rejected", (raw, summary, advice) => {
    expect(() => checkedArguments(tool, raw)).toThrow(
      expect.objectContaining({ code: "input", summary: expect.stringContaining(summary), advice }),
    );
  });
});
