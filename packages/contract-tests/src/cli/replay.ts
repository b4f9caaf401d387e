import { type Command, InvalidArgumentError } from "commander";
import { type CheckName, type CheckResult, checkNames } from "../checks/check-result.ts";
import { writeBaseline } from "../checks/presence.ts";
import { runChecks } from "../checks/run-checks.ts";
import { packageFixtures } from "../fixtures/load-fixtures.ts";
import { CouldNotRun, EXIT } from "./exit-codes.ts";
import { columns, print, say } from "./print.ts";

interface ReplayOptions {
  fixtures?: string;
  only?: CheckName[];
  bail?: boolean;
  json?: boolean;
  skips?: boolean;
  updatePresence?: boolean;
}

function checksNamed(text: string): CheckName[] {
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !(checkNames as readonly string[]).includes(name));
  if (unknown !== undefined) throw new InvalidArgumentError(`There is no check ${unknown}; checks: ${checkNames.join(", ")}.`);
  return names as CheckName[];
}

function report(results: readonly CheckResult[], skips: boolean | undefined): void {
  const findings = results.flatMap((result) => result.findings);
  for (const { check, subject, problem } of findings) print(`FAIL ${check}  ${subject}\n     ${problem}`);
  if (skips)
    for (const { check, subject, reason } of results.flatMap((result) => result.skips)) print(`skip ${check}  ${subject}: ${reason}`);
  print(
    columns([
      ["check", "checked", "found", "left out"],
      ...results.map(({ check, checked, findings: found, skips: left }) => [check, checked, found.length, left.length]),
    ]),
  );
  const places = findings.length === 1 ? "1 place" : `${findings.length} places`;
  print(findings.length === 0 ? "The contract holds." : `The contract is broken in ${places}.`);
}

async function replay({ fixtures: folder = packageFixtures, only, bail, json, skips, updatePresence }: ReplayOptions): Promise<void> {
  if (updatePresence && only && !(only.includes("tool") && only.includes("sandbox")))
    throw new CouldNotRun("--update-presence needs what the checks tool and sandbox see");
  if (only?.includes("presence") && !only.includes("tool") && !only.includes("sandbox"))
    throw new CouldNotRun("presence looks at what the checks tool and sandbox see: name one of them too");
  // A baseline that is being written convicts nobody.
  const checks = updatePresence ? (only ?? checkNames).filter((name) => name !== "presence") : only;
  const { results, holds, baseline } = await runChecks({
    folder,
    only: checks,
    bail,
    onProgress: (check) => say(`checking: ${check} ...`),
  });
  if (updatePresence) {
    writeBaseline(folder, baseline);
    say("presence.json is written: review what changed");
  }
  if (json) print(JSON.stringify({ holds, results }, null, 2));
  else report(results, skips);
  process.exitCode = holds ? EXIT.holds : EXIT.broken;
}

export function addReplay(program: Command): void {
  program
    .command("replay")
    .description("check client, MCP server and sandbox against the recorded fixtures and the table")
    .option("--fixtures <folder>", "fixtures to replay (default those of this package)")
    .option("--only <checks>", `some checks, separated by commas: ${checkNames.join(", ")}`, checksNamed)
    .option("--bail", "end after the first check that finds something")
    .option("--skips", "list what is left out, and why")
    .option("--update-presence", "write what the answers hold now as the next baseline")
    .option("--json", "print the results as JSON")
    .action(replay);
}
