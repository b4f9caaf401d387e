import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import parseChangeset from "@changesets/parse";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkFiles } from "./external-command.ts";
import { changed, type OpenApi, POSITIONS, publishedText } from "./openapi-document.ts";

const CONTRACT = "@fleetwire/core";
const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const PACKAGES = at("../../../packages");
const BASELINE = at("../../../packages/contract-tests/baselines");
const CONTRACT_COMMAND = at("../../../packages/contract-tests/dist/fleetwire-contract.js");

interface Report {
  changes: { impact: string; path: string; verdicts: { message: string }[] }[];
}

interface Changeset {
  name: string;
  text: string;
}

const folder = at("../../../.changeset/");
const pending: Changeset[] = readdirSync(folder)
  .filter((name) => name.endsWith(".md"))
  .map((name) => ({ name, text: readFileSync(folder + name, "utf8") }));

const asksForMajor = ({ text }: Changeset) => parseChangeset(text).releases.some(({ name, type }) => name === CONTRACT && type === "major");

/** The breaking changes between two documents or folders of packages, by our command. */
function breakingChanges(base: string, revision: string): string[] {
  const { stdout, stderr } = spawnSync(process.execPath, [CONTRACT_COMMAND, "diff", base, revision, "--json"], { encoding: "utf8" });
  if (stdout === "") throw new Error(stderr);
  const { changes } = JSON.parse(stdout) as { changes: { impact: string; text: string }[] };
  return changes.filter(({ impact }) => impact === "breaking").map(({ text }) => text);
}

function breakingEdit(change: (document: OpenApi) => void): string[] {
  const path = join(mkdtempSync(join(tmpdir(), "fleetwire-baseline-")), "openapi.json");
  onTestFinished(() => rmSync(dirname(path), { recursive: true }));
  writeFileSync(path, JSON.stringify(changed(change)));
  return breakingChanges(at("../../../packages/core/openapi.json"), path);
}

/** The breaking changes according to Redocly. */
async function breakingForRedocly(change: (document: OpenApi) => void): Promise<string[]> {
  const files = { "base.json": publishedText, "revision.json": changed(change) };
  const { stdout } = await checkFiles("redocly", ["diff", "base.json", "revision.json", "--format", "json"], files);
  const { changes } = JSON.parse(stdout) as Report;
  return changes.filter(({ impact }) => impact === "major").map(({ path, verdicts: [verdict] }) => verdict?.message ?? path);
}

/** The breaking changes without a major changeset. */
function undeclared(breaks: readonly string[], changesets: readonly Changeset[]): string[] {
  return changesets.some(asksForMajor)
    ? []
    : breaks.map((what) => `${what} This breaks callers: add a changeset with "${CONTRACT}": major`);
}

const major = { name: "major.md", text: `---\n"${CONTRACT}": major\n---\n\nWithout speeds.\n` };
const minor = { name: "minor.md", text: `---\n"${CONTRACT}": minor\n"@fleetwire/sandbox": major\n---\n\nWithout speeds.\n` };

describe("the contract compared with the last release's (npm run task -- release-baseline)", () => {
  it("has no breaking change without a major changeset", () => {
    expect(undeclared(breakingChanges(BASELINE, PACKAGES), pending)).toEqual([]);
  });

  it.each<[string, (document: OpenApi) => void, RegExp]>([
    ["a removed field", ({ components }) => delete components.schemas.LivePosition.properties.speed, /no longer have `LivePosition.speed`/],
    [
      "a field of another type",
      ({ components }) => (components.schemas.LivePosition.properties.speed.type = "string"),
      /speed` is now string/,
    ],
    ["a removed operation", ({ paths }) => delete paths[POSITIONS], /`listLivePositions` .* is gone/],
    ["a removed parameter", ({ paths }) => paths[POSITIONS].get.parameters.pop(), /`listLivePositions` no longer takes/],
  ])("names %s, as Redocly does, unless there is a major changeset", async (_, change, words) => {
    const breaks = breakingEdit(change);
    expect(undeclared(breaks, [minor])).toEqual([expect.stringMatching(words)]);
    expect(undeclared(breaks, [minor])[0]).toContain('"@fleetwire/core": major');
    expect(undeclared(breaks, [minor, major])).toEqual([]);
    expect(await breakingForRedocly(change)).toHaveLength(1);
  });

  it("does not count a new field or another description as breaking", async () => {
    const revise = ({ components }: OpenApi) => {
      components.schemas.LivePosition.properties.colour = { type: "string" };
      components.schemas.LivePosition.properties.speed.description = "Speed";
    };
    expect([breakingEdit(revise), await breakingForRedocly(revise)]).toEqual([[], []]);
  });

  it.each(pending)("can read the changeset $name", ({ text }) => {
    expect(parseChangeset(text)).toMatchObject({ summary: expect.stringMatching(/./) });
    expect(parseChangeset(text).releases.length).toBeGreaterThan(0);
  });
});
