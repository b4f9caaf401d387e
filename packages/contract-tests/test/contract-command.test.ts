import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageFixtures } from "../src/index.ts";
import { ownFolder, run, start } from "./run-command.ts";

describe("replay", () => {
  it("ends with 0 where the contract holds", async () => {
    const { code, stdout } = await run(["replay", "--only", "table,coverage"]);
    expect(stdout).toMatch(/table +\d+ +0 +0\ncoverage +\d+ +0 +0\nThe contract holds\.\n$/);
    expect(code).toBe(0);
  });

  it("ends with 1 and names the fixture and the field", async () => {
    const folder = ownFolder();
    cpSync(packageFixtures, folder, { recursive: true });
    const file = join(folder, "documented/create-job-address.json");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll('"Pick up"', '"Bring"').replace('"Bring"', '"Pick up"'));
    const { code, stdout } = await run(["replay", "--only", "client", "--fixtures", folder]);
    expect(stdout).toContain("FAIL client  documented/create-job-address\n");
    expect(stdout).toContain('body.jobTitle is "Pick up": "Bring" was expected');
    expect(code).toBe(1);
    const asJson = await run(["replay", "--only", "client", "--fixtures", folder, "--json"]);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ holds: false, results: [{ check: "client", findings: expect.any(Array) }] });
  });

  it.each([
    [["replay", "--only", "colours"], "There is no check colours"],
    [["replay", "--only", "presence,client"], "presence looks at what the checks tool and sandbox see"],
    [["replay", "--fixtures", "/nowhere/at/all"], "there is no folder"],
    [["wave"], "unknown command"],
  ])("%s ends with 2", async (args, words) => {
    const { code, stderr } = await run(args);
    expect(stderr).toContain(words);
    expect(code).toBe(2);
  });

  it.each([["replay"], ["coverage"], ["export", "--format", "har"], ["verify", "--sandbox"]])(
    "%s ends with 2 where there is no fixture",
    async (...verb) => {
      const { code, stderr } = await run([...verb, "--fixtures", ownFolder()]);
      expect(stderr).toContain("there is no fixture in ");
      expect(code).toBe(2);
    },
  );

  it("names a file that is no fixture", async () => {
    const folder = ownFolder();
    writeFileSync(join(folder, "odd.json"), '{"operation": "flyAway"}');
    const { code, stderr } = await run(["replay", "--fixtures", folder]);
    expect(stderr).toContain("odd: operation: ");
    expect(code).toBe(2);
  });
});

describe("what cannot be written", () => {
  it.each([
    ["record", "--sandbox", "--out"],
    ["verify", "--sandbox", "--junit"],
    ["export", "--format", "pact", "--out"],
  ])("is refused by %s before any work", async (...args) => {
    const file = join(ownFolder(), "file");
    writeFileSync(file, "here");
    const { code, stderr, stdout } = await run([...args, join(file, "below")]);
    expect(stderr).toBe(`fleetwire-contract: ${join(file, "below")} cannot be written\n`);
    expect(stdout).toBe("");
    expect(code).toBe(2);
  });
});

it("ends quietly where its reader reads no further", async () => {
  const { child, ended } = start(["export", "--format", "har"]);
  child.stdout.once("data", () => child.stdout.destroy());
  expect(await ended).toMatchObject({ code: 0, stderr: expect.stringMatching(/^har: \d+ of \d+ fixtures\n$/) });
});

describe("coverage", () => {
  it("shows each side of each operation, and a gap with 1", async () => {
    const { code, stdout } = await run(["coverage"]);
    expect(stdout).toMatch(/^operation +side +fields +shown +gaps/);
    expect(stdout).toMatch(/updateGroup +409 +3 +3 +0/);
    expect(code).toBe(0);
    const folder = ownFolder();
    cpSync(join(packageFixtures, "documented/update-group-rename.json"), join(folder, "one.json"));
    const short = await run(["coverage", "--fixtures", folder]);
    expect(short.stdout).toContain("GAP createJob: no fixture with status 200");
    expect(short.code).toBe(1);
    const { gaps, fields } = JSON.parse((await run(["coverage", "--fixtures", folder, "--json"])).stdout);
    expect(gaps).toContain("createJob: no fixture with status 200");
    expect(fields[0]).toMatchObject({ operation: expect.any(String), side: expect.anything(), field: expect.any(String) });
  });
});
