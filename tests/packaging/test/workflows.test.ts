import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";

describe("the workflows", () => {
  it("use each action of other authors at a commit, because a tag can be moved", async () => {
    const workflow = await readFile(new URL("../../../.github/workflows/ci.yml", import.meta.url), "utf8");
    const actions = [...workflow.matchAll(/uses: (.*)/g)].map(([, action]) => action);
    expect(actions.length).toBeGreaterThan(0);
    expect(actions.filter((action) => !/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action ?? ""))).toEqual([]);
  });
});
