import { describe, expect, it } from "vitest";
import { fuzzRequests } from "./request-fuzz.ts";

describe.skipIf(process.platform !== "linux")("random requests to a server with authorization", () => {
  it.each(["token", "oauth"] as const)(
    "cause no undocumented response, and nothing secret in the log (%s)",
    { timeout: 240_000 },
    async (mode) => {
      const { problems, ...report } = await fuzzRequests({ mode, seed: 1, requests: 120, lanes: 8 });
      console.log(`random requests (${mode}): ${JSON.stringify(report)}`);
      expect(problems, "see packages/mcp-server/src/http").toEqual([]);
    },
  );
});
