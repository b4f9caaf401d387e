import { describe, expect, it } from "vitest";
import * as z from "zod";
import { renderInputs } from "../scripts/interfaces/render.ts";
import { defineOperation, Identifier, openApiDocument, operations, pathOf, previewRequest, requestFields } from "../src/index.ts";

const path = "/public/v1/customer/{customerId}/vehicle/{vehicleId}/trips/{day}";

const endTrips = defineOperation({
  name: "endTrips",
  summary: "End the trips of a vehicle on a day",
  source: "our own notes",
  method: "POST",
  path,
  servers: ["base"],
  auth: ["basic"],
  contentType: "application/json",
  params: { vehicleId: Identifier.describe("Whose trips they are"), day: z.string().describe("As the service writes it") },
  query: { force: z.boolean().optional().describe("Also those under way") },
  body: { reason: z.string().optional().describe("Why they end") },
  output: z.void(),
  effect: "update",
});

describe("the fields of a request", () => {
  it("are those of the path, the query and the body, each with its place", () => {
    const places = Object.entries(requestFields(endTrips)).map(([name, field]) => [name, field.in]);
    expect(places, "open packages/core/src/request-fields.ts").toEqual([
      ["vehicleId", "path"],
      ["day", "path"],
      ["force", "query"],
      ["reason", "body"],
    ]);
    expect(requestFields(endTrips)["vehicleId"]?.schema).toBe(endTrips.params?.["vehicleId"]);
    expect(requestFields(operations.listJobs)).toEqual({ query: { in: "query", schema: operations.listJobs.query["query"] } });
  });

  it("do not include the customer, whose id comes from the client", () => {
    for (const operation of Object.values(operations)) expect(requestFields(operation), operation.name).not.toHaveProperty("customerId");
  });
});

describe("the path of an operation", () => {
  it("has its placeholders filled in, percent-encoded", () => {
    const values = { customerId: "c42", vehicleId: "v1", day: "2026/11 ä", force: true };
    expect(pathOf(endTrips, values)).toBe("/public/v1/customer/c42/vehicle/v1/trips/2026%2F11%20%C3%A4");
  });

  it("accepts another encoding, such as a route", () => {
    expect(pathOf(endTrips, {}, (_, name) => `:${name}`)).toBe("/public/v1/customer/:customerId/vehicle/:vehicleId/trips/:day");
  });

  it("rejects malformed Unicode", () => {
    expect(() => pathOf(endTrips, { customerId: "c42", vehicleId: "\ud800", day: "1" })).toThrow(URIError);
  });
});

describe("an operation with path parameters", () => {
  it("shows them in the path of a preview, and nowhere else", () => {
    const preview = previewRequest(endTrips, { vehicleId: "v1", day: "1/2", force: true, reason: "done" }, "c42");
    expect(preview, "open packages/core/src/client/build-request.ts").toEqual({
      method: "POST",
      path: "/public/v1/customer/c42/vehicle/v1/trips/1%2F2",
      query: { force: "true" },
      body: { reason: "done" },
    });
  });

  it("has them in the interface of its input", () => {
    expect(
      renderInputs([endTrips]),
      "open packages/core/scripts/interfaces/render.ts",
    ).toBe(`// Written by npm run generate. Change the schemas and operations instead.

/** Input of endTrips (our own notes). */
export interface EndTripsInput {
  /** Whose trips they are. Must consist of letters and digits only. */
  vehicleId: string;
  /** As the service writes it. */
  day: string;
  /** Also those under way. */
  force?: boolean | undefined;
  /** Why they end. */
  reason?: string | undefined;
}
`);
  });

  it("has them in the OpenAPI document, required and described", () => {
    const { paths } = openApiDocument({ operations: { endTrips } }) as { paths: Record<string, Record<string, { parameters: unknown }>> };
    const text = { type: "string" };
    expect(Object.keys(paths)).toEqual([path]);
    expect(paths[path]?.["post"]?.parameters, "open packages/core/src/openapi/openapi-document.ts").toEqual([
      { name: "customerId", in: "path", required: true, description: expect.any(String), schema: { ...text, pattern: "^[A-Za-z0-9]+$" } },
      {
        name: "vehicleId",
        in: "path",
        required: true,
        description: "Whose trips they are",
        schema: { ...text, pattern: "^[A-Za-z0-9]+$" },
      },
      { name: "day", in: "path", required: true, description: "As the service writes it", schema: text },
      { name: "force", in: "query", required: false, description: "Also those under way", schema: { type: "boolean" } },
    ]);
  });

  it("shares a path with another operation in the document", () => {
    const listTrips = { ...endTrips, name: "listTrips", method: "GET" as const };
    const { paths } = openApiDocument({ operations: { endTrips, listTrips } }) as { paths: Record<string, object> };
    expect(Object.keys(paths[path] ?? {})).toEqual(["servers", "post", "get"]);
  });
});
