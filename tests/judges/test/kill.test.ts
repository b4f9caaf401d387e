import { expect, it, onTestFinished } from "vitest";
import { countsTable, totalOf } from "./job-counts.ts";
import { kill } from "./kill.ts";
import { killStrays } from "./killed-server.ts";

const WAYS = ["SIGKILL", "SIGTERM", "SIGKILL, started again"];

it("no job is duplicated, misreported or lost when the server is killed or shut down under load, or killed during a confirmed write", async () => {
  onTestFinished(killStrays);
  const { rows, faults } = await kill({ rounds: 1, callers: 4, seed: 20_261_122, atOnce: 6, ways: WAYS });
  console.log(countsTable(rows));
  expect(faults).toEqual([]);
  expect(rows.size).toBe(2 * WAYS.length);
  const { created, inferred, withoutResult } = totalOf(rows.values());
  // Ensures that the kills hit requests in flight.
  expect(Math.min(created, inferred, withoutResult)).toBeGreaterThan(0);
});
