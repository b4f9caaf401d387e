import type { GeneratedFiles } from "../../../scripts/generated-files.ts";
import { type Baseline, fixtureText, runChecks } from "../src/index.ts";

/** The file that lists the fields in each fixture's responses and results. */
export const presenceFile = (baseline: Baseline): GeneratedFiles => ({
  "packages/contract-tests/fixtures/presence.json": fixtureText(baseline),
});

/** Replays every fixture against the tools and the sandbox. Throws if they break the contract, because wrong fields would be recorded as correct. */
export async function generate(): Promise<GeneratedFiles> {
  const { results, holds, baseline } = await runChecks({ only: ["tool", "sandbox"] });
  if (!holds) {
    const [{ check, subject, problem } = { check: "", subject: "", problem: "" }] = results.flatMap(({ findings }) => findings);
    throw new Error(`check ${check} fails for ${subject}: ${problem}. npm run task -- contract replay lists all failures; fix them first`);
  }
  return presenceFile(baseline);
}
