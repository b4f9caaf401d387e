import { describe, expect, it } from "vitest";
import { outcomeKinds, outcomeProblems } from "../outcomes/outcomes.ts";

describe("what callers and hosts see is what was reviewed (npm run outcomes writes it anew)", () => {
  it.each(outcomeKinds)("%s", { timeout: 120_000 }, async (kind) => {
    expect(await outcomeProblems(kind)).toEqual([]);
  });
});
