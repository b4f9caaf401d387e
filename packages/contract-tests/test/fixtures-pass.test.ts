import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { staleFiles } from "../../../scripts/generated-files.ts";
import { presenceFile } from "../scripts/generate-presence.ts";
import { type ChecksReport, checkNames, fixtureText, loadFixtures, packageFixtures, runChecks } from "../src/index.ts";

let report: ChecksReport;
const fixtures = loadFixtures();

beforeAll(async () => {
  report = await runChecks();
}, 120_000);

afterAll(() => {
  // The log of a run shows what was skipped, and why.
  const reasons = new Map<string, number>();
  for (const { check, reason } of report.results.flatMap(({ skips }) => skips)) {
    const key = `${check}: ${reason}`;
    reasons.set(key, (reasons.get(key) ?? 0) + 1);
  }
  for (const [reason, count] of reasons) console.info(`skipped ${count} x ${reason}`);
});

describe("the contract holds", () => {
  it.each(checkNames)("check %s", (check) => {
    const found = report.results.find((candidate) => candidate.check === check);
    expect(found?.findings).toEqual([]);
    expect(found?.checked).toBeGreaterThan(0);
  });

  it.each(["client", "sandbox"] as const)("check %s covers every fixture or gives a reason", (check) => {
    const { checked = 0, skips = [] } = report.results.find((candidate) => candidate.check === check) ?? {};
    expect(checked + skips.length).toBe(fixtures.length);
    expect(skips.filter(({ reason }) => reason === "")).toEqual([]);
  });

  it("all checks run if they are to end with the first finding, and there is none", async () => {
    const { results } = await runChecks({ only: ["interface", "coverage"], bail: true });
    expect(results.map(({ check }) => check)).toEqual(["interface", "coverage"]);
  });

  it("presence.json is up to date (else: npm run generate)", () => {
    const root = fileURLToPath(new URL("../../../", import.meta.url));
    expect(staleFiles(presenceFile(report.baseline), root)).toEqual([]);
  });

  it("every fixture file has sorted keys", () => {
    for (const { id } of fixtures) {
      const text = readFileSync(`${packageFixtures}${id}.json`, "utf8");
      expect(text, id).toBe(fixtureText(JSON.parse(text)));
    }
  });
});
