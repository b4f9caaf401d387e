import { describe, expect, it } from "vitest";
import { allMutants } from "../mutants/all-mutants.ts";
import { mutantKinds } from "../mutants/mutant.ts";
import { judgeMutants } from "../mutants/pool.ts";
import { reportOf, sampleOf, scoreOf } from "../mutants/report.ts";

const SAMPLE = 160;
const SEED = 1;

/** As of all mutants (mutants.long.ts). What only tests of tools show, such as marks, pseudonyms and the records of failures, these checks do not see. */
const LEAST_SHARE = 0.9;

describe("the contract's checks, against mutants of what they check", () => {
  const all = allMutants();

  it("has mutants of every kind, each told apart by its words", () => {
    expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(mutantKinds));
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(2_000);
  });

  // All of them take long: mutants.long.ts.
  it("catches nearly all of a sample of them", { timeout: 15 * 60_000 }, async () => {
    const judgements = await judgeMutants(sampleOf(all, SAMPLE, SEED));
    console.info(reportOf(judgements));
    const { judged, share } = scoreOf(judgements);
    expect(judged).toBe(SAMPLE);
    expect(share).toBeGreaterThanOrEqual(LEAST_SHARE);
  });
});
