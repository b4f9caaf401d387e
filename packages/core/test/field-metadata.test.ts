import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineOperation, fieldMetadata, jsonSchemaOf, LivePosition, metadataOf } from "../src/index.ts";
import { fleetUnderTest } from "./fleet-under-test.ts";

const name = z.string().register(fieldMetadata, { holds: "person" });

describe("the metadata of a field", () => {
  it.each<[string, z.ZodType]>([
    ["optional", name.optional()],
    ["with metadata", name.meta({ deprecated: true })],
    ["a list", z.array(name).min(1).optional()],
    ["with a default", name.default("")],
    ["transformed", name.transform((value) => value.trim())],
    ["checked before", z.preprocess(String, name)],
  ])("is read if the field is %s", (_, schema) => {
    expect(metadataOf(schema)).toEqual({ holds: "person" });
  });

  it.each([
    ["speed", { holds: { min: 0, max: 250 }, unit: "km/h", withheld: true, omittedFor: "speed-sensitive groups" }],
    ["heading", { holds: { min: -180, max: 360 }, unit: "degrees", withheld: true }],
  ] as const)("has the bounds and the unit of a measure: %s", (field, metadata) => {
    expect(metadataOf(LivePosition.shape[field])).toEqual(metadata);
  });

  it("is what was registered last, on top of the original schema's", () => {
    expect(metadataOf(LivePosition.shape.latitude)).toEqual({ holds: "latitude", withheld: true });
    expect(metadataOf(name.describe("Depot").register(fieldMetadata, { holds: "name" }))).toEqual({ holds: "name" });
  });

  it.each<[string, z.ZodType, unknown]>([
    ["a flag", z.boolean().optional(), { holds: "flag" }],
    ["listed values", z.array(z.enum(["NEW", "DONE"])), { holds: "label" }],
    ["a string", z.string(), undefined],
  ])("follows from the type: %s", (_, schema, facts) => {
    expect(metadataOf(schema)).toEqual(facts);
  });

  it("is not part of the JSON Schema", () => {
    expect(jsonSchemaOf(z.object({ driverName: name }))).toEqual(jsonSchemaOf(z.object({ driverName: z.string() })));
  });
});

it("a guard of the wrong type withholds, even if registered on the optional wrapper; null counts as absent", async () => {
  const listVisits = defineOperation({
    name: "listVisits",
    summary: "List visits",
    source: "a test",
    method: "GET",
    path: "/v1/customer/{customerId}/visits",
    servers: ["base"],
    auth: ["basic"],
    output: z.array(
      z.object({ hidden: z.boolean().optional().register(fieldMetadata, { holds: "flag", guard: true }), open: z.boolean().optional() }),
    ),
    effect: "read",
  });
  const sent = [{ hidden: "yes", open: "yes" }, { hidden: null }, { hidden: false }];
  const { fleet } = await fleetUnderTest({ api: [{ body: sent }] });
  expect(await fleet.request(listVisits, {})).toEqual([{ hidden: true }, {}, { hidden: false }]);
});
