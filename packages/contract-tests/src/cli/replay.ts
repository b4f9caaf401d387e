import { textColumns } from "@fleetwire/core/internal";
import { type Command, InvalidArgumentError } from "commander";
import { type CheckName, type CheckResult, checkNames } from "../checks/check-result.ts";
import { runChecks } from "../checks/run-checks.ts";
import { packageFixtures } from "../fixtures/load-fixtures.ts";
import { EXIT, print, say } from "./print.ts";

interface ReplayOptions {
  fixtures?: string;
  only?: CheckName[];
  bail?: boolean;
  json?: boolean;
  skips?: boolean;
}

function parseChecks(text: string): CheckName[] {
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !(checkNames as readonly string[]).includes(name));
  if (unknown !== undefined) throw new InvalidArgumentError(`Unknown check ${unknown}. Checks: ${checkNames.join(", ")}.`);
  return names as CheckName[];
}

function report(results: readonly CheckResult[], skips: boolean | undefined): void {
  const findings = results.flatMap((result) => result.findings);
  for (const { check, subject, problem } of findings) print(`FAIL ${check}  ${subject}\n     ${problem}`);
  if (skips)
    for (const { check, subject, reason } of results.flatMap((result) => result.skips)) print(`skip ${check}  ${subject}: ${reason}`);
  print(
    textColumns([
      ["check", "checked", "findings", "skipped"],
      ...results.map(({ check, checked, findings: found, skips: left }) => [check, checked, found.length, left.length]),
    ]),
  );
  const places = findings.length === 1 ? "1 place" : `${findings.length} places`;
  print(findings.length === 0 ? "The contract holds." : `The contract is broken in ${places}.`);
}

async function replay({ fixtures: folder = packageFixtures, only, bail, json, skips }: ReplayOptions): Promise<void> {
  const { results, holds } = await runChecks({
    folder,
    only,
    bail,
    onProgress: (check) => say(`checking: ${check} ...`),
  });
  if (json) print(JSON.stringify({ holds, results }, null, 2));
  else report(results, skips);
  process.exitCode = holds ? EXIT.holds : EXIT.broken;
}

export function addReplay(program: Command): void {
  program
    .command("replay")
    .description("check the client and the sandbox against the fixtures and the interface")
    .option("--fixtures <folder>", "fixtures to replay (default: those of this package)")
    .option(
      "--only <checks>",
      `comma-separated checks to run: ${checkNames.join(", ")} (default: all; with --fixtures, all but coverage)`,
      parseChecks,
    )
    .option("--bail", "stop at the first finding")
    .option("--skips", "list what was skipped, and why")
    .option("--json", "print the results as JSON")
    .action(replay);
}
