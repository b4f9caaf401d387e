import { textColumns } from "@fleetwire/core/internal";
import type { Command } from "commander";
import { coverageOf, type FieldCoverage } from "../checks/coverage.ts";
import { loadFixtures, packageFixtures } from "../fixtures/load-fixtures.ts";
import { loadInterface } from "../interface/interface-document.ts";
import { EXIT, print } from "./output.ts";

const isCovered = ({ fixtures, missingValues }: FieldCoverage) => fixtures > 0 && missingValues.length === 0;

/** One line for each operation's request, and one for each of its statuses. */
function summary(fields: readonly FieldCoverage[]): string {
  const sides = new Map<string, FieldCoverage[]>();
  for (const field of fields) {
    const key = `${field.operation}\n${field.side}`;
    sides.set(key, [...(sides.get(key) ?? []), field]);
  }
  const countsOf = (group: readonly FieldCoverage[]) => {
    const covered = group.filter(isCovered).length;
    return [group.length, covered, group.length - covered];
  };
  return textColumns([
    ["operation", "side", "fields", "covered", "gaps", "fewest fixtures"],
    ...[...sides].map(([key, group]) => [...key.split("\n"), ...countsOf(group), Math.min(...group.map(({ fixtures }) => fixtures))]),
    ["total", "", ...countsOf(fields), ""],
  ]);
}

function coverage({ fixtures = packageFixtures, json }: { fixtures?: string; json?: boolean }): void {
  const found = coverageOf(loadFixtures(fixtures), loadInterface());
  if (json) print(JSON.stringify(found, null, 2));
  else print([summary(found.fields), ...found.gaps.map((gap) => `GAP ${gap}`)].join("\n"));
  process.exitCode = found.gaps.length === 0 ? EXIT.holds : EXIT.broken;
}

export function addCoverage(program: Command): void {
  program
    .command("coverage")
    .description("show how much of the interface the fixtures cover, by operation and status")
    .option("--fixtures <folder>", "fixtures to count (default: those of this package)")
    .option("--json", "print the coverage of every field as JSON")
    .action(coverage);
}
