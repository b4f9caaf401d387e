import type { GeneratedFiles } from "../../../scripts/generated-files.ts";
import { type Baseline, fixtureText, runChecks } from "../src/index.ts";

/** The file for what the fixtures' responses and results held. */
export const presenceFile = (baseline: Baseline): GeneratedFiles => ({
  "packages/contract-tests/fixtures/presence.json": fixtureText(baseline),
});

/** Which fields the responses of the sandbox and the results of the tools hold, fixture by fixture. */
export async function generate(): Promise<GeneratedFiles> {
  const { baseline } = await runChecks({ only: ["tool", "sandbox"] });
  return presenceFile(baseline);
}
