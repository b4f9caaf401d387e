import { expect, it } from "vitest";
import { countsTable } from "./job-counts.ts";
import { FAULT_SHARE, faultsOf, rowOf, type SoakOptions, soak } from "./soak.ts";

it("ten thousand jobs by a hundred callers all exist exactly once, with true reports", async () => {
  const options: SoakOptions = { jobs: 10_000, reads: 2_000, callers: 100, seed: 20_261_121, duplicateJobs: "refuse" };
  const startedAt = performance.now();
  const result = await soak(options);
  const { jobs, outcomes, reads, requests } = result;
  console.log(countsTable(new Map([[options.duplicateJobs, rowOf(result, options)]])));
  console.log("outcomes", outcomes, "\nreads", reads, "\nrequests", requests);
  console.log(`${jobs.size} jobs, fault share ${FAULT_SHARE.toFixed(3)}, ${Math.round((performance.now() - startedAt) / 1000)} s`);
  expect(faultsOf(result, options)).toEqual([]);
  expect(jobs.size).toBe(10_000);
});
