import type { NamedFixture } from "../fixtures/fixture.ts";
import { loadFixtures, ownFixtures } from "../fixtures/load-fixtures.ts";
import { compareWithContract } from "../table/compare-with-contract.ts";
import { type ContractTable, loadTable } from "../table/contract-table.ts";
import { checkCoverage } from "../table/coverage.ts";
import { unreviewedRows } from "../table/unreviewed.ts";
import { checkClient } from "./client-check.ts";
import { type CheckName, checkNames, type Finding, type Verdict } from "./finding.ts";
import { type Baseline, baselineOf, checkPresence, readBaseline } from "./presence.ts";
import { checkSandbox } from "./sandbox-check.ts";
import { checkTools } from "./tool-check.ts";

export interface ChecksOptions {
  /** Folder of the fixtures; those of this package where absent. */
  folder?: string | undefined;
  /** The checks to run; all of them where absent. */
  only?: readonly CheckName[] | undefined;
  /** Ends at the first thing that is found. */
  bail?: boolean | undefined;
  /** Told what begins. */
  onProgress?: ((check: CheckName) => void) | undefined;
}

export interface ChecksResult {
  verdicts: Verdict[];
  /** Nothing was found. */
  holds: boolean;
  /** What the answers held, to be written as the next baseline. */
  baseline: Baseline;
}

type Answers = Record<"sandbox" | "tool", ReadonlyMap<string, unknown>>;

/** The answers of who was not asked. */
const NOBODY: ReadonlyMap<string, unknown> = new Map();

/** A fixture that was drafted shows nothing before somebody has compared it with the description. */
const draftedFixture = ({ id, reviewed }: NamedFixture): Finding[] =>
  reviewed === false
    ? [
        {
          check: "coverage",
          subject: id,
          problem: `fixtures/${id}.json is a draft: check it against the description, then remove "reviewed": false`,
        },
      ]
    : [];

async function run(
  check: CheckName,
  fixtures: readonly NamedFixture[],
  table: ContractTable,
  answers: Answers,
  { folder, bail }: { folder: string; bail: boolean },
): Promise<Verdict> {
  switch (check) {
    case "table": {
      const verdict = await compareWithContract(table);
      const drafted = unreviewedRows().map((problem): Finding => ({ check: "table", subject: "table", problem }));
      return { ...verdict, findings: [...drafted, ...verdict.findings] };
    }
    case "client":
      return checkClient(fixtures, table, { bail });
    case "coverage": {
      const verdict = checkCoverage(fixtures, table);
      return { ...verdict, findings: [...fixtures.flatMap(draftedFixture), ...verdict.findings] };
    }
    case "presence": {
      const asked = (["sandbox", "tool"] as const).filter((who) => answers[who] !== NOBODY);
      return checkPresence(readBaseline(folder), baselineOf(answers), new Set(fixtures.map(({ id }) => id)), asked);
    }
    case "tool": {
      const { verdict, answers: found } = await checkTools(fixtures, table, { bail });
      answers.tool = found;
      return verdict;
    }
    case "sandbox": {
      const { verdict, answers: found } = await checkSandbox(fixtures, table, { bail });
      answers.sandbox = found;
      return verdict;
    }
  }
}

/** Runs the checks over the fixtures. Presence looks at what the checks of tools and sandbox saw, so it says something only after them. */
export async function runChecks({
  folder = ownFixtures,
  only = checkNames,
  bail = false,
  onProgress,
}: ChecksOptions = {}): Promise<ChecksResult> {
  const fixtures = loadFixtures(folder);
  // Nothing would be found wrong with nothing.
  const table = loadTable();
  const answers: Answers = { sandbox: NOBODY, tool: NOBODY };
  const verdicts: Verdict[] = [];
  for (const check of checkNames.filter((name) => only.includes(name))) {
    onProgress?.(check);
    const verdict = await run(check, fixtures, table, answers, { folder, bail });
    verdicts.push(verdict);
    if (bail && verdict.findings.length > 0) break;
  }
  return { verdicts, holds: verdicts.every(({ findings }) => findings.length === 0), baseline: baselineOf(answers) };
}
