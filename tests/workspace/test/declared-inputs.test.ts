import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const fixture = readFileSync(new URL("../fixtures/undeclared.fixture.ts", import.meta.url), "utf8");

interface Report {
  testResults: { name: string; status: string; message: string }[];
}

let report: Report;
beforeAll(() => {
  const vitest = fileURLToPath(new URL("../../../node_modules/vitest/vitest.mjs", import.meta.url));
  const args = [vitest, "run", "--root", ".", "--config", "fixtures/vitest.config.ts", "--reporter=json"];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  if (!stdout.includes("{")) throw new Error(stderr);
  report = JSON.parse(stdout.slice(stdout.indexOf('{"'))) as Report;
}, 120_000);

const result = (file: string) => report.testResults.find(({ name }) => name.endsWith(`/fixtures/${file}.fixture.ts`));

describe("a file of the repository that is not an input of the target (vitest.declared-inputs.ts, vitest.opened-files.ts, scripts/opened-files.cjs)", () => {
  it.each([...fixture.matchAll(/^it\("([^"]+)".*?[a-z]+\("([\w./-]+)"\)/gms)].map(([, test, path]) => ({ test, path })))(
    "fails the test that opens it by $test",
    ({ test, path }) => {
      const { status, message } = result("undeclared") ?? {};
      expect(status).toBe("failed");
      const lines = message?.split("\n").filter((line) => line.includes(`"${test}" opens ${path}`));
      expect(lines?.[0]).toMatch(
        / is not an input of @fleetwire\/workspace:fixture: .*"inputs" of "fixture" in tests\/workspace\/package\.json$/,
      );
    },
  );

  it("fails the test that imports it", () => {
    const { status, message } = result("undeclared-module") ?? {};
    expect({ status, message }).toEqual({
      status: "failed",
      message: expect.stringContaining("scripts/markdown-table.ts, which is not an input of @fleetwire/workspace:fixture"),
    });
  });

  it("is distinguished from inputs, installed files and files elsewhere", () => {
    expect(result("declared")?.status).toBe("passed");
  });
});
