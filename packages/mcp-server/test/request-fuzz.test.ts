import { expect, it } from "vitest";
import { fuzzRequests } from "./request-fuzz.ts";

const onLinux = it.skipIf(process.platform !== "linux");

onLinux.each(["token", "oauth"] as const)(
  "random requests cause no undocumented response, and nothing secret in the log (%s)",
  async (mode) => {
    const { problems } = await fuzzRequests({ mode, seed: 1, requests: 120, lanes: 8 });
    expect(problems, "see packages/mcp-server/src/http").toEqual([]);
  },
);
