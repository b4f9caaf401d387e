import { expect, it } from "vitest";
import { pastAgainstTruth, QUESTIONS, wrongOf } from "./past-against-truth.ts";

// A thousand of each: past-against-truth.long.ts.
it.each(["nonstop", "week"] as const)("the past of the %s fleet is that of the simulation", { timeout: 60_000 }, async (rhythm) => {
  const past = pastAgainstTruth(rhythm, 3);
  for (const question of QUESTIONS)
    expect([question, await wrongOf(past[question], question === "endsOfStops" ? 1 : 3)]).toEqual([question, []]);
});
