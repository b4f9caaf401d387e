import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type Operation, type OperationName, operations } from "../src/index.ts";
import { all, type FieldTable, fieldTable } from "./field-table.ts";

interface Row {
  name: OperationName;
  request: string;
  servers: string[];
  auth: string[];
  contentType?: string;
  effect: string;
  query?: FieldTable;
  body?: FieldTable;
  errors?: Record<number, string>;
}

// Written by hand from the interface description, parts 4 and 5, and the table of operations in the architecture.
const rows: Row[] = [
  {
    name: "requestAccessToken",
    request: "POST /vendor-oauth/oauth/accessToken",
    servers: ["auth"],
    auth: ["basic"],
    contentType: "application/x-www-form-urlencoded",
    effect: "read",
    body: { grant_type: "string client_credentials required" },
  },
  {
    name: "updateGroup",
    request: "PUT /public/v1/customer/{customerId}/group",
    servers: ["fleet", "base"],
    auth: ["basic", "bearer"],
    contentType: "application/json;charset=UTF-8",
    effect: "update",
    body: { id: "string required", ...all("string", "name parentId"), ...all("string[]", "vehicleIds personIds") },
    errors: { 400: "list", 409: "one" },
  },
  {
    name: "listVehicleFaults",
    request: "GET /public/v1/customer/{customerId}/vehicle/faults",
    servers: ["base"],
    auth: ["basic"],
    effect: "read",
    query: { ...all("string", "vehicleId groupId startDate endDate"), ...all("integer", "pageSize pageIndex") },
  },
  {
    name: "listLivePositions",
    request: "GET /public/v1/customer/{customerId}/tracking/live",
    servers: ["base"],
    auth: ["basic", "bearer"],
    effect: "read",
    query: {
      ...all("string[]", "vehicleIds groupIds driverIds"),
      fromDateTime: "string date-time",
      ...all("boolean", "showAllVehicleStatus hideSpeedIfSpeedSensitive"),
      locale: "string",
    },
  },
  {
    name: "createJob",
    request: "POST /jobs/job/create",
    servers: ["job"],
    auth: ["connect-token"],
    contentType: "application/json",
    effect: "create",
    query: { override: "boolean|null" },
  },
  {
    name: "queryTachoActivity",
    request: "POST /bvfm/services/public/v1/customer/{customerId}/tacho/activity",
    servers: ["tacho"],
    auth: ["bearer"],
    contentType: "application/json",
    effect: "read",
    body: {
      ...all("string required", "startTime endTime"),
      ...all("string[]", "driverKeys registrations"),
      dataContent: "string live|DDD deprecated",
      ...all("integer", "skip limit"),
      sort: "object",
    },
  },
  {
    name: "listTireEvents",
    request: "GET /public/v1/customer/{customerId}/tire/events",
    servers: ["base"],
    auth: ["bearer"],
    effect: "read",
    query: { query: "object" },
  },
  {
    name: "listJobs",
    request: "GET /job-management/v1/customer/{customerId}/jobs",
    servers: ["apiHost"],
    auth: ["connect-token"],
    effect: "read",
    query: { query: "object" },
  },
];

const sortKeys = `driverId driverKey activities.assetId activities.startTime activities.type activities.activity activities.startLatitude
  activities.startLongitude activities.endTime activities.endLatitude activities.endLongitude activities.vehicleFriendlyName
  activities.driverCardSlot activities.isStartOfShift activities.isEndOfShift`;

const entries = Object.entries<Operation>(operations);

describe("the registry", () => {
  it("has the eight operations, each under its own name", () => {
    expect(entries.map(([name]) => name)).toEqual(rows.map(({ name }) => name));
    for (const [name, operation] of entries) expect(operation.name).toBe(name);
  });

  it.each(rows)("$name: $request", ({ name, request, servers, auth, contentType, effect, errors = {} }) => {
    const operation: Operation = operations[name];
    expect({ request: `${operation.method} ${operation.path}`, effect: operation.effect, contentType: operation.contentType }).toEqual({
      request,
      effect,
      contentType,
    });
    expect(operation.servers).toEqual(servers);
    expect(operation.auth).toEqual(auth);
    expect(Object.fromEntries(Object.entries(operation.errors ?? {}).map(([status, { body }]) => [status, body]))).toEqual(errors);
  });

  it.each(rows.filter(({ name }) => name !== "createJob"))("$name has the documented fields, no more and no fewer", ({ name, ...row }) => {
    const { query, body = {} }: Operation = operations[name];
    expect(fieldTable(z.object(query))).toEqual(row.query ?? {});
    // A field with a default need not be given, but is always sent.
    expect(fieldTable(z.object(body))).toEqual(row.body ?? {});
  });

  it("createJob has the fields of a job in its body and override in its query", () => {
    expect(fieldTable(z.object(operations.createJob.query))).toEqual({ override: "boolean|null" });
    expect(Object.keys(operations.createJob.body ?? {})).toHaveLength(50);
  });

  it("queryTachoActivity sorts by fifteen fields, upwards or downwards", () => {
    const { sort } = operations.queryTachoActivity.body as { sort: z.ZodType };
    const expected = all("string ASC|DESC", sortKeys);
    expect(Object.keys(expected)).toHaveLength(15);
    expect(fieldTable(sort)).toEqual(expected);
  });
});

describe("what follows from an operation", () => {
  it("pages of faults by index from 0, of activities by skip and limit", () => {
    expect(entries.flatMap(([name, { paging }]) => (paging ? [[name, paging.kind]] : []))).toEqual([
      ["listVehicleFaults", "page"],
      ["queryTachoActivity", "offset"],
    ]);
  });

  it("is undocumented where only the path is known", () => {
    expect(entries.filter(([, { undocumented }]) => undocumented).map(([name]) => name)).toEqual(["listTireEvents", "listJobs"]);
  });

  it("is offered to a model for all but the token", () => {
    expect(entries.filter(([, { tool }]) => !tool).map(([name]) => name)).toEqual(["requestAccessToken"]);
  });

  it.each(entries.filter(([, { tool }]) => tool?.inputs))("%s offers only inputs that it has", (_, { tool, query, body }) => {
    const fields = Object.keys({ ...query, ...body });
    for (const input of tool?.inputs ?? []) expect(fields).toContain(input);
  });

  it("never offers a deprecated field, the customer, or the speed rule to a model", () => {
    const offered = entries.flatMap(([, { tool, query, body }]) => (tool ? (tool.inputs ?? Object.keys({ ...query, ...body })) : []));
    for (const withheld of ["dataContent", "customerId", "hideSpeedIfSpeedSensitive", "path"]) expect(offered).not.toContain(withheld);
  });

  it.each(entries.filter(([, { example }]) => example))("%s has an example that its own schemas take", (_, { example, input, output }) => {
    expect(input.safeParse(example?.input).error?.issues).toBeUndefined();
    expect(output.safeParse(example?.output).error?.issues).toBeUndefined();
  });

  it("names customers only by the path", () => {
    for (const [name, { query, body }] of entries) expect(Object.keys({ ...query, ...body }), name).not.toContain("customerId");
  });
});
