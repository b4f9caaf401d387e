import { describe, it } from "vitest";
import { compareChecks, outputs } from "./check-agreement.ts";

describe("the fast check and zod agree on", () => {
  it.each(outputs)("responses of $name", ({ output }) => compareChecks(output, 50));
});
