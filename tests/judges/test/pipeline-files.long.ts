import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv, addFormats } from "@modelcontextprotocol/client/validators/ajv";
import { describe, expect, it } from "vitest";
import { folderWith, INSTALL_TIMEOUT, installPackages, NOWHERE, node24, run } from "./programs.ts";

const contractTests = fileURLToPath(new URL("../../../packages/contract-tests/", import.meta.url));
const read = (path: string) => readFileSync(join(contractTests, path), "utf8");
const changed = (text: string, from: string, to: string) => {
  expect(text).toContain(from);
  return text.replace(from, to);
};

describe("the action passes action-validator", () => {
  const action = read("action.yml");
  it.each([
    ["as it is", action, 0],
    ["but not with a step without a shell", changed(action, "shell: bash", "# no shell"), 1],
    ["but not without a description", changed(action, "\ndescription:", "\nremark:"), 1],
  ])("%s", { timeout: INSTALL_TIMEOUT }, async (_, text, code) => {
    const modules = await installPackages(["@action-validator/cli@0.6.0", "@action-validator/core@0.6.0"]);
    const cwd = await folderWith({ "action.yml": text });
    expect(await run(join(modules, ".bin/action-validator"), ["action.yml"], cwd, NOWHERE)).toMatchObject({ code });
  });
});

describe("the GitLab template passes GitLab's schema", () => {
  const template = read("examples/gitlab-verify.yml");
  it.each([
    ["as it is", template, 0],
    ["but not with artifacts that are sometimes kept", changed(template, "when: always", "when: sometimes"), 1],
  ])("%s", { timeout: INSTALL_TIMEOUT }, async (_, text, code) => {
    const modules = await installPackages(["gitlab-ci-local@4.75.1"]);
    const cwd = await folderWith({ ".gitlab-ci.yml": text });
    const git = (...args: string[]) => run("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], cwd);
    await git("init", "-q");
    await git("remote", "add", "origin", "https://git.example.com/group/project.git");
    await git("add", ".");
    await git("commit", "-q", "-m", "Verify");
    const { code: found, output } = await run(await node24(), [join(modules, "gitlab-ci-local/dist/index.js"), "--list"], cwd, NOWHERE);
    expect({ found, job: output.includes("verify-fleet-service") }, output).toEqual({ found: code, job: true });
  });
});

interface Sarif {
  runs: [{ results: [{ level: string; message?: object }] }];
}

describe("the SARIF file follows the schema", () => {
  it.each<[string, (log: Sarif) => unknown, boolean]>([
    ["as it is", (log) => log, true],
    ["but not with an unknown level", ({ runs: [{ results }] }) => (results[0].level = "bad"), false],
    ["but not without a message", ({ runs: [{ results }] }) => delete results[0].message, false],
  ])("%s", { timeout: INSTALL_TIMEOUT }, async (_, alter, isValid) => {
    const modules = await installPackages(["@microsoft/jest-sarif@1.0.0-beta.0"]);
    const file = join(modules, "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");
    // Of draft 4, it uses what Ajv's default draft has too.
    const { $schema: _draft, id: _id, ...schema } = JSON.parse(readFileSync(file, "utf8").replace(/^\ufeff/, ""));
    const cwd = await folderWith({});
    const command = join(contractTests, "dist/fleetwire-contract.js");
    await run(process.execPath, [command, "verify", "--sandbox", "--faults", "drift-type", "--sarif", "r.sarif"], cwd);
    const log = JSON.parse(readFileSync(join(cwd, "r.sarif"), "utf8"));
    alter(log);
    const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
    addFormats(ajv);
    expect({ isValid: ajv.validate(schema, log), errors: (ajv.errors ?? []).length > 0 }).toEqual({ isValid, errors: !isValid });
  });
});
