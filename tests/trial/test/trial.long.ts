import { describe, it } from "vitest";
import { copyWithTrips, runs } from "./added-operation.ts";

const copy = copyWithTrips();

describe("all tests pass with the trial's operation", () => {
  it.each(["core", "sandbox", "tools", "mcp-server", "contract-tests"])("%s", (name) => {
    // The tool's token cost does not count against the budget of the real tools.
    runs(copy, "npx vitest run -t '^(?!.*costs at most 2,000 tokens)'", `packages/${name}`);
  });
});
