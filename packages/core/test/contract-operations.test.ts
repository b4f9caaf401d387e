import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type Operation, type OperationName, operations, requestFields } from "../src/index.ts";
import { samples } from "../src/samples/index.ts";
import { all, fieldTable } from "./field-table.ts";

const sortKeys = `driverId driverKey activities.assetId activities.startTime activities.type activities.activity activities.startLatitude
  activities.startLongitude activities.endTime activities.endLatitude activities.endLongitude activities.vehicleFriendlyName
  activities.driverCardSlot activities.isStartOfShift activities.isEndOfShift`;

const entries = Object.entries<Operation>(operations);

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

  it("has the fields of a job in createJob's body and override in its query", () => {
    expect(fieldTable(z.object(operations.createJob.query))).toEqual({ override: "boolean|null" });
    expect(Object.keys(operations.createJob.body ?? {})).toHaveLength(50);
  });

  it("sorts queryTachoActivity by fifteen fields, ascending or descending", () => {
    const { sort } = operations.queryTachoActivity.body as { sort: z.ZodType };
    const expected = all("string ASC|DESC", sortKeys);
    expect(Object.keys(expected)).toHaveLength(15);
    expect(fieldTable(sort)).toEqual(expected);
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
});
