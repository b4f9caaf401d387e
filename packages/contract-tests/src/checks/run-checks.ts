import type { NamedFixture } from "../fixtures/fixture.ts";
import { loadFixtures, packageFixtures } from "../fixtures/load-fixtures.ts";
import { compareWithContract } from "../table/compare-with-contract.ts";
import { type ContractTable, loadTable } from "../table/contract-table.ts";
import { checkCoverage } from "../table/coverage.ts";
import { unreviewedRows } from "../table/unreviewed-rows.ts";
import { type CheckName, type CheckResult, checkNames, type Finding } from "./check-result.ts";
import { checkClient } from "./client-check.ts";
import { type Baseline, baselineOf, checkPresence, readBaseline } from "./presence.ts";
import { checkSandbox } from "./sandbox-check.ts";
import { checkTools } from "./tool-check.ts";

export interface ChecksOptions {
  /** Folder of fixtures. Default: those of this package. */
  folder?: string | undefined;
  /** Checks to run. Default: all; for fixtures other than this package's, all but `coverage`. */
  only?: readonly CheckName[] | undefined;
  /** Stop at the first finding. */
  bail?: boolean | undefined;
  /** Called when a check starts. */
  onProgress?: ((check: CheckName) => void) | undefined;
}

export interface ChecksReport {
  results: CheckResult[];
  /** `true` if there are no findings. */
  holds: boolean;
  /** The fields found in responses and results, to be written as the next baseline. */
  baseline: Baseline;
}

type Outputs = Record<"sandbox" | "tool", ReadonlyMap<string, unknown>>;

/** Stands for a source that was not checked. */
const NOT_CHECKED: ReadonlyMap<string, unknown> = new Map();

/** A drafted fixture proves nothing until someone has compared it with the description. */
const draftedFixture = ({ id, reviewed }: NamedFixture): Finding[] =>
  reviewed === false
    ? [
        {
          check: "coverage",
          subject: id,
          problem: `fixtures/${id}.json is a draft: compare it with the description, then remove "reviewed": false`,
        },
      ]
    : [];

async function run(
  check: CheckName,
  fixtures: readonly NamedFixture[],
  table: ContractTable,
  outputs: Outputs,
  { folder, bail }: { folder: string; bail: boolean },
): Promise<CheckResult> {
  switch (check) {
    case "table": {
      const result = await compareWithContract(table);
      return { ...result, findings: [...unreviewedRows(), ...result.findings] };
    }
    case "client":
      return checkClient(fixtures, table, { bail });
    case "coverage": {
      const result = checkCoverage(fixtures, table);
      return { ...result, findings: [...fixtures.flatMap(draftedFixture), ...result.findings] };
    }
    case "presence": {
      const checkedSources = (["sandbox", "tool"] as const).filter((who) => outputs[who] !== NOT_CHECKED);
      return checkPresence(readBaseline(folder), baselineOf(outputs), new Set(fixtures.map(({ id }) => id)), checkedSources);
    }
    case "tool": {
      const { result, outputs: found } = await checkTools(fixtures, table, { bail });
      outputs.tool = found;
      return result;
    }
    case "sandbox": {
      const { result, outputs: found } = await checkSandbox(fixtures, table, { bail });
      outputs.sandbox = found;
      return result;
    }
  }
}

/** All checks that these fixtures can pass: one deployment's recordings cannot cover the whole table. */
export const usualChecks = (folder: string): CheckName[] => checkNames.filter((name) => name !== "coverage" || folder === packageFixtures);

/** Runs the checks on the fixtures. `presence` compares the output seen by `tool` and `sandbox`, so it needs at least one of them. */
export async function runChecks({
  folder = packageFixtures,
  only = usualChecks(folder),
  bail = false,
  onProgress,
}: ChecksOptions = {}): Promise<ChecksReport> {
  const fixtures = loadFixtures(folder);
  const table = loadTable();
  const outputs: Outputs = { sandbox: NOT_CHECKED, tool: NOT_CHECKED };
  const results: CheckResult[] = [];
  for (const check of checkNames.filter((name) => only.includes(name))) {
    onProgress?.(check);
    const result = await run(check, fixtures, table, outputs, { folder, bail });
    results.push(bail ? { ...result, findings: result.findings.slice(0, 1) } : result);
    if (bail && result.findings.length > 0) break;
  }
  return { results, holds: results.every(({ findings }) => findings.length === 0), baseline: baselineOf(outputs) };
}
