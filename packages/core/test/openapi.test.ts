import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineOperation, type Operation, type OperationName, openApiDocument, operations, requestFields } from "../src/index.ts";
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
      other: z.union([z.null(), z.boolean()]).optional(),
      either: z.union([z.int(), z.string()]).optional(),
    },
    contentType: "application/merge+json",
    body: { box: Box, part: Part.optional(), kind: z.string().default("x") },
    output: Thing,
    errors: { 400: { body: "list", when: ["A field is wrong", "Another one is"] }, 409: { body: "single", when: ["It exists"] } },
  } as never) as Operation;
  const { paths, components } = document(operation, {
    samples: { saveThing: { input: { thing: "t", box: { part: { id: "p" } }, other: 1 }, output: { parts: [] } } },
  });
  expect(paths).toEqual({
    "/public/customer/{customerId}/things/{thing}": {
      servers: [
        {
          url: "{base_url}",
          description: "Core API, with its path prefix",
          variables: { base_url: { default: "https://fleet.example.com", description: "Core API, with its path prefix" } },
        },
        {
          url: "{fleet_url}",
          description: "Fleet management API, with its path prefix",
          variables: { fleet_url: { default: "https://fleet.example.com", description: "Fleet management API, with its path prefix" } },
        },
      ],
      put: {
        operationId: "saveThing",
        tags: ["customer"],
        summary: "Do it",
        description: "See a test.",
        security: [{ basic: [] }, { bearer: [] }, { connectToken: [] }],
        parameters: [
          {
            name: "customerId",
            in: "path",
            required: true,
            description: "Customer that the call is scoped to",
            schema: { type: "string", pattern: "^[A-Za-z0-9]+$" },
          },
          { name: "thing", in: "path", required: true, description: undefined, schema: { type: "string" } },
          {
            name: "ids",
            in: "query",
            required: false,
            description: "Ids to save",
            style: "form",
            explode: false,
            schema: { type: "array", items: { type: "integer" } },
          },
          {
            name: "free",
            in: "query",
            required: false,
            description: undefined,
            style: "form",
            explode: true,
            schema: { type: "object", propertyNames: { type: "string" }, additionalProperties: { type: "string" } },
          },
          {
            name: "flag",
            in: "query",
            required: true,
            description: undefined,
            schema: {
              anyOf: [
                { type: "boolean", deprecated: true },
                { type: "string", const: "null" },
              ],
            },
          },
          {
            name: "other",
            in: "query",
            required: false,
            description: undefined,
            schema: { anyOf: [{ type: "boolean" }, { type: "string", const: "null" }] },
          },
          { name: "either", in: "query", required: false, description: undefined, schema: { type: ["integer", "string"] } },
        ],
        requestBody: {
          required: true,
          content: {
            "application/merge+json": {
              schema: {
                type: "object",
                properties: {
                  box: { $ref: "#/components/schemas/Box" },
                  part: { $ref: "#/components/schemas/Part", description: "A part" },
                  kind: { type: "string", default: "x" },
                },
                required: ["box", "kind"],
              },
              example: { box: { part: { id: "p" } } },
            },
          },
        },
        responses: {
          200: {
            description: "Do it",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" }, example: { parts: [] } } },
          },
          400: {
            description: "A field is wrong. Another one is.",
            content: { "application/json": { schema: { type: "array", items: error } } },
          },
          409: { description: "It exists.", content: { "application/json": { schema: error } } },
          default: { description: "Undocumented: the interface does not describe other responses" },
        },
      },
    },
  });
  expect(Object.keys(components.schemas)).toEqual(["ApiError", "Box", "Crate", "Part", "Thing"]);
  expect(components.schemas).toMatchObject({
    Part: { type: "object", description: "A part", properties: { id: { type: "string" } }, required: ["id"] },
    Crate: { properties: { thing: { type: "array", items: { $ref: "#/components/schemas/Thing" } } } },
    Thing: {
      properties: {
        parts: { type: "array", items: { $ref: "#/components/schemas/Part" } },
        spare: { $ref: "#/components/schemas/Part", description: "The spare part" },
        box: { $ref: "#/components/schemas/Crate" },
      },
      required: ["parts"],
    },
  });
});

const bare = defineOperation({ ...common, name: "ping", path: "/ping", output: z.string() }) as Operation;

describe("an operation with little", () => {
  it("has no parameters, body or example", () => {
    expect(document(bare).paths["/ping"]?.["get"]).toEqual({
      operationId: "ping",
      tags: ["service"],
      summary: "Do it",
      description: "See a test.",
      security: [{ basic: [] }],
      parameters: [],
      responses: {
        200: { description: "Do it", content: { "application/json": { schema: { type: "string" } } } },
        default: { description: "Undocumented: the interface does not describe other responses" },
      },
    });
  });

  it("that is undocumented shows no example", () => {
    const { paths } = document({ ...bare, undocumented: true } as never, { samples: { ping: { input: {}, output: "x" } } });
    expect(paths["/ping"]?.["get"]).toMatchObject({
      description: "See a test. Only the path is documented: parameters and response are passed through.",
      responses: {
        200: {
          description: "Undocumented: the service's response is passed through",
          content: { "application/json": { schema: { type: "string" } } },
        },
      },
    });
    expect(JSON.stringify(paths)).not.toContain('"example"');
  });

  it("with an optional body requires none of its fields", () => {
    const operation = defineOperation({
      ...common,
      name: "post",
      method: "POST",
      path: "/post",
      body: { a: z.string().optional() },
      output: z.void(),
    }) as Operation;
    expect(document(operation).paths["/post"]?.["post"]?.["requestBody"]).toEqual({
      required: true,
      content: { "application/json": { schema: { type: "object", properties: { a: { type: "string" } } } } },
    });
  });

  it("shares its path with another method", () => {
    const other = { ...bare, name: "pong", method: "POST" } as Operation;
    expect(Object.keys(openApiDocumentPaths({ ping: bare, pong: other })["/ping"] ?? {})).toEqual(["servers", "get", "post"]);
  });
});

const openApiDocumentPaths = (operations: Record<string, Operation>) => openApiDocument({ operations })["paths"] as Record<string, object>;

it("the document describes itself, its servers and its schemes", () => {
  const { paths: _, components, ...about } = document(bare);
  expect(about).toEqual({
    openapi: "3.1.0",
    info: {
      title: "Fleet operations interface",
      version: "v1",
      summary: "Groups, vehicle faults, live positions, jobs and tachograph activity",
      description:
        "Generated from the operations of @fleetwire/core. What the interface does not specify is marked as undocumented, never guessed.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "https://fleet.example.com", description: "Placeholder; each operation has its own server" }],
    tags: [
      { name: "customer", description: "Scoped to a customer by the path" },
      { name: "service", description: "Scoped only by the credentials" },
    ],
  });
  expect(components).toMatchObject({
    securitySchemes: {
      basic: { type: "http", scheme: "basic", description: expect.any(String) },
      bearer: { type: "http", scheme: "bearer", description: expect.any(String) },
      connectToken: { type: "apiKey", in: "header", name: "x-connect-token", description: expect.any(String) },
    },
  });
});

it.each([
  ["base", "base_url"],
  ["fleet", "fleet_url"],
  ["apiHost", "api_host"],
  ["job", "job_url"],
  ["tacho", "tacho_url"],
  ["auth", "auth_url"],
])("the server %s is the variable %s", (server, variable) => {
  expect(document({ ...bare, servers: [server] } as never).paths["/ping"]?.["servers"]).toEqual([
    {
      url: `{${variable}}`,
      description: expect.stringMatching(/^\w/),
      variables: { [variable]: { default: "https://fleet.example.com", description: expect.stringMatching(/^\w/) } },
    },
  ]);
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
const all = Object.values<Operation>(operations);

/** All objects in a value, at any depth. */
function* objectsIn(value: unknown): Generator<Json> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Json;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

describe("the OpenAPI document of all operations", () => {
  it("has version 3.1, is deterministic, and has no other paths", () => {
    expect(whole.openapi).toMatch(/^3\.1\./);
    expect(openApiDocument({ samples })).toEqual(whole);
    expect(Object.keys(whole.paths).sort()).toEqual(all.map(({ path }) => path).sort());
  });

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

  it.each(all.map((operation) => ({ operation, name: operation.name })))("has the fields of $name, and its example", ({ operation }) => {
    const { path, method, name, body, contentType = "", errors = {}, undocumented } = operation;
    const { operationId, parameters, requestBody, responses } = whole.paths[path]?.[method.toLowerCase()] ?? ({} as PathOperation);
    expect(operationId).toBe(name);
    const fields = requestFields(operation);
    const sent = Object.keys(fields).filter((field) => fields[field]?.in !== "body");
    const file = "open packages/core/src/openapi/openapi-document.ts";
    const inPath = path.includes("{customerId}") ? ["customerId"] : [];
    const found = parameters.map((parameter) => parameter.name);
    expect(found, file).toEqual([...inPath, ...sent]);
    const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, placeholder]) => placeholder);
    expect(parameters.filter((parameter) => parameter.in === "path" && parameter.required).map((parameter) => parameter.name)).toEqual(
      placeholders,
    );
    const { schema, example } = requestBody?.content[contentType] ?? {};
    expect(Object.keys(schema?.properties ?? {}), file).toEqual(Object.keys(body ?? {}));
    expect(Object.keys(responses).sort()).toEqual(["200", ...Object.keys(errors), "default"].sort());
    if (undocumented) return;
    const { input, output } = samples[name as OperationName];
    expect(responses["200"]?.content?.["application/json"]?.example).toEqual(output);
    expect(Object.keys(example ?? {})).toEqual(Object.keys(input).filter((field) => fields[field]?.in === "body"));
  });

  it("requires what the client adds by itself, too", () => {
    const { requestBody } = whole.paths[operations.requestAccessToken.path]?.["post"] ?? {};
    expect(Object.values(requestBody?.content ?? {}).map(({ schema }) => schema.required)).toEqual([["grant_type"]]);
  });

  it("has no examples if none are given", () => {
    expect([...objectsIn(openApiDocument())].filter((found) => "example" in found && "schema" in found)).toEqual([]);
  });
});
