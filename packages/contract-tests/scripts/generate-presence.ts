import type { GeneratedFiles } from "../../../scripts/generated-files.ts";
import { type Baseline, fixtureText, runChecks } from "../src/index.ts";

/** The file of which fields each fixture's responses and results hold. */
export const presenceFile = (baseline: Baseline): GeneratedFiles => ({
  "packages/contract-tests/fixtures/presence.json": fixtureText(baseline),
});

/** Replays every fixture against the tools and the sandbox; throws where they break the contract, since what they hold would then be recorded as right. */
export async function generate(): Promise<GeneratedFiles> {
  const { results, holds, baseline } = await runChecks({ only: ["tool", "sandbox"] });
  if (!holds) {
    const [{ check, subject, problem } = { check: "", subject: "", problem: "" }] = results.flatMap(({ findings }) => findings);
    throw new Error(`check ${check} fails for ${subject}: ${problem}. npm run contract -- replay lists all failures; fix them first`);
  }
  return presenceFile(baseline);
}
