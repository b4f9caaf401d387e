import { loadFixtures, packageFixtures } from "../fixtures/load-fixtures.ts";
import { loadInterface } from "../interface/interface-document.ts";
import { type CheckName, type CheckResult, checkNames } from "./check-result.ts";
import { checkClient } from "./client-check.ts";
import { checkCoverage } from "./coverage.ts";
import { checkInterface } from "./interface-check.ts";
import { checkSandbox } from "./sandbox-check.ts";

export interface ChecksOptions {
  /** Folder of fixtures. Default: those of this package. */
  folder?: string | undefined;
  /** Default: all; for other fixtures, all but `coverage`, since one deployment's recordings cannot cover the whole interface. */
  only?: readonly CheckName[] | undefined;
  /** Called when a check starts. */
  onProgress?: ((check: CheckName) => void) | undefined;
}

export interface ChecksReport {
  results: CheckResult[];
  /** `true` if there are no findings. */
  holds: boolean;
}

/** Runs the checks on the fixtures. */
export async function runChecks({ folder = packageFixtures, only, onProgress }: ChecksOptions = {}): Promise<ChecksReport> {
  const [fixtures, document] = [loadFixtures(folder), loadInterface()];
  const checks: Record<CheckName, () => CheckResult | Promise<CheckResult>> = {
    interface: () => checkInterface(document),
    client: () => checkClient(fixtures, document),
    sandbox: () => checkSandbox(fixtures, document),
    coverage: () => checkCoverage(fixtures, document),
  };
  const results: CheckResult[] = [];
  for (const name of checkNames) {
    if (!(only?.includes(name) ?? (name !== "coverage" || folder === packageFixtures))) continue;
    onProgress?.(name);
    results.push(await checks[name]());
  }
  return { results, holds: results.every(({ findings }) => findings.length === 0) };
}
