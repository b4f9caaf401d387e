import { expect, it, onTestFinished } from "vitest";
import { kill } from "./kill.ts";
import { killStrays } from "./killed-server.ts";
import { outcomeTable, totalOf } from "./outcome-table.ts";

// Seconds where the machine does nothing else.
const LONGEST_MS = 180_000;

it(
  "whatever kills the server or its callers, no job is doubled, reported untruly or known to nobody",
  async () => {
    onTestFinished(killStrays);
    const { rows, faults } = await kill({ rounds: 1, callers: 4, seed: 20_261_122, atOnce: 4, revisions: "by turns" });
    console.log(outcomeTable(rows));
    expect(faults).toEqual([]);
    const { created, unanswered, unansweredJobs } = totalOf(rows.values());
    // Without these the kills would have tried nothing.
    expect(Math.min(created, unanswered, unansweredJobs)).toBeGreaterThan(0);
  },
  LONGEST_MS,
);
