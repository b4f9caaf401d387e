import { describe, expect, it } from "vitest";
import { jsonSchemaOf, type Operation, type OperationName, operations, requestFields } from "../src/index.ts";
import { samples } from "../src/samples/index.ts";

const entries = Object.entries<Operation>(operations);

// What the interface description says of each operation is compared in contract-tests/test/contract-table.test.ts.
describe("the registry", () => {
  it("has each operation under its own name", () => {
    for (const [name, operation] of entries) expect(operation.name).toBe(name);
  });

  // Reads are retried after a lost response and offered in read-only mode.
  it("has two write operations", () => {
    expect(entries.filter(([, { effect }]) => effect !== "read").map(([name, { effect }]) => [name, effect])).toEqual([
      ["updateGroup", "update"],
      ["createJob", "create"],
    ]);
  });
});

describe("an operation", () => {
  it("is offered to a model, except the token request", () => {
    expect(entries.filter(([, { tool }]) => !tool).map(([name]) => name)).toEqual(["requestAccessToken"]);
  });

  it("never offers a deprecated field, the customer, or the speed rule to a model", () => {
    const offered = entries.flatMap(([, operation]) =>
      operation.tool ? (operation.tool.inputs ?? Object.keys(requestFields(operation))) : [],
    );
    for (const withheld of ["dataContent", "customerId", "hideSpeedIfSpeedSensitive", "path"]) expect(offered).not.toContain(withheld);
  });

  it.each(entries)("%s has a sample that matches its schemas", (name, { input, output }) => {
    const sample = samples[name as OperationName];
    expect(input.safeParse(sample.input).error?.issues).toBeUndefined();
    expect(output.safeParse(sample.output).error?.issues).toBeUndefined();
  });

  it.each(entries)("%s may return fields that are not documented", (_, { output }) => {
    expect(JSON.stringify(jsonSchemaOf(output))).not.toContain("additionalProperties");
  });
});
