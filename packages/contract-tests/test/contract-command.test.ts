import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../tests/vitest/temporary-folder.ts";
import { packageFixtures } from "../src/index.ts";
import { copyFixture, printed, run, runWithStdout, start } from "./run-command.ts";

describe("replay", () => {
  it("exits with 0 if the contract holds", async () => {
    const { code, stdout } = await run(["replay", "--only", "interface,coverage"]);
    expect(stdout).toMatch(/interface +\d+ +0 +0\ncoverage +\d+ +0 +0\nThe contract holds\.\n$/);
    expect(code).toBe(0);
  });

  it("exits with 1 and names the fixture and the field", async () => {
    const folder = temporaryFolder();
    cpSync(packageFixtures, folder, { recursive: true });
    const file = join(folder, "documented/create-job.json");
    const jobs = JSON.parse(readFileSync(file, "utf8"));
    jobs.cases.address.request = { body: { ...jobs.cases.address.call, jobTitle: "Bring" } };
    writeFileSync(file, JSON.stringify(jobs));
    const { code, stdout } = await run(["replay", "--only", "client", "--fixtures", folder]);
    expect(stdout).toContain("FAIL client  documented/create-job-address\n");
    expect(stdout).toContain('body.jobTitle is "Pick up", expected "Bring"');
    expect(code).toBe(1);
    const asJson = await run(["replay", "--only", "client", "--fixtures", folder, "--json"]);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ holds: false, results: [{ check: "client", findings: expect.any(Array) }] });
  });

  it.each([
    [["replay", "--only", "colours"], "Unknown check colours"],
    [["replay", "--fixtures", "/nowhere/at/all"], "the folder /nowhere/at/all does not exist"],
    [["wave"], "unknown command"],
  ])("%s exits with 2", async (args, message) => {
    const { code, stderr } = await run(args);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^fleetwire-contract: [^\n]*\n$/);
    expect(code).toBe(2);
  });

  it.each([["replay"], ["coverage"], ["verify", "--sandbox"]])("%s exits with 2 without fixtures", async (...verb) => {
    const { code, stderr } = await run([...verb, "--fixtures", temporaryFolder()]);
    expect(stderr).toContain(" contains no fixtures");
    expect(code).toBe(2);
  });
});

it.each([
  [["record", "--sandbox", "--out"], "file/below", "%s cannot be written"],
  [["record", "--sandbox", "--out"], "file", "%s is a file, not a folder"],
  [["record", "--sandbox", "--out"], undefined, "the path of the output folder is empty"],
  [["verify", "--sandbox", "--junit"], "", "%s is a folder, not a file"],
])("%j fails before any work if it cannot write to %j", async (args, name, message) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "here");
  const path = name === undefined ? "" : join(folder, name);
  const stderr = `fleetwire-contract: ${message.replace("%s", path)}\n`;
  expect(await run([...args, path])).toMatchObject({ code: 2, stdout: "", stderr });
});

describe("the built command ends as the program does in the process of a test (run-command.ts)", () => {
  it.each<[string[], number]>([
    [["replay", "--only", "interface,coverage"], 0],
    [["replay", "--only", "colours"], 2],
    [["verify"], 2],
    [["coverage", "--colour"], 2],
    [["--help"], 0],
  ])("%j", async (args, code) => {
    const [command, program] = [await start(args).ended, await run(args)];
    expect({ ...command, signal: null }).toEqual({ ...program, code });
  });
});

it("reports in one line that its output cannot be written", () => {
  expect(runWithStdout("/dev/full", ["coverage"])).toEqual({
    code: 2,
    stderr: "fleetwire-contract: stdout cannot be written: ENOSPC: no space left on device, write\n",
  });
});

it("exits quietly when its reader closes the pipe", async () => {
  const { child, ended } = start(["coverage", "--json"]);
  child.stdout.destroy();
  expect(await ended).toMatchObject({ code: 0, stderr: "" });
});

describe("coverage", () => {
  it("lists each side of each operation, and exits with 1 at a gap", async () => {
    const { code, stdout } = await run(["coverage"]);
    expect(stdout).toMatch(/^operation +side +fields +covered +gaps/);
    expect(stdout).toMatch(/updateGroup +409 +3 +3 +0/);
    expect(code).toBe(0);
    const folder = temporaryFolder();
    copyFixture("update-group-rename", folder);
    const short = await run(["coverage", "--fixtures", folder]);
    expect(short.stdout).toContain("GAP createJob: no fixture with status 200");
    expect(short.code).toBe(1);
    const { gaps, fields } = JSON.parse((await run(["coverage", "--fixtures", folder, "--json"])).stdout);
    expect(gaps).toContain("createJob: no fixture with status 200");
    expect(fields[0]).toMatchObject({ operation: expect.any(String), side: expect.anything(), field: expect.any(String) });
  });
});

it.each([
  ["::stop-commands::x", "\\u003a:stop-commands::x"],
  ["one\n  ::add-mask::x", "one\n  \\u003a:add-mask::x"],
  ["one\u2028\u0085::add-mask::x", "one\\u2028\\u0085::add-mask::x"],
  ['{"a":"###[add-mask]x"}', '{"a":"#\\u0023#[add-mask]x"}'],
  ["std::string #[x] ##", "std::string #[x] ##"],
])("what a service or a person wrote is no workflow command of GitHub: %j", async (text, shown) => {
  const [output, message, error] = await printed(text);
  expect([output, message]).toEqual([`${shown}\n`, `${shown}\n`]);
  expect(error).not.toMatch(/^\s*::|##\[|\r|.\n./m);
});
