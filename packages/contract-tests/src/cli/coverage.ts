import { textColumns } from "@fleetwire/core/internal";
import type { Command } from "commander";
import { type Coverage, coverageOf, type FieldCoverage, gapsOf } from "../checks/coverage.ts";
import { loadFixtures, packageFixtures } from "../fixtures/load-fixtures.ts";
import { loadInterface } from "../interface/interface-document.ts";
import { EXIT, print } from "./print.ts";

const isCovered = ({ fixtures, missingValues }: FieldCoverage) => fixtures > 0 && missingValues.length === 0;

/** One line for each operation's request, and one for each of its statuses. */
function summary({ fields }: Coverage): string {
  const sides = new Map<string, FieldCoverage[]>();
  for (const field of fields) {
    const key = `${field.operation}\n${field.side}`;
    sides.set(key, [...(sides.get(key) ?? []), field]);
  }
  const rows = [...sides].map(([key, group]) => {
    const [operation = "", side = ""] = key.split("\n");
    const covered = group.filter(isCovered).length;
    return [operation, side, group.length, covered, group.length - covered, Math.min(...group.map(({ fixtures }) => fixtures))];
  });
  const total = fields.filter(isCovered).length;
  return textColumns([
    ["operation", "side", "fields", "covered", "gaps", "fewest fixtures"],
    ...rows,
    ["total", "", fields.length, total, fields.length - total, ""],
  ]);
}

function everyField({ fields }: Coverage): string {
  const rows = fields.map(({ operation, side, field, fixtures, missingValues }) => [
    operation,
    String(side),
    field,
    fixtures,
    missingValues.join(" "),
  ]);
  return textColumns([["operation", "side", "field", "fixtures", "values in no fixture"], ...rows]);
}

function coverage({ fixtures = packageFixtures, json, fields }: { fixtures?: string; json?: boolean; fields?: boolean }): void {
  const found = coverageOf(loadFixtures(fixtures), loadInterface());
  const gaps = gapsOf(found);
  if (json) print(JSON.stringify({ ...found, gaps }, null, 2));
  else {
    print(fields ? everyField(found) : summary(found));
    for (const gap of gaps) print(`GAP ${gap}`);
  }
  process.exitCode = gaps.length === 0 ? EXIT.holds : EXIT.broken;
}

export function addCoverage(program: Command): void {
  program
    .command("coverage")
    .description("show how much of the interface the fixtures cover, by operation, status and field")
    .option("--fixtures <folder>", "fixtures to count (default: those of this package)")
    .option("--fields", "print a line for every field")
    .option("--json", "print the coverage as JSON")
    .action(coverage);
}
