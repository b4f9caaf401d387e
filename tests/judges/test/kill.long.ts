import { expect, it, onTestFinished } from "vitest";
import { countsTable, totalOf } from "./job-counts.ts";
import { kill } from "./kill.ts";
import { killStrays } from "./killed-server.ts";

it("thousands of jobs survive hundreds of killed servers, without duplicates or false reports", async () => {
  onTestFinished(killStrays);
  const { rows, faults } = await kill({ rounds: 12, callers: 12, seed: 7, atOnce: 4 });
  console.log(countsTable(rows));
  expect(faults).toEqual([]);
  expect(totalOf(rows.values())).toMatchObject({ duplicated: 0, misreported: 0 });
});
