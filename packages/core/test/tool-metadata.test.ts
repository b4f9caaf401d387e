import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineOperation, type Operation, operations, requestFields } from "../src/index.ts";
import { parseInput, rowFields } from "../src/internal.ts";

const all: readonly Operation[] = Object.values(operations);
const fileOf = ({ name }: Operation) => `packages/core/src/operations/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`;

/** References in an operation's metadata to fields that it does not have. */
function problemsOf(operation: Operation): string[] {
  const { tool, effect, probe, paging } = operation;
  const fields = Object.keys(requestFields(operation));
  const unknown = (what: string, names: readonly string[], known: readonly string[]) =>
    names.filter((name) => !known.includes(name)).map((name) => `${fileOf(operation)}: ${what} names ${name}, which is not there`);
  const problems = [
    ...unknown("tool.inputs", tool?.inputs ?? [], fields),
    ...unknown("tool.unlisted", tool?.unlisted ?? [], tool?.inputs ?? fields),
    ...unknown("tool.hints", Object.keys(tool?.hints ?? {}), tool?.inputs ?? fields),
    ...unknown("tool.names", Object.keys(tool?.names ?? {}), tool?.inputs ?? fields),
    ...unknown("tool.period", tool?.period ?? [], tool?.inputs ?? fields),
  ];
  if ((effect === "read") !== (probe !== undefined)) {
    problems.push(`${fileOf(operation)}: ${effect === "read" ? "a read has a probe" : "what writes has no probe"}`);
  }
  if (tool && (paging !== undefined || operation.output instanceof z.ZodArray) && !tool.rows) {
    problems.push(`${fileOf(operation)}: a list that is a tool has rows`);
  }
  if (tool?.rows) {
    const columns = rowFields(operation);
    if (!columns) problems.push(`${fileOf(operation)}: tool.rows.path ${tool.rows.path} leads to no list of records`);
    else {
      const { order, ties = [], vehicle, active = [] } = tool.rows.query ?? {};
      const queried = [order?.replace("-", ""), ...ties, vehicle, ...active].filter((name) => name !== undefined);
      problems.push(...unknown("tool.rows.columns", tool.rows.columns, Object.keys(columns)));
      problems.push(...unknown("tool.rows.query", queried, Object.keys(columns)));
    }
    if (paging && !`${tool.rows.path}.`.startsWith(`${paging.items}.`)) {
      problems.push(`${fileOf(operation)}: tool.rows.path does not begin with ${paging.items}, the list that its pages hold`);
    }
  }
  return problems;
}

describe("the tool metadata and probe of an operation", () => {
  it("refer to fields of the operation", () => {
    expect(all.flatMap(problemsOf)).toEqual([]);
  });

  it("are reported with the file to open otherwise", () => {
    const trips: Operation = defineOperation({
      name: "listTrips",
      summary: "List trips",
      source: "our own notes",
      method: "GET",
      path: "/public/v1/customer/{customerId}/vehicle/{vehicleId}/trips",
      servers: ["base"],
      auth: ["basic"],
      params: { vehicleId: z.string() },
      query: { pageIndex: z.int().optional(), pageSize: z.int().optional() },
      output: z.object({ items: z.array(z.object({ tripId: z.string().optional() })), total: z.int() }),
      effect: "read",
      paging: { kind: "page", index: "pageIndex", size: "pageSize", items: "items", totalItems: "total", totalPages: "total" },
      probe: ({ vehicleId }) => (vehicleId === undefined ? undefined : { vehicleId }),
      tool: {
        title: "List trips",
        description: "Trips.",
        toolset: "trips",
        names: { vehicleId: "vehicle" },
        rows: { path: "items", noun: ["trip", "trips"], columns: ["tripId"] },
      },
    });
    expect(problemsOf(trips)).toEqual([]);
    const tool = trips.tool as NonNullable<Operation["tool"]>;
    const rows = tool.rows as NonNullable<typeof tool.rows>;
    const file = "packages/core/src/operations/list-trips.ts";
    const broken = (change: Partial<typeof tool>) => problemsOf({ ...trips, tool: { ...tool, ...change } });
    expect(broken({ inputs: ["vehicleID", "vehicleId"] })).toEqual([`${file}: tool.inputs names vehicleID, which is not there`]);
    expect(broken({ unlisted: ["sort"] })).toEqual([`${file}: tool.unlisted names sort, which is not there`]);
    expect(broken({ hints: { vehicle: "" } })).toEqual([`${file}: tool.hints names vehicle, which is not there`]);
    expect(broken({ names: { driverId: "driver" } })).toEqual([`${file}: tool.names names driverId, which is not there`]);
    expect(broken({ period: ["from", "vehicleId"] })).toEqual([`${file}: tool.period names from, which is not there`]);
    expect(broken({ rows: { ...rows, columns: ["tripId", "total"] } })).toEqual([
      `${file}: tool.rows.columns names total, which is not there`,
    ]);
    const query = {
      example: "tripId=t1",
      order: "-start",
      ties: ["tripId", "end"],
      vehicle: "vehicleId",
      active: ["from", "until"],
    } as const;
    expect(broken({ rows: { ...rows, query } })).toEqual(
      ["start", "end", "vehicleId", "from", "until"].map((name) => `${file}: tool.rows.query names ${name}, which is not there`),
    );
    expect(broken({ rows: { ...rows, path: "items.stops" } })).toEqual([`${file}: tool.rows.path items.stops leads to no list of records`]);
    expect(broken({ rows: undefined } as never)).toEqual([`${file}: a list that is a tool has rows`]);
    const { probe: _, ...unprobed } = trips;
    expect(problemsOf(unprobed)).toEqual([`${file}: a read has a probe`]);
  });
});

const NOW = new Date("2026-11-20T08:30:00Z");

describe("the probe of a read", () => {
  it.each(all.filter(({ probe }) => probe).map((operation) => [operation.name, operation] as const))(
    "%s makes an input that the contract takes, with ids and without",
    (_, operation) => {
      const ids = { vehicleId: "v1001", driverId: "p501", groupId: "root" };
      expect(operation.probe?.({ now: NOW, ...ids }), fileOf(operation)).toBeDefined();
      for (const context of [{ now: NOW }, { now: NOW, ...ids }]) {
        const input = operation.probe?.(context);
        if (input !== undefined) expect(() => parseInput(operation, input), fileOf(operation)).not.toThrow();
      }
    },
  );
});
