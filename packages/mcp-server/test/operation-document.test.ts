import { defineOperation, Identifier, type Operation, operations, requestFields } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { operationDocument } from "../src/mcp/operation-document.ts";

const endTrips = defineOperation({
  name: "endTrips",
  summary: "End the trips of a vehicle",
  source: "our own notes",
  method: "POST",
  path: "/public/v1/customer/{customerId}/vehicle/{vehicleId}/trips",
  servers: ["base"],
  auth: ["basic"],
  params: { vehicleId: Identifier.describe("Whose trips they are") },
  query: { force: z.boolean().optional().describe("Also those under way") },
  body: { reason: z.string().describe("Why they end") },
  output: z.void(),
  effect: "update",
});

const rowsOf = (document: string) => document.split("\n").filter((line) => line.startsWith("| "));

describe("the documentation of an operation", () => {
  it("has a row for each field of path, query and body", () => {
    expect(rowsOf(operationDocument(endTrips)).slice(2), "open packages/mcp-server/src/mcp/operation-document.ts").toEqual([
      "| vehicleId | path | string | yes | Whose trips they are |",
      "| force | query | boolean |  | Also those under way |",
      "| reason | body | string | yes | Why they end |",
    ]);
  });

  it.each(Object.values<Operation>(operations).map((operation) => [operation.name, operation] as const))(
    "of %s has a row for each input field",
    (_, operation) => {
      const named = rowsOf(operationDocument(operation)).map((row) => row.split(" | ")[0]?.slice(2));
      expect(named.slice(2)).toEqual(Object.keys(requestFields(operation)));
    },
  );
});
