import { textColumns } from "@fleetwire/core/internal";
import type { Command } from "commander";
import { type CheckName, checkNames } from "../checks/check-result.ts";
import { coverageOf, type FieldCoverage } from "../checks/coverage.ts";
import { runChecks } from "../checks/run-checks.ts";
import { loadFixtures, packageFixtures } from "../fixtures/load-fixtures.ts";
import { loadInterface } from "../interface/interface-document.ts";
import { namesOf } from "./connection.ts";
import { EXIT, print, say } from "./output.ts";

async function replay({ fixtures: folder, only, json }: { fixtures?: string; only?: CheckName[]; json?: boolean }): Promise<void> {
  const report = await runChecks({ folder, only, onProgress: (check) => say(`checking: ${check} ...`) });
  process.exitCode = report.holds ? EXIT.holds : EXIT.broken;
  if (json) return print(JSON.stringify(report, null, 2));
  const findings = report.results.flatMap((result) => result.findings);
  const rows = report.results.map(({ check, checked, findings: found, skips }) => [check, checked, found.length, skips.length]);
  for (const { check, subject, problem } of findings) print(`FAIL ${check}  ${subject}\n     ${problem}`);
  print(textColumns([["check", "checked", "findings", "skipped"], ...rows]));
  const places = findings.length === 1 ? "1 place" : `${findings.length} places`;
  print(report.holds ? "The contract holds." : `The contract is broken in ${places}.`);
}

export function addReplay(program: Command): void {
  const usual = "default: all; with --fixtures, all but coverage";
  program
    .command("replay")
    .description("check the client and the sandbox against the fixtures and the interface")
    .option("--fixtures <folder>", "fixtures to replay (default: those of this package)")
    .option("--only <checks>", `comma-separated checks to run: ${checkNames.join(", ")} (${usual})`, namesOf("check", checkNames))
    .option("--json", "print the results, and what was skipped and why, as JSON")
    .action(replay);
}

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
