import { describe, it } from "vitest";
import { compareChecks, outputs } from "./check-agreement.ts";

describe("the fast check and zod agree on", () => {
  it.each(outputs)("10,000 responses of $name", ({ output }) => compareChecks(output, 10_000));
});
