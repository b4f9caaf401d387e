import { describe, expect, it } from "vitest";
import { fuzzRequests } from "./request-fuzz.ts";

const REQUESTS = Number(process.env["FUZZ_REQUESTS"] ?? 25_000);
const SEED = Number(process.env["FUZZ_SEED"] ?? 1_000_000);

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe("50,000 random requests to a server with authorization", () => {
  it.each(["token", "oauth"] as const)("cause no undocumented response, nothing secret in the log, and no growth (%s)", async (mode) => {
    const { problems, ...report } = await fuzzRequests({ mode, seed: SEED, requests: REQUESTS, lanes: 8 });
    console.log(`${REQUESTS} random requests (${mode}, seed ${SEED}): ${JSON.stringify(report)}`);
    expect(problems, "see packages/mcp-server/src/http").toEqual([]);
    // The first third is warming up.
    const settled = report.memory.slice(Math.floor(report.memory.length / 3));
    const half = Math.floor(settled.length / 2);
    expect(mean(settled.slice(half)) / mean(settled.slice(0, half))).toBeLessThan(1.2);
  });
});
