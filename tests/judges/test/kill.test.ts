import { expect, it } from "vitest";
import { kill } from "./kill.ts";

const WAYS = ["SIGKILL", "SIGTERM", "SIGKILL, started again"];

it("no job is duplicated, misreported or lost when the server is killed or shut down under load, or killed during a confirmed write", async () => {
  const { rows, faults } = await kill({ rounds: 1, callers: 4, seed: 20_261_122, atOnce: 6, ways: WAYS });
  expect(faults).toEqual([]);
  expect(rows).toHaveLength(2 * WAYS.length);
  // Ensures that the kills hit requests in flight.
  for (const report of ["created", "inferred", "withoutResult"] as const) expect(rows.some((row) => row[report] > 0)).toBe(true);
});
