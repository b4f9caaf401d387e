import { expect, it } from "vitest";
import * as z from "zod";
import { jsonSchemaOf } from "../src/schemas/json-schema.ts";
import { Int64, UtcMinutesOrDay, UtcSeconds } from "../src/schemas/scalars.ts";

const Named = z.looseObject({ a: z.string() }).meta({ id: "Named", description: "A name" });
const refer = (name: string) => `#/${name}`;
const [string, integer] = [{ type: "string" }, { type: "integer" }];
const withDefault = { type: "object", properties: { a: { type: "string", default: "x" } } };
const objectOf = (properties: object) => ({ type: "object", properties, required: ["a"] });

// openapi.json shows the schemas of all operations (npm run generate -- --check); here is what they do not have, and inputs.
it.each<[string, z.ZodType, object, object]>([
  ["an integer with bounds", z.int().min(-2).max(2), {}, { ...integer, minimum: -2, maximum: 2 }],
  ["a 64-bit integer", Int64, {}, { ...integer, format: "int64" }],
  ["a 64-bit integer that is never a string", z.int().min(5).meta({ format: "int64" }), {}, { ...integer, minimum: 5, format: "int64" }],
  ["a union of other types", z.union([z.int(), z.string()]), {}, { type: ["integer", "string"] }],
  ["a union with a date", z.union([z.string(), z.date()]), {}, string],
  ["a record", z.record(z.string(), z.int()), {}, { type: "object", propertyNames: string, additionalProperties: integer }],
  ["anything", z.custom(), {}, {}],
  ["an object on the wire", z.strictObject({ a: z.string(), b: z.int().optional() }), {}, objectOf({ a: string, b: integer })],
  ["an object as input", z.looseObject({ a: z.string() }), { side: "input" }, { ...objectOf({ a: string }), additionalProperties: false }],
  ["a default on the wire", z.object({ a: z.string().default("x") }), {}, { ...withDefault, required: ["a"] }],
  ["a default as input", z.object({ a: z.string().default("x") }), { side: "input" }, { ...withDefault, additionalProperties: false }],
  ["metadata that removes a rule", z.string().min(2).meta({ minLength: undefined, deprecated: true }), {}, { ...string, deprecated: true }],
  ["a named shape, inline", Named, { refer }, { description: "A name", ...objectOf({ a: string }) }],
  ["a list of a named shape", z.array(Named), { refer }, { type: "array", items: { $ref: "#/Named", description: "A name" } }],
  ["a list without references", z.array(Named), {}, { type: "array", items: { description: "A name", ...objectOf({ a: string }) } }],
  ["a shape without description", z.array(z.looseObject({}).meta({ id: "O" })), { refer }, { type: "array", items: { $ref: "#/O" } }],
  ["a time as input", UtcSeconds, { side: "input" }, { ...string, description: "UTC, YYYY-MM-DDThh:mm:ss" }],
  ["a time or a day as input", UtcMinutesOrDay, { side: "input" }, { ...string, description: "UTC, YYYY-MM-DDTHH:mmZ or YYYY-DD-MM" }],
])("%s", (_, schema, options, json) => {
  expect(jsonSchemaOf(schema, options)).toEqual(json);
  expect(Object.keys(jsonSchemaOf(schema, options)).sort()).toEqual(Object.keys(json).sort());
});
