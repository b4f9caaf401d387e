import { readFileSync } from "node:fs";
import type { OutcomeKind } from "../outcomes/outcomes.ts";
import type { CheckName } from "../src/checks/finding.ts";

export type Suite = "contract" | "client" | "results";

// Each step loads what it stands on itself: most mutants are caught by the first.
type Step = (publishedDocument: string) => Promise<string[]>;

const table: Step = async () => {
  const { compareWithContract } = await import("../src/table/compare-with-contract.ts");
  const { loadTable } = await import("../src/table/contract-table.ts");
  const { findings } = await compareWithContract(loadTable());
  return findings.map(({ problem }) => `table: ${problem}`);
};

const openapi: Step = async (publishedDocument) => {
  const { openApiDocument } = await import("@fleetwire/core");
  const { samples } = await import("@fleetwire/core/samples");
  return JSON.stringify(openApiDocument({ samples })) === publishedDocument ? [] : ["openapi: the published document is another one"];
};

const types: Step = async () => {
  const { renderInterfaces } = await import("../../core/scripts/interfaces/render.ts");
  const sources = new URL("../../core/src/", import.meta.url);
  return Object.entries(renderInterfaces(sources))
    .filter(([path, text]) => readFileSync(new URL(path, sources), "utf8") !== text)
    .map(([path]) => `types: ${path} is another one`);
};

const checks =
  (...only: CheckName[]): Step =>
  async () => {
    const { runChecks } = await import("../src/checks/run-checks.ts");
    const { verdicts } = await runChecks({ only, bail: true });
    return verdicts.flatMap(({ findings }) => findings.map(({ check, subject, problem }) => `${check}: ${subject}: ${problem}`));
  };

const outcomes =
  (kind: OutcomeKind): Step =>
  async () => {
    const { outcomeProblems } = await import("../outcomes/outcomes.ts");
    return (await outcomeProblems(kind, { bail: true })).map((problem) => `outcomes: ${problem}`);
  };

/** The checks that can see a change, the likeliest and quickest first: the sandbox never stands on the client, and only tools stand on results. */
const STEPS: Readonly<Record<Suite, readonly Step[]>> = {
  contract: [
    table,
    openapi,
    types,
    checks("client"),
    outcomes("input"),
    outcomes("client"),
    outcomes("walk"),
    outcomes("tool"),
    checks("tool", "sandbox", "presence"),
    checks("coverage"),
  ],
  client: [
    checks("client"),
    outcomes("client"),
    outcomes("own"),
    outcomes("walk"),
    outcomes("stream"),
    outcomes("input"),
    outcomes("tool"),
    checks("tool", "presence"),
    table,
    openapi,
  ],
  results: [outcomes("list"), outcomes("locate"), outcomes("write"), outcomes("tool"), outcomes("question"), checks("tool", "presence")],
};

/** What first convicts the sources that this stands on, in words; undefined where nothing does. */
export async function conviction(publishedDocument: string, suite: Suite): Promise<string | undefined> {
  for (const step of STEPS[suite]) {
    const [problem] = await step(publishedDocument);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
