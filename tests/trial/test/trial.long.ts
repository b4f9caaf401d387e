import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withTrips } from "./added-operation.ts";
import type { TreeCopy } from "./tree-copy.ts";

const PACKAGES = ["core", "sandbox", "tools", "mcp-server", "contract-tests"];

/** The token cost of the trial's tool does not count against the budget of the real tools. */
const BUDGET = "costs at most 2,000 tokens (o200k) in total";

interface Report {
  testResults: { name: string; message: string; assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[];
}

let copy: TreeCopy;

beforeAll(() => {
  copy = withTrips();
}, 900_000);

afterAll(() => copy?.remove());

describe("the full test suite with the trial's operation", () => {
  it.each(PACKAGES)("%s", (name) => {
    const { stdout, stderr } = copy.run("npx vitest run --reporter=json --outputFile=report.json", `packages/${name}`);
    const { testResults } = JSON.parse(readFileSync(copy.path("packages", name, "report.json"), "utf8")) as Report;
    expect(testResults.length, `${stdout}${stderr}`).toBeGreaterThan(0);
    const failed = testResults.flatMap(({ name: file, message, assertionResults }) => [
      // A file that failed to run has no assertion results.
      ...(assertionResults.length === 0 ? [`${file}: ${message}`] : []),
      ...assertionResults
        .filter(({ status, fullName }) => status === "failed" && !fullName.endsWith(BUDGET))
        .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join("\n").slice(0, 500)}`),
    ]);
    expect(failed).toEqual([]);
  });
});
