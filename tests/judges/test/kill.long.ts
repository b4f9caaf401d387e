import { expect, it } from "vitest";
import { kill } from "./kill.ts";

it("hundreds of jobs survive dozens of killed servers, without duplicates or false reports", async () => {
  const { faults } = await kill({ rounds: 4, callers: 12, seed: 7, atOnce: 4 });
  expect(faults).toEqual([]);
});
