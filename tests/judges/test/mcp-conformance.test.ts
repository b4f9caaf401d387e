import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SUITE } from "./authorization-scenarios.ts";
import { folderWith } from "./external-command.ts";
import { type CommandResult, NODE24_TIMEOUT, runOnNode24 } from "./node24-command.ts";
import { type Served, serveSandbox } from "./served-sandbox.ts";
import { serveWithOAuth } from "./served-with-oauth.ts";

let open: Served;
let withOAuth: Awaited<ReturnType<typeof serveWithOAuth>>;

beforeAll(async () => {
  [open, withOAuth] = await Promise.all([serveSandbox(), serveWithOAuth()]);
});

afterAll(() => Promise.all([open.stop(), withOAuth.stop()]));

const baselineOf = (revision: string) => readFileSync(fileURLToPath(new URL(`../conformance/${revision}.yml`, import.meta.url)), "utf8");

async function runSuite({ url }: Served, baseline: string, scenarios: readonly string[]): Promise<CommandResult> {
  const folder = await folderWith({ "baseline.yml": baseline });
  const file = join(folder, "baseline.yml");
  return runOnNode24(
    SUITE,
    ["conformance", "server", "--url", url, "--expected-failures", file, ...scenarios],
    /Baseline check passed|baseline entries|not in baseline/,
  );
}

// The suite does not count these pending or extension scenarios; those that pass must keep passing.
const PASSED_UNCOUNTED: Record<string, readonly string[]> = { "2026-07-28": ["http-header-validation"], "2025-11-25": [] };

const servers: [string, () => Served][] = [
  ["that anyone on this machine may call", () => open],
  ["with --caller-auth oauth", () => withOAuth],
];

describe.each(["2026-07-28", "2025-11-25"])("the MCP conformance suite of revision %s, over HTTP", (revision) => {
  it.each(servers)(
    "passes for a server %s, except for the scenarios in the baseline",
    async (_, served) => {
      const { code, output } = await runSuite(served(), baselineOf(revision), ["--requirements", revision]);
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
      const { code, output } = await runSuite(open, baseline, ["--scenario", scenario]);
      expect(output).toMatch(pattern);
      expect(code).toBe(1);
    },
    NODE24_TIMEOUT,
  );
});

it("the server with --caller-auth oauth requires the access token that a proxy adds for the suite", async () => {
  expect((await fetch(withOAuth.protectedUrl, { method: "POST" })).status).toBe(401);
});
