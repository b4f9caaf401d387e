import { expect, it } from "vitest";
import { allMutants } from "../mutants/all-mutants.ts";
import { judgeMutants } from "../mutants/pool.ts";
import { knownSurvivors, reportOf, scoreOf } from "../mutants/report.ts";

const LONGEST_MS = 2 * 60 * 60_000;

it("all mutants are caught, but for those of which a reason is listed", { timeout: LONGEST_MS }, async () => {
  const all = allMutants();
  const judgements = await judgeMutants(all);
  console.info(reportOf(judgements));
  const { share, unexplained, outdated } = scoreOf(judgements);
  const ids = new Set(all.map(({ id }) => id));
  const gone = knownSurvivors.flatMap(({ mutants }) => mutants).filter((id) => !ids.has(id));
  expect({ unexplained, outdated, gone }).toEqual({ unexplained: [], outdated: [], gone: [] });
  expect(share).toBeGreaterThanOrEqual(0.9);
});
