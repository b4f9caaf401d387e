import { describe, expect, it } from "vitest";
import * as z from "zod";
import { fieldList, fieldTypes, listArguments, rowArguments, toolInput } from "../../src/query/tool-input.ts";

const shown = (schema: z.ZodType) => toolInput({ field: schema }).inputSchema;
const optional = (field: object) => ({ type: "object", properties: { field } });

describe("a model sees of an argument", () => {
  it.each<[why: string, schema: z.ZodType, field: object]>([
    ["its type and description, not its rules", z.string().min(3).max(9).describe("A name"), { type: "string", description: "A name" }],
    ["its allowed values", z.enum(["a", "b"]), { type: "string", enum: ["a", "b"] }],
    ["the other type if it may be null", z.number().nullable().describe("Or none"), { type: "number", description: "Or none" }],
    ["the allowed values if it may be null", z.enum(["a", "b"]).nullable(), { type: "string", enum: ["a", "b"] }],
    [
      "the type of a list's items, without a description",
      z.array(z.string().describe("One")),
      { type: "array", items: { type: "string" } },
    ],
    ["no single type of several", z.union([z.string(), z.array(z.string())]).describe("Either"), { description: "Either" }],
    [
      "the fields of an object",
      z.strictObject({ lat: z.number().min(0), note: z.string().nullish() }),
      { type: "object", properties: { lat: { type: "number" }, note: { type: "string" } }, required: ["lat"] },
    ],
    ["an object without fields", z.record(z.string(), z.string()), { type: "object", properties: {} }],
  ])("%s", (_, schema, field) => {
    expect(shown(schema.optional())).toEqual(optional(field));
    expect(shown(schema)).toEqual({ ...optional(field), required: ["field"] });
  });

  it("that it is not required if it has a default", () => {
    expect(shown(z.string().default("a"))).toEqual(optional({ type: "string" }));
  });

  it("nothing if it is not listed, though it is accepted", () => {
    const { input, inputSchema } = toolInput({}, { more: z.number().optional() });
    expect(inputSchema).toEqual({ type: "object", properties: {} });
    expect([{}, { more: 7 }, { more: "7" }, { other: 7 }].map((args) => input.safeParse(args).success)).toEqual([true, true, false, false]);
  });
});

it("an output schema has the types of fields that have one", () => {
  const record = z.object({
    name: z.string().min(1).describe("A name").optional(),
    count: z.int(),
    either: z.union([z.string(), z.array(z.string())]),
    long: z.string().meta({ format: "int64" }),
    tags: z.array(z.string().max(9)),
    any: z.array(z.unknown()),
    inner: z.object({ name: z.string() }),
  });
  expect(fieldTypes(record)).toStrictEqual({
    ...{ name: { type: "string" }, count: { type: "integer" }, inner: { type: "object" } },
    ...{ tags: { type: "array", items: { type: "string" } }, any: { type: "array", items: {} } },
  });
});

it.each([
  ["listed records", listArguments],
  ["an operation's rows", rowArguments],
])("%s come up to 500 at a time, from a cursor if there is one", (_, shape) => {
  const accepts = (args: object) => z.strictObject(shape).safeParse(args).success;
  expect([{}, { limit: 1 }, { limit: 500 }, { cursor: "c" }].map(accepts)).toEqual([true, true, true, true]);
  expect([{ limit: 0 }, { limit: 501 }, { limit: 1.5 }, { cursor: "" }].map(accepts)).toEqual([false, false, false, false]);
});

it.each([
  [undefined, undefined],
  ["a", ["a"]],
  [" a , b;c ,, ", ["a", "b", "c"]],
  [
    ["a", "b,c"],
    ["a", "b,c"],
  ],
])("the fields %j are %j", (given, fields) => expect(fieldList(given)).toEqual(fields));
