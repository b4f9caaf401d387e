import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { JUDGE_TIMEOUT, judgeOnNode24, type Verdict } from "./node24-judge.ts";
import { folderWith } from "./outside-judge.ts";
import { type Served, serveSandbox } from "./served-sandbox.ts";

const SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12";

let served: Served;

beforeAll(async () => {
  served = await serveSandbox();
});

afterAll(() => served.stop());

const baselineOf = (revision: string) => readFileSync(fileURLToPath(new URL(`../conformance/${revision}.yml`, import.meta.url)), "utf8");

async function judge(baseline: string, scenarios: readonly string[]): Promise<Verdict> {
  const folder = await folderWith({ "baseline.yml": baseline });
  const file = join(folder, "baseline.yml");
  return judgeOnNode24(
    SUITE,
    ["conformance", "server", "--url", served.url, "--expected-failures", file, ...scenarios],
    /Baseline check passed|baseline entries|not in baseline/,
  );
}

// The suite marks these as pending or extensions, and counts none of them; what passes all the same is held here.
const PASSED_UNCOUNTED: Record<string, readonly string[]> = { "2026-07-28": ["http-header-validation"], "2025-11-25": [] };

describe.each(["2026-07-28", "2025-11-25"])("the MCP conformance suite of revision %s, over HTTP", (revision) => {
  it(
    "finds every scenario met, but for what the baseline names",
    async () => {
      const { code, output } = await judge(baselineOf(revision), ["--requirements", revision]);
      const [, verdict = output] = /(Expected failures[\s\S]*)/.exec(output) ?? [];
      expect(verdict).toContain("Baseline check passed: all failures are expected.");
      for (const scenario of PASSED_UNCOUNTED[revision] ?? [])
        expect(output).toMatch(new RegExp(`✓ ${scenario}: [1-9]\\d* passed, 0 failed`));
      expect(code).toBe(0);
    },
    JUDGE_TIMEOUT,
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
    ["fails at a failure that has no line", "server: []\n", "prompts-get-simple", /✗ prompts-get-simple/],
    ["fails at a line that passes", "server:\n  - tools-list:tools-list\n", "tools-list", /[Ss]tale baseline entries[\s\S]*tools-list/],
  ])(
    "%s",
    async (_, baseline, scenario, said) => {
      const { code, output } = await judge(baseline, ["--scenario", scenario]);
      expect(output).toMatch(said);
      expect(code).toBe(1);
    },
    JUDGE_TIMEOUT,
  );
});
