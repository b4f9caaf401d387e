import { describe, expect, it } from "vitest";
import { countsTable } from "./job-counts.ts";
import { FAULT_SHARE, FAULTS, faultsOf, rowOf, type SoakOptions, soak } from "./soak.ts";

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

describe("jobs created by many callers with faults in three of ten requests", () => {
  it.each(["refuse", "overwrite", "conflict"] as const)("all exist exactly once, with true reports (%s)", async (duplicateJobs) => {
    const options: SoakOptions = { jobs: 200, reads: 60, callers: 25, seed: 7, duplicateJobs };
    const result = await soak(options);
    console.log(countsTable(new Map([[duplicateJobs, rowOf(result, options)]])));
    expect(faultsOf(result, options)).toEqual([]);
    // Ensures that the faults had an effect.
    expect(Object.keys(result.requests)).toEqual(expect.arrayContaining(["200", "302", "429", "500", "503", "network", "timeout"]));
    expect(result.outcomes["unknownOutcome"]).toBeGreaterThan(0);
    expect(result.outcomes["inferred"] ?? 0).toBeGreaterThan(duplicateJobs === "overwrite" ? -1 : 0);
    expect(result.reads["result"]).toBeGreaterThan(30);
  });

  it("have faults of all kinds in three of ten requests", () => {
    expect(FAULT_SHARE).toBeGreaterThanOrEqual(0.3);
    expect(FAULTS).toHaveLength(18);
  });
});
