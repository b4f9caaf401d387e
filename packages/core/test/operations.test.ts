import { parseInput, rowFields } from "@fleetwire/core/internal";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { jsonSchemaOf, type Operation, type OperationName, operations, requestFields } from "../src/index.ts";
import { samples } from "../src/samples/index.ts";

const entries = Object.entries<Operation>(operations);

/** References in an operation's metadata to fields that it does not have. */
function problemsOf(operation: Operation): string[] {
  const { tool, effect, probe, paging } = operation;
  const unknown = (what: string, names: readonly string[], known: readonly string[]) =>
    names.filter((name) => !known.includes(name)).map((name) => `${what} names ${name}, which is not there`);
  const offered = tool?.inputs ?? Object.keys(requestFields(operation));
  const problems = [
    ...unknown("tool.unlisted", tool?.unlisted ?? [], offered),
    ...unknown("tool.hints", Object.keys(tool?.hints ?? {}), offered),
  ];
  if ((effect === "read") !== (probe !== undefined)) {
    problems.push(`${effect === "read" ? "a read has a probe" : "what writes has no probe"}`);
  }
  if (tool && (paging !== undefined || operation.output instanceof z.ZodArray) && !tool.rows) {
    problems.push(`a list that is a tool has rows`);
  }
  if (tool?.rows) {
    const columns = rowFields(operation);
    if (!columns) problems.push(`tool.rows.path ${tool.rows.path} leads to no list of records`);
    else {
      const { order, ties = [], vehicle, active = [] } = tool.rows.query ?? {};
      const queried = [order?.replace("-", ""), ...ties, vehicle, ...active].filter((name) => name !== undefined);
      problems.push(...unknown("tool.rows.columns", tool.rows.columns, Object.keys(columns)));
      problems.push(...unknown("tool.rows.query", queried, Object.keys(columns)));
    }
    if (paging && !`${tool.rows.path}.`.startsWith(`${paging.items}.`)) {
      problems.push(`tool.rows.path does not begin with ${paging.items}, the list that its pages hold`);
    }
  }
  return problems;
}

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

  it.each(entries)("%s has tool metadata and a probe that refer to its fields", (_, operation) => {
    expect(problemsOf(operation)).toEqual([]);
  });
});

const NOW = new Date("2026-11-20T08:30:00Z");

describe("the probe of a read", () => {
  it.each(entries.filter(([, { probe }]) => probe))("%s makes an input that the contract takes, with ids and without", (_, operation) => {
    const ids = { vehicleId: "v1001", driverId: "p501", groupId: "root" };
    expect(operation.probe?.({ now: NOW, ...ids })).toBeDefined();
    for (const context of [{ now: NOW }, { now: NOW, ...ids }]) {
      const input = operation.probe?.(context);
      if (input !== undefined) expect(() => parseInput(operation, input)).not.toThrow();
    }
  });
});
