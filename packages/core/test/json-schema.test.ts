import { expect, it } from "vitest";
import * as z from "zod";
import { jsonSchemaOf } from "../src/schemas/json-schema.ts";
import {
  DateTime,
  Float,
  GuardingFlag,
  Identifier,
  Int32,
  Int64,
  Latitude,
  Longitude,
  UtcInstant,
  UtcMinutes,
  UtcMinutesOrDay,
  UtcSeconds,
} from "../src/schemas/scalars.ts";

const Named = z.looseObject({ a: z.string() }).meta({ id: "Named", description: "A name" });
const refer = (name: string) => `#/${name}`;

it.each<[string, z.ZodType, object, object]>([
  ["a string", z.string(), {}, { type: "string" }],
  ["an integer without bounds", z.int(), {}, { type: "integer" }],
  ["an integer with bounds", z.int().min(-2).max(2), {}, { type: "integer", minimum: -2, maximum: 2 }],
  ["a 64-bit integer", Int64, {}, { type: "integer", format: "int64" }],
  ["a union of other types", z.union([z.int(), z.string()]), {}, { type: ["integer", "string"] }],
  ["a union with a date", z.union([z.string(), z.date()]), {}, { type: "string" }],
  [
    "a 64-bit integer that is never a string",
    z.int().min(5).meta({ format: "int64" }),
    {},
    { type: "integer", minimum: 5, format: "int64" },
  ],
  [
    "a record",
    z.record(z.string(), z.int()),
    {},
    { type: "object", propertyNames: { type: "string" }, additionalProperties: { type: "integer" } },
  ],
  ["anything", z.custom(), {}, {}],
  [
    "an object on the wire",
    z.strictObject({ a: z.string(), b: z.int().optional() }),
    {},
    { type: "object", properties: { a: { type: "string" }, b: { type: "integer" } }, required: ["a"] },
  ],
  [
    "an object as input",
    z.looseObject({ a: z.string() }),
    { side: "input" },
    { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false },
  ],
  [
    "a default on the wire",
    z.object({ a: z.string().default("x") }),
    {},
    { type: "object", properties: { a: { type: "string", default: "x" } }, required: ["a"] },
  ],
  [
    "a default as input",
    z.object({ a: z.string().default("x") }),
    { side: "input" },
    { type: "object", properties: { a: { type: "string", default: "x" } }, additionalProperties: false },
  ],
  [
    "metadata",
    z.string().meta({ description: "d", deprecated: true, minLength: undefined }),
    {},
    { type: "string", description: "d", deprecated: true },
  ],
  ["metadata that removes a rule", z.string().min(2).meta({ minLength: undefined }), {}, { type: "string" }],
  [
    "a named shape, inline",
    Named,
    { refer },
    { type: "object", description: "A name", properties: { a: { type: "string" } }, required: ["a"] },
  ],
  ["a list of a named shape", z.array(Named), { refer }, { type: "array", items: { $ref: "#/Named", description: "A name" } }],
  [
    "a named shape without references",
    z.array(Named),
    {},
    { type: "array", items: { type: "object", description: "A name", properties: { a: { type: "string" } }, required: ["a"] } },
  ],
  [
    "a named shape without description",
    z.array(z.looseObject({}).meta({ id: "Other" })),
    { refer },
    { type: "array", items: { $ref: "#/Other" } },
  ],
  [
    "a time on the wire",
    UtcSeconds,
    {},
    { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$", description: "UTC, YYYY-MM-DDThh:mm:ss" },
  ],
  ["a time as input", UtcSeconds, { side: "input" }, { type: "string", description: "UTC, YYYY-MM-DDThh:mm:ss" }],
  [
    "a time to the minute",
    UtcMinutes,
    {},
    { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}Z$", description: "UTC, YYYY-MM-DDTHH:mmZ" },
  ],
  [
    "a time or a day",
    UtcMinutesOrDay,
    {},
    { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}Z)?$", description: "UTC, YYYY-MM-DDTHH:mmZ or YYYY-DD-MM" },
  ],
  ["an instant", UtcInstant, {}, { type: "string", format: "date-time", description: "UTC date-time, such as 2026-11-20T08:30:00Z" }],
  ["a date-time of the service", DateTime, {}, { type: "string", format: "date-time" }],
  ["an identifier", Identifier, {}, { type: "string", pattern: "^[A-Za-z0-9]+$", description: "Alphanumeric identifier" }],
  ["a latitude", Latitude, {}, { type: "number", minimum: -90, maximum: 90, format: "double", description: "Degrees north" }],
  ["a longitude", Longitude, {}, { type: "number", minimum: -180, maximum: 180, format: "double", description: "Degrees east" }],
  ["a float", Float, {}, { type: "number", format: "float" }],
  ["a 32-bit integer", Int32, {}, { type: "integer", format: "int32" }],
  ["a flag", GuardingFlag, {}, { type: "boolean" }],
])("%s", (_, schema, options, json) => {
  expect(jsonSchemaOf(schema, options)).toEqual(json);
  expect(Object.keys(jsonSchemaOf(schema, options)).sort()).toEqual(Object.keys(json).sort());
});
