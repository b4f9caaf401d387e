import { type Command, Option } from "commander";
import { readBaseline } from "../checks/index.ts";
import { harOf } from "../export/har.ts";
import { openApiOf } from "../export/openapi.ts";
import { pactOf } from "../export/pact.ts";
import type { NamedFixture } from "../fixtures/fixture.ts";
import { loadFixtures, packageFixtures } from "../fixtures/load-fixtures.ts";
import { type ContractTable, loadTable, tableProblems } from "../table/index.ts";
import { checkWritable, writeAtomically } from "../write-atomically.ts";
import { print, say } from "./print.ts";

interface ExportOptions {
  format: "pact" | "har" | "openapi";
  fixtures?: string;
  all?: boolean;
  out?: string;
}

/** Whether request and response match the table. Deliberately malformed responses do not belong in an export of the contract. */
function conforms({ operation, request, response, refusedByClient }: NamedFixture, table: ContractTable): boolean {
  const described = table.isPathOnly(operation)
    ? response.status === 200
    : table.statuses(operation).some(({ status }) => status === response.status);
  const readable = response.text === undefined && request.text === undefined;
  return (
    described &&
    readable &&
    !refusedByClient &&
    tableProblems(table, operation, response.status, response.body).length === 0 &&
    !hasNull(response.body)
  );
}

const hasNull = (value: unknown): boolean => value === null || (typeof value === "object" && Object.values(value ?? {}).some(hasNull));

/** Exports fixtures to another tool's format. */
function exportFixtures({ format, fixtures: folder = packageFixtures, all, out }: ExportOptions, version: string): void {
  if (out !== undefined) checkWritable(out, "file");
  const table = loadTable();
  const loaded = loadFixtures(folder);
  const chosen = all ? loaded : loaded.filter((fixture) => conforms(fixture, table));
  const pact = format === "pact" ? pactOf(chosen, readBaseline(folder)) : undefined;
  const content = pact ?? (format === "har" ? harOf(chosen, version) : openApiOf(chosen));
  const text = JSON.stringify(content, null, 2);
  if (out === undefined) print(text);
  else writeAtomically(new Map([[out, `${text}\n`]]));
  say(`${out ?? format}: ${(pact?.interactions ?? chosen).length} of ${loaded.length} fixtures`);
}

export function addExport(program: Command, version: string): void {
  program
    .command("export")
    .description("export the fixtures to another tool's format")
    .addOption(new Option("--format <format>", "output format").choices(["pact", "har", "openapi"]).makeOptionMandatory())
    .option("--fixtures <folder>", "fixtures to export (default: those of this package)")
    .option("--all", "include fixtures that do not match the description")
    .option("--out <file>", "output file (default: stdout)")
    .action((options: ExportOptions) => exportFixtures(options, version));
}
