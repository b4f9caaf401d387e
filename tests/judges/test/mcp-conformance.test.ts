import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { folderWith } from "./external-command.ts";
import { type CommandResult, NODE24_TIMEOUT, runOnNode24 } from "./node24-command.ts";
import { type Served, serveSandbox } from "./served-sandbox.ts";

const SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12";

let served: Served;

beforeAll(async () => {
  served = await serveSandbox();
});

afterAll(() => served.stop());

const baselineOf = (revision: string) => readFileSync(fileURLToPath(new URL(`../conformance/${revision}.yml`, import.meta.url)), "utf8");

async function runSuite(baseline: string, scenarios: readonly string[]): Promise<CommandResult> {
  const folder = await folderWith({ "baseline.yml": baseline });
  const file = join(folder, "baseline.yml");
  return runOnNode24(
    SUITE,
    ["conformance", "server", "--url", served.url, "--expected-failures", file, ...scenarios],
    /Baseline check passed|baseline entries|not in baseline/,
  );
}

// The suite does not count these pending or extension scenarios; those that pass must keep passing.
const PASSED_UNCOUNTED: Record<string, readonly string[]> = { "2026-07-28": ["http-header-validation"], "2025-11-25": [] };

describe.each(["2026-07-28", "2025-11-25"])("the MCP conformance suite of revision %s, over HTTP", (revision) => {
  it(
    "passes, except for the scenarios in the baseline",
    async () => {
      const { code, output } = await runSuite(baselineOf(revision), ["--requirements", revision]);
      const [, summary = output] = /(Expected failures[\s\S]*)/.exec(output) ?? [];
      expect(summary).toContain("Baseline check passed: all failures are expected.");
      for (const scenario of PASSED_UNCOUNTED[revision] ?? [])
        expect(output).toMatch(new RegExp(`✓ ${scenario}: [1-9]\\d* passed, 0 failed`));
      expect(code).toBe(0);
    },
    NODE24_TIMEOUT,
  );

  it("has a reason for each line of the baseline", () => {
    const lines = baselineOf(revision)
      .split("\n")
      .filter((line) => !line.startsWith("#") && line !== "server:" && line !== "");
    expect(lines.filter((line) => !/^ {2}- [\w-]+:[\w-]+ # .{15,}$/.test(line))).toEqual([]);
    expect(lines).toEqual(lines.toSorted());
  });
});

describe("the conformance suite with a baseline", () => {
  it.each([
    ["fails for a failure without a line", "server: []\n", "prompts-get-simple", /✗ prompts-get-simple/],
    ["fails for a line that passes", "server:\n  - tools-list:tools-list\n", "tools-list", /[Ss]tale baseline entries[\s\S]*tools-list/],
  ])(
    "%s",
    async (_, baseline, scenario, pattern) => {
      const { code, output } = await runSuite(baseline, ["--scenario", scenario]);
      expect(output).toMatch(pattern);
      expect(code).toBe(1);
    },
    NODE24_TIMEOUT,
  );
});
