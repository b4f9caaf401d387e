import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineOperation, type Operation, openApiDocument } from "../src/index.ts";
import { samples } from "../src/samples/index.ts";

const Part = z.looseObject({ id: z.string() }).meta({ id: "Part", description: "A part" });
const Thing: z.ZodType = z
  .looseObject({
    parts: z.array(Part),
    spare: Part.optional().describe("The spare part"),
    get box() {
      return Crate.optional();
    },
  })
  .meta({ id: "Thing" });
const Crate: z.ZodType = z.looseObject({ thing: z.array(Thing) }).meta({ id: "Crate" });

const Box = z.looseObject({ part: Part }).meta({ id: "Box" });

const common = { summary: "Do it", source: "a test", method: "GET", servers: ["base"], auth: ["basic"], effect: "read" } as const;
const document = (operation: Operation, more: Parameters<typeof openApiDocument>[0] = {}) =>
  openApiDocument({ operations: { [operation.name]: operation }, ...more }) as {
    paths: Record<string, Record<string, Record<string, unknown>>>;
    components: { schemas: Record<string, unknown> };
  } & Record<string, unknown>;

const error = { $ref: "#/components/schemas/ApiError" };

// openapi.json shows what the operations have (npm run generate -- --check); here is what only a custom operation may have.
it("an operation with everything", () => {
  const operation = defineOperation({
    ...common,
    name: "saveThing",
    method: "PUT",
    path: "/public/customer/{customerId}/things/{thing}",
    servers: ["fleet", "base"],
    auth: ["basic", "bearer", "connect-token"],
    params: { thing: z.string().optional() },
    query: {
      ids: z.array(z.int()).optional().describe("Ids to save"),
      free: z.record(z.string(), z.string()).optional(),
      flag: z.boolean().nullable().meta({ deprecated: true }),
      either: z.union([z.int(), z.string()]).optional(),
    },
    contentType: "application/merge+json",
    body: { box: Box, part: Part.optional(), kind: z.string().default("x") },
    output: Thing,
    errors: { 400: { body: "list", when: ["A field is wrong", "Another one is"] }, 409: { body: "single", when: ["It exists"] } },
  } as never) as Operation;
  const samples = { saveThing: { input: { thing: "t", box: { part: { id: "p" } }, other: 1 }, output: { parts: [] } } };
  const { paths, components } = document(operation, { samples });
  const { servers, put } = paths[operation.path] as unknown as { servers: { url: string }[]; put: PathOperation };
  expect(servers.map(({ url }) => url)).toEqual(["{base_url}", "{fleet_url}"]);
  const [integer, string] = [{ type: "integer" }, { type: "string" }];
  const text = { type: "object", propertyNames: string, additionalProperties: string };
  expect(put).toMatchObject({
    operationId: "saveThing",
    tags: ["customer"],
    security: [{ basic: [] }, { bearer: [] }, { connectToken: [] }],
  });
  const flag = {
    anyOf: [
      { type: "boolean", deprecated: true },
      { ...string, const: "null" },
    ],
  };
  expect(put.parameters).toMatchObject([
    { name: "customerId", in: "path", required: true, schema: { type: "string", pattern: "^[A-Za-z0-9]+$" } },
    { name: "thing", in: "path", required: true, schema: string },
    { name: "ids", required: false, description: "Ids to save", explode: false, schema: { type: "array", items: integer } },
    { name: "free", in: "query", required: false, style: "form", explode: true, schema: text },
    { name: "flag", required: true, schema: flag },
    { name: "either", in: "query", required: false, schema: { type: ["integer", "string"] } },
  ]);
  const json = (schema: object) => ({ "application/json": { schema } });
  expect(put.responses).toMatchObject({
    200: { content: json({ $ref: "#/components/schemas/Thing" }) },
    400: { description: "A field is wrong. Another one is.", content: json({ type: "array", items: error }) },
    409: { description: "It exists.", content: json(error) },
    default: { description: "Undocumented: the interface does not describe other responses" },
  });
  const part = { $ref: "#/components/schemas/Part", description: "A part" };
  const properties = { box: { $ref: "#/components/schemas/Box" }, part, kind: { type: "string", default: "x" } };
  expect(put.requestBody?.content["application/merge+json"]).toEqual({
    schema: { type: "object", properties, required: ["box", "kind"] },
    example: { box: { part: { id: "p" } } },
  });
  expect(Object.keys(components.schemas)).toEqual(["ApiError", "Box", "Crate", "Part", "Thing"]);
  expect(components.schemas).toMatchObject({
    Crate: { properties: { thing: { type: "array", items: { $ref: "#/components/schemas/Thing" } } } },
    Thing: { properties: { spare: { ...part, description: "The spare part" } }, required: ["parts"] },
  });
});

it("an operation with little shows no example if it is undocumented, and shares its path with another method", () => {
  const ping = defineOperation({ ...common, name: "ping", path: "/ping", output: z.string(), undocumented: true } as never) as Operation;
  const { paths } = openApiDocument({
    operations: { ping, pong: { ...ping, name: "pong", method: "POST" } },
    samples: { ping: { input: {}, output: "x" } },
  }) as { paths: Record<string, Record<string, PathOperation>> };
  expect(Object.keys(paths["/ping"] ?? {})).toEqual(["servers", "get", "post"]);
  expect(paths["/ping"]?.["get"]).toMatchObject({ tags: ["service"], parameters: [] });
  expect(JSON.stringify(paths)).not.toMatch(/"example"|requestBody/);
});

type Json = Record<string, unknown>;

interface PathOperation {
  operationId: string;
  parameters: { name: string; in: string; required: boolean }[];
  requestBody?: { content: Record<string, { schema: { properties: Json; required?: string[] }; example?: Json }> };
  responses: Record<string, { content?: Record<string, { example?: unknown }> }>;
}

const whole = openApiDocument({ samples }) as {
  openapi: string;
  paths: Record<string, Record<string, PathOperation>>;
  components: { schemas: Record<string, Json> };
};

/** All objects in a value, at any depth. */
function* objectsIn(value: unknown): Generator<Json> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Json;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

describe("the OpenAPI document of all operations", () => {
  it("has no dangling references and no unused schemas", () => {
    const referred = [...objectsIn(whole)].flatMap(({ $ref }) => (typeof $ref === "string" ? [$ref] : []));
    const known = Object.keys(whole.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect([...new Set(referred)].sort()).toEqual(known.sort());
  });

  it("contains only JSON Schema 2020-12, and nothing from the generator", () => {
    for (const found of objectsIn(whole))
      for (const keyword of ["$schema", "$id", "$defs", "nullable"]) expect(found).not.toHaveProperty(keyword);
    expect(JSON.parse(JSON.stringify(whole))).toEqual(whole);
  });
});
