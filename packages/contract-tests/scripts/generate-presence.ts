import type { GeneratedFiles } from "../../../scripts/generated-files.ts";
import { type Baseline, fixtureText, runChecks } from "../src/index.ts";

/** The file that lists the fields in the sandbox's response to each fixture. */
export const presenceFile = (baseline: Baseline): GeneratedFiles => ({
  "packages/contract-tests/fixtures/presence.json": fixtureText(baseline),
});

/** Replays every fixture against the sandbox. Throws if it breaks the contract, because wrong fields would be recorded as correct. */
export async function generate(): Promise<GeneratedFiles> {
  const { results, holds, baseline } = await runChecks({ only: ["sandbox"] });
  if (!holds) {
    const [{ check, subject, problem } = { check: "", subject: "", problem: "" }] = results.flatMap(({ findings }) => findings);
    throw new Error(`check ${check} fails for ${subject}: ${problem}. npm run contract -- replay lists all failures; fix them first`);
  }
  return presenceFile(baseline);
}
