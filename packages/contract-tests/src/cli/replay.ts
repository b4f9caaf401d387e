import { textColumns } from "@fleetwire/core/internal";
import { type Command, InvalidArgumentError } from "commander";
import { type CheckName, checkNames } from "../checks/check-result.ts";
import { runChecks } from "../checks/run-checks.ts";
import { EXIT, print, say } from "./output.ts";

function parseChecks(text: string): CheckName[] {
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !(checkNames as readonly string[]).includes(name));
  if (unknown !== undefined) throw new InvalidArgumentError(`Unknown check ${unknown}. Checks: ${checkNames.join(", ")}.`);
  return names as CheckName[];
}

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
    .option("--only <checks>", `comma-separated checks to run: ${checkNames.join(", ")} (${usual})`, parseChecks)
    .option("--json", "print the results, and what was skipped and why, as JSON")
    .action(replay);
}
