import { defineOperation, Identifier, operations } from "@fleetwire/core";
import { samples } from "@fleetwire/core/samples";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { compareWithContract } from "../src/checks/index.ts";
import { ContractTable, coverageOf, gapsOf, loadFixtures, loadTable, type NamedFixture } from "../src/index.ts";
import type { TableRow } from "../src/table/index.ts";

const FILE = "packages/core/src/operations/list-stops.ts";
const PATH = "/public/v1/customer/{customerId}/vehicle/{vehicleId}/shift/{shift}/stops";

const definition = {
  name: "listStops",
  summary: "List the stops of a vehicle in a shift",
  source: "our own notes",
  method: "GET",
  path: PATH,
  servers: ["base"],
  auth: ["basic"],
  query: {},
  output: z.array(z.object({ stopId: z.string().optional() })),
  effect: "read",
} as const;
const params = {
  vehicleId: Identifier.describe("The vehicle"),
  shift: z.enum(["EARLY", "LATE"]).describe("Which half of the day"),
};
const listStops = defineOperation({ ...definition, params });

const of = (row: Partial<TableRow> & { kind: string }): TableRow => ({ part: "9", operation: "listStops", ...row });

// As somebody would write them by hand from a description.
const rows: TableRow[] = [
  of({ kind: "request", method: "GET", server: "base", path: PATH }),
  of({ kind: "auth", scheme: "basic" }),
  of({ kind: "version", value: "v1" }),
  of({ kind: "pathParameter", name: "customerId", type: "string" }),
  of({ kind: "pathParameter", name: "vehicleId", type: "string", required: true }),
  of({ kind: "pathParameter", name: "shift", type: "string" }),
  of({ kind: "enum", name: "shift", value: "EARLY" }),
  of({ kind: "enum", name: "shift", value: "LATE" }),
  of({ kind: "status", status: 200, type: "array", items: "Stop" }),
  { part: "9", kind: "field", shape: "Stop", name: "stopId", type: "string" },
];

const input = { vehicleId: "v1001", shift: "EARLY" };
const sample = { input, output: [{ stopId: "t1" }] };
const tableOf = (own: readonly TableRow[]) => new ContractTable([...loadTable().rows, ...own]);

async function findingsOf(own: readonly TableRow[], operation = listStops): Promise<string[]> {
  const contract = { operations: { ...operations, listStops: operation }, samples: { ...samples, listStops: sample } };
  return (await compareWithContract(tableOf(own), contract)).findings.map(({ problem }) => problem);
}

describe("the path parameters of an operation and the table", () => {
  it("match", async () => {
    expect(await findingsOf(rows)).toEqual([]);
  });

  const without = (name: string) => rows.filter((row) => row.name !== name);
  const changed = (name: string, change: Partial<TableRow>) =>
    rows.map((row) => (row.kind === "pathParameter" && row.name === name ? { ...row, ...change } : row));

  it.each<[string, TableRow[], string]>([
    ["a parameter without a row", without("vehicleId"), "core has a fact that no row states: listStops path parameter vehicleId"],
    [
      "a row without a parameter",
      [...rows, of({ kind: "pathParameter", name: "day", type: "string" })],
      "core lacks: listStops path.day type",
    ],
    ["another type", changed("vehicleId", { type: "integer" }), "core lacks: listStops path.vehicleId type integer"],
    ["a pattern that core lacks", changed("shift", { pattern: "^[A-Z]+$" }), "core lacks: listStops path.shift pattern ^[A-Z]+$"],
    [
      "a value that core lacks",
      [...rows, of({ kind: "enum", name: "shift", value: "NIGHT" })],
      "core lacks: listStops path.shift enum NIGHT",
    ],
    ["a form that core lacks", changed("shift", { form: "alphanumeric" }), "core lacks: listStops path.shift form alphanumeric"],
    ["a missing unit", changed("shift", { unit: "hours" }), "listStops path.shift: its description does not mention hours"],
  ])("differ by %s", async (_, own, problem) => {
    expect((await findingsOf(own)).join("\n")).toContain(problem);
  });

  it("differ if core does not apply the form that part 1 states for every vehicleId", async () => {
    const lax = defineOperation({ ...definition, params: { ...params, vehicleId: z.string() } });
    expect(await findingsOf(rows, lax)).toEqual([`core lacks: listStops path.vehicleId form alphanumeric (part 9); see ${FILE}`]);
    const strict = defineOperation({ ...definition, params: { ...params, vehicleId: Identifier.max(9) } });
    expect(await findingsOf(rows, strict)).toEqual([
      `core has a fact that no row states: listStops path.vehicleId maxLength 9; see ${FILE}`,
    ]);
  });
});

describe("coverage", () => {
  const fixture = (shift: string) => {
    const request = { method: "GET", path: `/public/v1/customer/c1001/vehicle/v1001/shift/${shift}/stops`, query: {}, headers: {} };
    return { operation: "listStops", id: "stops", request, response: { status: 200, headers: {}, body: [] } } as unknown as NamedFixture;
  };
  const gaps = (...shifts: string[]) =>
    gapsOf(coverageOf([...loadFixtures(), ...shifts.map(fixture)], tableOf(rows))).filter((gap) => gap.includes(" request "));

  it("counts path parameters as request fields", () => {
    expect(gaps()).toEqual(["listStops request vehicleId: not in any fixture", "listStops request shift: not in any fixture"]);
    expect(gaps("EARLY")).toEqual(["listStops request shift: no fixture has LATE"]);
    expect(gaps("EARLY", "LATE")).toEqual([]);
  });
});
