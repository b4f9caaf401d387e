import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Operation, type OperationName, operations } from "@fleetwire/core";
import { type Sample, samples } from "@fleetwire/core/samples";
import { unreviewedRows } from "../src/checks/run-checks.ts";
import { Fixture, fixtureText } from "../src/fixtures/fixture.ts";
import { loadFixtures, packageFixtures } from "../src/fixtures/load-fixtures.ts";
import { loadTable } from "../src/table/contract-table.ts";
import { writeAtomically } from "../src/write-atomically.ts";
import { draftFixtures } from "./draft-fixtures.ts";
import { type DraftRow, draftRows } from "./draft-rows.ts";

const WIDTH = 140;

const tableFolder = fileURLToPath(new URL("../table/", import.meta.url));

const stemOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** JSON on one line, spaced as the formatter would. */
function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, inner]) => `${JSON.stringify(name)}: ${onOneLine(inner)}`)
    .join(", ")} }`;
}

/** Rows in the formatter's style: each on one line if it fits. */
function rowsText(rows: readonly DraftRow[]): string {
  const lines = rows.map((row) => {
    const line = `  ${onOneLine(row)}`;
    if (line.length < WIDTH) return line;
    return `  {\n${Object.entries(row)
      .map(([name, value]) => `    ${JSON.stringify(name)}: ${onOneLine(value)}`)
      .join(",\n")}\n  }`;
  });
  return `[\n${lines.join(",\n")}\n]\n`;
}

function operationNamed(name: string): Operation {
  if (Object.hasOwn(operations, name)) return operations[name as OperationName];
  throw new Error(`unknown operation ${name}: packages/core/src/operations/index.ts exports ${Object.keys(operations).join(", ")}`);
}

/** Writes rows if the table has none for the operation, and fixtures that are missing or still drafts. Returns messages about what was written. */
export function draft(name: string, date: string): string[] {
  const operation = operationNamed(name);
  const sample: Sample = samples[name as OperationName];
  const messages: string[] = [];
  const table = loadTable();
  if (!table.operations.includes(name)) {
    const file = `table/${stemOf(name)}.json`;
    const rows = draftRows(
      operation,
      table.rows.flatMap(({ shape }) => shape ?? []),
    );
    writeAtomically(new Map([[join(tableFolder, `${stemOf(name)}.json`), rowsText(rows)]]));
    messages.push(`${file}: ${rows.length} rows; compare each with the description, then remove "reviewed": false`);
  }
  const texts = new Map<string, string>();
  for (const [id, fixture] of draftFixtures(operation, loadTable(), sample, date)) {
    const file = join(packageFixtures, "documented", `${id}.json`);
    const isDraft = !existsSync(file) || JSON.parse(readFileSync(file, "utf8")).reviewed === false;
    if (isDraft) texts.set(file, fixtureText(Fixture.parse(fixture)));
  }
  writeAtomically(texts);
  messages.push(
    `fixtures/documented/${stemOf(name)}-*.json: ${texts.size} drafts from the rows; check each, then run npm run task -- draft ${name} --reviewed`,
  );
  return messages;
}

/** Removes the marks from an operation's fixtures. Reviewers run this once no row is marked. */
export function markReviewed(name: string): string[] {
  operationNamed(name);
  const [left] = unreviewedRows();
  if (left !== undefined) throw new Error(left.problem);
  const drafts = loadFixtures().filter(({ operation, reviewed }) => operation === name && reviewed === false);
  writeAtomically(new Map(drafts.map(({ id, reviewed: _, ...fixture }) => [`${packageFixtures}${id}.json`, fixtureText(fixture)])));
  return [`marked ${drafts.length} fixtures of ${name} as reviewed`];
}
