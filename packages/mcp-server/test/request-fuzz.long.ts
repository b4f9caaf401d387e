import { expect, it } from "vitest";
import { fuzzRequests } from "./request-fuzz.ts";
import { growthOf } from "./tenant-soak.ts";

const requests = Number(process.env["FUZZ_REQUESTS"] ?? 6_000);
const seed = Number(process.env["FUZZ_SEED"] ?? 1_000_000);

it("random requests cause nothing that they should not, and no growth", async () => {
  const { problems, ...report } = await fuzzRequests({ seed, requests, lanes: 8 });
  console.log(`${requests} random requests (seed ${seed}): ${JSON.stringify(report)}`);
  expect(problems, "see packages/mcp-server/src/http").toEqual([]);
  expect(growthOf(report.memory)).toBeLessThan(1.2);
});
