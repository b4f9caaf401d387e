import { expect, it } from "vitest";
import { fuzzRequests } from "./request-fuzz.ts";

it.skipIf(process.platform !== "linux")("random requests cause no undocumented response, and nothing secret in the log", async () => {
  const { problems } = await fuzzRequests({ seed: 1, requests: 150, lanes: 8 });
  expect(problems, "see packages/mcp-server/src/http").toEqual([]);
});
