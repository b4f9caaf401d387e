import type { NamedFixture } from "../fixtures/fixture.ts";
import { loadFixtures, packageFixtures } from "../fixtures/load-fixtures.ts";
import { type InterfaceDocument, loadInterface } from "../interface/interface-document.ts";
import { type CheckName, type CheckResult, checkNames } from "./check-result.ts";
import { checkClient } from "./client-check.ts";
import { checkCoverage } from "./coverage.ts";
import { checkInterface } from "./interface-check.ts";
import { checkSandbox } from "./sandbox-check.ts";

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
}

async function run(check: CheckName, fixtures: readonly NamedFixture[], document: InterfaceDocument, bail: boolean): Promise<CheckResult> {
  switch (check) {
    case "interface":
      return checkInterface(document);
    case "client":
      return checkClient(fixtures, document, { bail });
    case "coverage":
      return checkCoverage(fixtures, document);
    case "sandbox":
      return checkSandbox(fixtures, document, { bail });
  }
}

/** All checks that these fixtures can pass: one deployment's recordings cannot cover the whole interface. */
const usualChecks = (folder: string): CheckName[] => checkNames.filter((name) => name !== "coverage" || folder === packageFixtures);

/** Runs the checks on the fixtures. */
export async function runChecks({
  folder = packageFixtures,
  only = usualChecks(folder),
  bail = false,
  onProgress,
}: ChecksOptions = {}): Promise<ChecksReport> {
  const fixtures = loadFixtures(folder);
  const document = loadInterface();
  const results: CheckResult[] = [];
  for (const check of checkNames.filter((name) => only.includes(name))) {
    onProgress?.(check);
    const result = await run(check, fixtures, document, bail);
    results.push(bail ? { ...result, findings: result.findings.slice(0, 1) } : result);
    if (bail && result.findings.length > 0) break;
  }
  return { results, holds: results.every(({ findings }) => findings.length === 0) };
}
