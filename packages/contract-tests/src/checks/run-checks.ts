import type { NamedFixture } from "../fixtures/fixture.ts";
import { loadFixtures, packageFixtures } from "../fixtures/load-fixtures.ts";
import { checkContract } from "../interface/compare-documents.ts";
import { type InterfaceDocument, loadInterface } from "../interface/interface-document.ts";
import { type CheckName, type CheckResult, checkNames } from "./check-result.ts";
import { checkClient } from "./client-check.ts";
import { checkCoverage } from "./coverage.ts";
import { type Baseline, baselineOf, checkPresence, readBaseline } from "./presence.ts";
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
  /** The fields found in responses, to be written as the next baseline. */
  baseline: Baseline;
}

async function run(
  check: CheckName,
  fixtures: readonly NamedFixture[],
  document: InterfaceDocument,
  bodies: Map<string, unknown>,
  { folder, bail }: { folder: string; bail: boolean },
): Promise<CheckResult> {
  switch (check) {
    case "interface":
      return checkContract(document);
    case "client":
      return checkClient(fixtures, document, { bail });
    case "coverage":
      return checkCoverage(fixtures, document);
    case "presence":
      return checkPresence(readBaseline(folder), baselineOf(bodies), new Set(fixtures.map(({ id }) => id)));
    case "sandbox": {
      const { result, responses } = await checkSandbox(fixtures, document, { bail });
      for (const [id, body] of responses) bodies.set(id, body);
      return result;
    }
  }
}

/** All checks that these fixtures can pass: one deployment's recordings cannot cover the whole interface. */
export const usualChecks = (folder: string): CheckName[] => checkNames.filter((name) => name !== "coverage" || folder === packageFixtures);

/** Runs the checks on the fixtures. `presence` needs `sandbox`, whose responses it compares. */
export async function runChecks({
  folder = packageFixtures,
  only = usualChecks(folder),
  bail = false,
  onProgress,
}: ChecksOptions = {}): Promise<ChecksReport> {
  if (only.includes("presence") && !only.includes("sandbox"))
    throw new Error("presence compares what the sandbox returns: add sandbox to the checks");
  const fixtures = loadFixtures(folder);
  const document = loadInterface();
  const bodies = new Map<string, unknown>();
  const results: CheckResult[] = [];
  for (const check of checkNames.filter((name) => only.includes(name))) {
    onProgress?.(check);
    const result = await run(check, fixtures, document, bodies, { folder, bail });
    results.push(bail ? { ...result, findings: result.findings.slice(0, 1) } : result);
    if (bail && result.findings.length > 0) break;
  }
  return { results, holds: results.every(({ findings }) => findings.length === 0), baseline: baselineOf(bodies) };
}
