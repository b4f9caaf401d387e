import { expect, it, onTestFinished } from "vitest";
import { kill } from "./kill.ts";
import { killStrays } from "./killed-server.ts";
import { outcomeTable, totalOf } from "./outcome-table.ts";

it("thousands of jobs survive hundreds of killed servers, each once, and every report is true", async () => {
  onTestFinished(killStrays);
  const { rows, faults } = await kill({ rounds: 12, callers: 12, seed: 7, atOnce: 4, revisions: "both" });
  console.log(outcomeTable(rows));
  expect(faults).toEqual([]);
  expect(totalOf(rows.values())).toMatchObject({ doubled: 0, untrue: 0 });
});
