import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import parseChangeset from "@changesets/parse";
import { describe, expect, it } from "vitest";
import { checkFiles } from "./external-command.ts";
import { changed, type OpenApi, POSITIONS, publishedText } from "./openapi-document.ts";

const CONTRACT = "@fleetwire/core";
const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

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

/** The breaking changes according to Redocly. */
async function breakingChanges(base: unknown, revision: unknown): Promise<string[]> {
  const files = { "base.json": base, "revision.json": revision };
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

const released = readFileSync(at("../../../packages/contract-tests/baselines/openapi.json"), "utf8");
const major = { name: "major.md", text: `---\n"${CONTRACT}": major\n---\n\nWithout speeds.\n` };
const minor = { name: "minor.md", text: `---\n"${CONTRACT}": minor\n"@fleetwire/sandbox": major\n---\n\nWithout speeds.\n` };

describe("the OpenAPI document compared with the last release (npm run task -- release-baseline)", () => {
  it("has no breaking change without a major changeset", async () => {
    expect(undeclared(await breakingChanges(released, publishedText), pending)).toEqual([]);
  });

  it.each<[string, (document: OpenApi) => void, RegExp]>([
    ["a removed field", ({ components }) => delete components.schemas.LivePosition.properties.speed, /Property `speed` of `LivePosition`/],
    ["a field of another type", ({ components }) => (components.schemas.LivePosition.properties.speed.type = "string"), /Type of `speed`/],
    ["a removed operation", ({ paths }) => delete paths[POSITIONS], /tracking\/live` was removed/],
    ["a removed parameter", ({ paths }) => paths[POSITIONS].get.parameters.pop(), /query parameter was removed/],
  ])("names %s, unless there is a major changeset", async (_, change, words) => {
    const breaks = await breakingChanges(publishedText, changed(change));
    expect(undeclared(breaks, [minor])).toEqual([expect.stringMatching(words)]);
    expect(undeclared(breaks, [minor])[0]).toContain('"@fleetwire/core": major');
    expect(undeclared(breaks, [minor, major])).toEqual([]);
  });

  it("does not count a new field or another description as breaking", async () => {
    const revision = changed(({ components }) => {
      components.schemas.LivePosition.properties.colour = { type: "string" };
      components.schemas.LivePosition.properties.speed.description = "Speed";
    });
    expect(await breakingChanges(publishedText, revision)).toEqual([]);
  });

  it.each(pending)("can read the changeset $name", ({ text }) => {
    expect(parseChangeset(text)).toMatchObject({ summary: expect.stringMatching(/./) });
    expect(parseChangeset(text).releases.length).toBeGreaterThan(0);
  });
});
