import { describe, expect, it } from "vitest";
import { outcomeTable } from "./outcome-table.ts";
import { FAULT_SHARE, FAULTS, faultsOf, rowOf, type SoakOptions, soak } from "./soak.ts";

describe("jobs created by many callers while three requests in ten meet a fault", () => {
  it.each(["refuse", "overwrite", "conflict"] as const)(
    "are all there, each once, and every report is true (%s)",
    async (duplicateJobs) => {
      const options: SoakOptions = { jobs: 200, reads: 60, callers: 25, seed: 7, duplicateJobs };
      const result = await soak(options);
      console.log(outcomeTable(new Map([[duplicateJobs, rowOf(result, options)]])));
      expect(faultsOf(result, options)).toEqual([]);
      // Without these the soak would have tried nothing.
      expect(Object.keys(result.requests)).toEqual(expect.arrayContaining(["200", "302", "429", "500", "503", "network", "timeout"]));
      expect(result.outcomes["unknownOutcome"]).toBeGreaterThan(0);
      expect(result.outcomes["inferred"] ?? 0).toBeGreaterThan(duplicateJobs === "overwrite" ? -1 : 0);
      expect(result.reads["result"]).toBeGreaterThan(30);
    },
  );

  it("meet three in ten, of all kinds", () => {
    expect(FAULT_SHARE).toBeGreaterThanOrEqual(0.3);
    expect(FAULTS).toHaveLength(18);
  });
});
