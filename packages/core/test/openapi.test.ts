import { describe, expect, it } from "vitest";
import { type Operation, type OperationName, openApiDocument, operations, requestFields, type ServerName } from "../src/index.ts";
import { samples } from "../src/samples/index.ts";

type Json = Record<string, unknown>;

interface PathOperation {
  operationId: string;
  security: Record<string, string[]>[];
  parameters: { name: string; in: string; required: boolean; style?: string; explode?: boolean; schema: Json }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Json; example?: Json }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: Json; example?: unknown }> }>;
}

const document = openApiDocument({ samples }) as {
  openapi: string;
  paths: Record<string, Record<string, PathOperation> & { servers: { url: string }[] }>;
  components: { schemas: Record<string, Json>; securitySchemes: Record<string, Json> };
};

const all = Object.values<Operation>(operations);

function entry({ path, method }: Operation): PathOperation {
  const found = document.paths[path]?.[method.toLowerCase()];
  if (!found) throw new Error(`${method} ${path} is not in the document`);
  return found;
}

/** The placeholders of the interface description. */
const PLACEHOLDERS: Readonly<Record<ServerName, string>> = {
  base: "{base_url}",
  fleet: "{fleet_url}",
  apiHost: "{api_host}",
  job: "{job_url}",
  tacho: "{tacho_url}",
  auth: "{auth_url}",
};

/** All objects in a value, at any depth. */
function* objectsIn(value: unknown): Generator<Json> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Json;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

it.each<[OperationName, string[] | undefined]>([
  ["requestAccessToken", ["grant_type"]],
  ["updateGroup", ["id"]],
  ["queryTachoActivity", ["startTime", "endTime"]],
  ["createJob", undefined],
])("the body of %s requires %j, even what the client adds by itself", (name, required) => {
  const [{ schema } = { schema: {} }] = Object.values(entry(operations[name]).requestBody?.content ?? {});
  expect(schema["required"]).toEqual(required);
});

describe("the OpenAPI document", () => {
  it("has version 3.1 and is deterministic", () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(openApiDocument({ samples })).toEqual(document);
  });

  it.each(all.map((operation) => ({ operation, name: operation.name })))("has $name at its servers, with its schemes", ({ operation }) => {
    const { operationId, security } = entry(operation);
    expect(operationId).toBe(operation.name);
    // The last server is always configured, and readers treat the first one as the default.
    const placeholders = operation.servers.toReversed().map((server) => PLACEHOLDERS[server]);
    expect(document.paths[operation.path]?.servers.map(({ url }) => url)).toEqual(placeholders);
    const schemes = operation.auth.map((scheme) => (scheme === "connect-token" ? "connectToken" : scheme));
    expect(security.map((scheme) => Object.keys(scheme).join("+"))).toEqual(schemes);
  });

  it("has no other paths", () => expect(Object.keys(document.paths).sort()).toEqual(all.map(({ path }) => path).sort()));

  it("explains its security schemes", () => {
    expect(document.components.securitySchemes).toMatchObject({
      basic: { type: "http", scheme: "basic" },
      bearer: { type: "http", scheme: "bearer" },
      connectToken: { type: "apiKey", in: "header", name: "x-connect-token" },
    });
  });

  it("has no dangling references and no unused schemas", () => {
    const referred = [...objectsIn(document)].flatMap(({ $ref }) => (typeof $ref === "string" ? [$ref] : []));
    const known = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect([...new Set(referred)].sort()).toEqual(known.sort());
  });

  it("contains only JSON Schema 2020-12, and nothing from the generator", () => {
    for (const found of objectsIn(document))
      for (const keyword of ["$schema", "$id", "$defs", "nullable"]) expect(found).not.toHaveProperty(keyword);
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });
});

describe("an operation in the document", () => {
  it.each(all.map((operation) => ({ operation, name: operation.name })))(
    "$name has its parameters, body and responses",
    ({ operation }) => {
      const { parameters, requestBody, responses } = entry(operation);
      const inPath = operation.path.includes("{customerId}") ? ["customerId"] : [];
      const sent = Object.entries(requestFields(operation)).flatMap(([name, { in: place }]) => (place === "body" ? [] : [name]));
      const file = "open packages/core/src/openapi/openapi-document.ts";
      expect(
        parameters.map(({ name }) => name),
        file,
      ).toEqual([...inPath, ...sent]);
      expect(parameters.filter((parameter) => parameter.in === "path").every(({ required }) => required)).toBe(true);
      expect(Object.keys(requestBody?.content ?? {})).toEqual(operation.body ? [operation.contentType] : []);
      const schema = requestBody?.content[operation.contentType ?? ""]?.schema as { properties: Json } | undefined;
      expect(Object.keys(schema?.properties ?? {})).toEqual(Object.keys(operation.body ?? {}));
      expect(Object.keys(responses).sort()).toEqual(["200", ...Object.keys(operation.errors ?? {}), "default"].sort());
      expect(responses["default"]?.description).toMatch(/^Undocumented/);
    },
  );

  it.each(all.filter(({ undocumented }) => !undocumented).map((operation) => ({ operation, name: operation.name })))(
    "$name shows an example",
    ({ operation }) => {
      const { requestBody, responses } = entry(operation);
      const { input, output } = samples[operation.name as OperationName];
      expect(responses["200"]?.content?.["application/json"]?.example).toEqual(output);
      const shown = requestBody?.content[operation.contentType ?? ""]?.example ?? {};
      expect(input).toMatchObject(shown);
      expect(Object.keys(shown)).toEqual(Object.keys(input).filter((name) => requestFields(operation)[name]?.in === "body"));
    },
  );

  it("has no examples if none are given", () => {
    expect([...objectsIn(openApiDocument())].filter((found) => "example" in found && "schema" in found)).toEqual([]);
  });

  it("updateGroup documents 400 with a list of errors and 409 with a single one", () => {
    const { responses } = entry(operations.updateGroup);
    const error = { $ref: "#/components/schemas/ApiError" };
    expect(responses["400"]?.content?.["application/json"]?.schema).toEqual({ type: "array", items: error });
    expect(responses["409"]?.content?.["application/json"]?.schema).toEqual(error);
  });

  it.each([
    [operations.updateGroup, ["id"]],
    [operations.queryTachoActivity, ["startTime", "endTime"]],
    [operations.requestAccessToken, ["grant_type"]],
    [operations.createJob, undefined],
  ])("%# requires what is required", (operation: Operation, required) => {
    const { requestBody } = entry(operation);
    expect(requestBody?.required).toBe(true);
    expect(requestBody?.content[operation.contentType ?? ""]?.schema["required"]).toEqual(required);
  });

  it("listLivePositions sends lists comma-separated", () => {
    const lists = entry(operations.listLivePositions).parameters.filter(({ schema }) => schema["type"] === "array");
    expect(lists.map(({ name, style, explode }) => [name, style, explode])).toEqual([
      ["vehicleIds", "form", false],
      ["groupIds", "form", false],
      ["driverIds", "form", false],
    ]);
  });

  it("createJob's override may be the word null", () => {
    expect(entry(operations.createJob).parameters).toMatchObject([
      { name: "override", in: "query", schema: { anyOf: [{ type: "boolean" }, { const: "null" }] } },
    ]);
  });

  it.each([operations.listTireEvents, operations.listJobs].map((operation) => ({ operation, name: operation.name })))(
    "$name is called undocumented",
    ({ operation }) => {
      const { responses } = entry(operation);
      expect(responses["200"]?.description).toMatch(/^Undocumented/);
      expect(responses["200"]?.content?.["application/json"]?.schema).toEqual({});
    },
  );

  it("marks deprecated and read-only fields", () => {
    const tacho = entry(operations.queryTachoActivity).requestBody?.content["application/json"]?.schema as { properties: Json };
    expect(tacho.properties["dataContent"]).toMatchObject({ deprecated: true, enum: ["live", "DDD"] });
    expect((document.components.schemas["Group"] as { properties: Json }).properties["path"]).toMatchObject({ readOnly: true });
  });
});
