import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { ContractTable, loadTable } from "../src/index.ts";
import type { TableRow } from "../src/table/index.ts";

const of = (row: Partial<TableRow> & { kind: string }): TableRow => ({ part: "9", operation: "listStops", ...row });

it("a placeholder in a path takes the values that its description lists", () => {
  const rows = [
    of({ kind: "pathParameter", name: "side", type: "string" }),
    of({ kind: "enum", name: "side", value: "left" }),
    of({ kind: "enum", name: "side", value: "right", inDescription: false }),
  ];
  expect(new ContractTable(rows).pathFields("listStops").map(({ path, values }) => [path, values])).toEqual([["side", ["left"]]]);
});

it("the operations of a table are those with a request, once each, and limited to their own rows", () => {
  const request = { kind: "request", method: "GET", path: "/stops" };
  const table = new ContractTable([of({ ...request, server: "base" }), of({ ...request, server: "fleet" })]);
  expect(table.operations).toEqual(["listStops"]);
  expect(table.ofKind("auth", "other")).toEqual([]);
  expect(table.pathOf("listStops")).toBe("/stops");
  expect(table.responseFields("listStops", 404)).toBeUndefined();
});

/** A folder for a table of its own. */
function tableFolder() {
  const folder = mkdtempSync(join(tmpdir(), "fleetwire-table-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return { folder, url: pathToFileURL(`${folder}/`) };
}

it.each(["part", "kind", "operation", "shape", "name", "type", "items", "format"])("a row whose %s is no text is refused", (name) => {
  const { folder, url } = tableFolder();
  writeFileSync(join(folder, "a.json"), JSON.stringify([{ part: "1", kind: "x", [name]: 5 }]));
  expect(() => loadTable(url)).toThrow(name);
});
