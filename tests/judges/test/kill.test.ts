import { expect, it, onTestFinished } from "vitest";
import { countsTable, totalOf } from "./job-counts.ts";
import { kill } from "./kill.ts";
import { killStrays } from "./killed-server.ts";

// Takes seconds on an idle machine.
const LONGEST_MS = 180_000;

it(
  "whatever kills the server or its callers, no job is duplicated, misreported or lost",
  async () => {
    onTestFinished(killStrays);
    const { rows, faults } = await kill({ rounds: 1, callers: 4, seed: 20_261_122, atOnce: 4, revisions: "alternating" });
    console.log(countsTable(rows));
    expect(faults).toEqual([]);
    const { created, withoutResult, existingWithoutResult } = totalOf(rows.values());
    // Ensures that the kills hit requests in flight.
    expect(Math.min(created, withoutResult, existingWithoutResult)).toBeGreaterThan(0);
  },
  LONGEST_MS,
);
