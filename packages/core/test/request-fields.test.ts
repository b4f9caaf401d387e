import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineOperation, Identifier, type Operation, openApiDocument, operations, pathOf, requestFields } from "../src/index.ts";

const move = defineOperation({
  name: "moveTrip",
  summary: "Move a trip",
  source: "our own notes",
  method: "PUT",
  path: "/v1/customer/{customerId}/trip/{tripId}/{part}",
  servers: ["base"],
  auth: ["basic"],
  params: { tripId: Identifier, part: z.string() },
  query: { force: z.boolean().optional() },
  body: { vehicleId: Identifier },
  output: z.void(),
  effect: "update",
});

const placesOf = (operation: Operation) => Object.entries(requestFields(operation)).map(([name, field]) => `${field.in} ${name}`);
const placeholders = ({ path }: Operation) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name).filter((name) => name !== "customerId");

describe("the fields of a request", () => {
  it("are those of the path, the query and the body", () => {
    expect(placesOf(move as Operation), "see packages/core/src/request-fields.ts").toEqual([
      "path tripId",
      "path part",
      "query force",
      "body vehicleId",
    ]);
  });

  it.each(Object.values<Operation>(operations).map((operation) => [operation.name, operation] as const))(
    "of %s hold each placeholder of its path, in the OpenAPI document too",
    (_, operation) => {
      const wanted = placeholders(operation).map((name) => `path ${name}`);
      expect(placesOf(operation), "see packages/core/src/request-fields.ts").toEqual(expect.arrayContaining(wanted));
      const { paths } = openApiDocument() as unknown as {
        paths: Record<string, Record<string, { parameters?: { in: string; name: string }[] }>>;
      };
      const { parameters = [] } = paths[operation.path]?.[operation.method.toLowerCase()] ?? {};
      const documented = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      expect(documented, "see packages/core/src/openapi/openapi-document.ts").toEqual(expect.arrayContaining(wanted));
    },
  );

  it("fill the path, percent-encoded", () => {
    expect(pathOf(move, { customerId: "c1", tripId: "t1", part: "a/b" })).toBe("/v1/customer/c1/trip/t1/a%2Fb");
  });
});
