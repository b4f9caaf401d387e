import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Operation, openApiDocument, operations } from "../src/index.ts";

type Json = Record<string, unknown>;

interface PathOperation {
  operationId: string;
  security: Record<string, string[]>[];
  parameters: { name: string; in: string; required: boolean; style?: string; explode?: boolean; schema: Json }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Json; example?: Json }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: Json; example?: unknown }> }>;
}

const document = openApiDocument() as {
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

/** Every object anywhere in a value. */
function* objectsIn(value: unknown): Generator<Json> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Json;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

describe("the OpenAPI document", () => {
  it("is the one that is committed", () => {
    const committed = readFileSync(new URL("../openapi.json", import.meta.url), "utf8");
    expect(committed === `${JSON.stringify(openApiDocument(), null, 2)}\n`, "openapi.json is stale: run npm run openapi").toBe(true);
  });

  it("is of version 3.1 and the same each time", () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(openApiDocument()).toEqual(openApiDocument());
  });

  // Written by hand from the interface description: full path below each server, and the schemes of the architecture's table.
  it.each([
    ["requestAccessToken", "post /vendor-oauth/oauth/accessToken", "{auth_url}", "basic"],
    ["updateGroup", "put /public/v1/customer/{customerId}/group", "{base_url} {fleet_url}", "basic bearer"],
    ["listVehicleFaults", "get /public/v1/customer/{customerId}/vehicle/faults", "{base_url}", "basic"],
    ["listLivePositions", "get /public/v1/customer/{customerId}/tracking/live", "{base_url}", "basic bearer"],
    ["createJob", "post /jobs/job/create", "{job_url}", "connectToken"],
    ["queryTachoActivity", "post /bvfm/services/public/v1/customer/{customerId}/tacho/activity", "{tacho_url}", "bearer"],
    ["listTireEvents", "get /public/v1/customer/{customerId}/tire/events", "{base_url}", "bearer"],
    ["listJobs", "get /job-management/v1/customer/{customerId}/jobs", "{api_host}", "connectToken"],
  ])("%s: %s at %s with %s", (name, request, servers, security) => {
    const [method = "", path = ""] = request.split(" ");
    const item = document.paths[path];
    expect(item?.[method]?.operationId).toBe(name);
    expect(item?.servers.map(({ url }) => url).join(" ")).toBe(servers);
    expect(item?.[method]?.security.map((scheme) => Object.keys(scheme).join("+")).join(" ")).toBe(security);
  });

  it("has no other paths", () => expect(Object.keys(document.paths)).toHaveLength(8));

  it("explains its security schemes", () => {
    expect(document.components.securitySchemes).toMatchObject({
      basic: { type: "http", scheme: "basic" },
      bearer: { type: "http", scheme: "bearer" },
      connectToken: { type: "apiKey", in: "header", name: "x-connect-token" },
    });
  });

  it("refers only to schemas that it has, and has none that nothing refers to", () => {
    const referred = [...objectsIn(document)].flatMap(({ $ref }) => (typeof $ref === "string" ? [$ref] : []));
    const known = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect([...new Set(referred)].sort()).toEqual(known.sort());
  });

  it("writes every shape of the interface once, by name", () => {
    expect(Object.keys(document.components.schemas)).toEqual(
      `AccessToken ApiError Fault FaultDetails Group Job JobCreation JobError JobHistoryEntry JobPhoto JobSignature JobType LivePosition
       Pagination ResourceFile StatusHistoryEntry SubStatus TachoActivity TachoActivityPage TachoDriver TaskAnswer TaskAnswerValue
       VehicleFaults VehicleFaultsPage VisitResult`.split(/\s+/),
    );
  });

  it("holds nothing that is no JSON Schema of 2020-12 or tells of the tools it was made with", () => {
    for (const found of objectsIn(document))
      for (const keyword of ["$schema", "$id", "$defs", "nullable"]) expect(found).not.toHaveProperty(keyword);
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });
});

describe("an operation in the document", () => {
  it.each(all.map((operation) => ({ operation, name: operation.name })))("$name has its parameters, body and answers", ({ operation }) => {
    const { parameters, requestBody, responses } = entry(operation);
    const inPath = operation.path.includes("{customerId}") ? ["customerId"] : [];
    expect(parameters.map(({ name }) => name)).toEqual([...inPath, ...Object.keys(operation.query)]);
    expect(parameters.filter((parameter) => parameter.in === "path").every(({ required }) => required)).toBe(true);
    expect(Object.keys(requestBody?.content ?? {})).toEqual(operation.body ? [operation.contentType] : []);
    const schema = requestBody?.content[operation.contentType ?? ""]?.schema as { properties: Json } | undefined;
    expect(Object.keys(schema?.properties ?? {})).toEqual(Object.keys(operation.body ?? {}));
    expect(Object.keys(responses).sort()).toEqual(["200", ...Object.keys(operation.errors ?? {}), "default"].sort());
    expect(responses["default"]?.description).toMatch(/^Undocumented/);
  });

  it.each(all.filter(({ example }) => example).map((operation) => ({ operation, name: operation.name })))(
    "$name shows an example",
    ({ operation }) => {
      const { requestBody, responses } = entry(operation);
      expect(responses["200"]?.content?.["application/json"]?.example).toEqual(operation.example?.output);
      if (operation.body) expect(requestBody?.content[operation.contentType ?? ""]?.example).toEqual(operation.example?.input);
    },
  );

  it("updateGroup answers 400 with a list of errors and 409 with one", () => {
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

  it("listLivePositions joins lists by commas", () => {
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

  it("marks what is deprecated and what is only read", () => {
    const tacho = entry(operations.queryTachoActivity).requestBody?.content["application/json"]?.schema as { properties: Json };
    expect(tacho.properties["dataContent"]).toMatchObject({ deprecated: true, enum: ["live", "DDD"] });
    expect((document.components.schemas["Group"] as { properties: Json }).properties["path"]).toMatchObject({ readOnly: true });
  });
});
