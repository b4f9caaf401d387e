import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { linkedServer } from "../scripts/linked-server.ts";
import { environmentOf } from "./server-under-test.ts";
import { start } from "./spawned-bin.ts";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
};

const seen = { basis: "observed", records: 9, of: 9, from: "2026-11-19T08:00:00Z", until: "2026-11-20T08:00:00Z" };
const words = { values: [{ value: "IN_USE", records: 9 }], withheld: 0 };
const PROFILE = JSON.stringify({
  version: 1,
  facts: [{ fact: "values", operation: "listLivePositions", path: "$[*].status", ...words, ...seen }],
});

let home: string;
const folder = () => join(home, "fleetwire-mcp");
const compiled = () => {
  const entries = readdirSync(folder(), { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []));
};

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "fleetwire-cache-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
});

/** Starts the built bin, lists its tools and prompts, and ends it. */
async function listed(env: Record<string, string>) {
  const { send, lines, child, ended } = start([], { ...env, XDG_CACHE_HOME: home });
  send(INITIALIZE);
  send({ jsonrpc: "2.0", method: "notifications/initialized" });
  for (const [at, method] of ["tools/list", "prompts/list", "resources/templates/list"].entries())
    send({ jsonrpc: "2.0", id: at + 2, method });
  const results = (await lines(4)).map((line) => JSON.parse(line).result);
  child.stdin.end();
  expect((await ended).code).toBe(0);
  return results;
}

describe("the start of the built bin", () => {
  it.each<[string, Record<string, string>]>([
    ["all tools", {}],
    ["only reads", { FLEET_READ_ONLY: "1" }],
    ["one toolset, as text", { FLEET_TOOLSETS: "positions", FLEET_RESULT: "text" }],
    ["a profile of the deployment", { FLEET_PROFILE: PROFILE, FLEET_TOOLSETS: "positions" }],
  ])("lists what the tools themselves say: %s", async (_, more) => {
    const env = { ...environmentOf("http://127.0.0.1:9"), ...more };
    const file = join(home, "profile.json");
    writeFileSync(file, PROFILE);
    const [initialized, tools, prompts, templates] = await listed({ ...env, ...("FLEET_PROFILE" in more && { FLEET_PROFILE: file }) });
    expect(JSON.stringify(tools).includes("Observed here: “status IN_USE”")).toBe("FLEET_PROFILE" in more);
    const { transport, close } = await linkedServer({ sandbox: false, env, version: "0.0.0" });
    onTestFinished(close);
    const client = new Client({ name: "t", version: "1" }, { versionNegotiation: { mode: "legacy" } });
    await client.connect(transport);
    onTestFinished(() => client.close());
    expect(initialized.instructions).toBe(client.getInstructions());
    const sent = (list: object) => JSON.parse(JSON.stringify(list));
    expect(tools.tools).toEqual(sent((await client.listTools()).tools));
    expect(prompts.prompts).toEqual(sent((await client.listPrompts()).prompts));
    expect(templates.resourceTemplates).toEqual(sent((await client.listResourceTemplates()).resourceTemplates));
  });
});

// Node keeps compiled code since 22.8.
describe.skipIf(process.platform === "win32" || !("enableCompileCache" in nodeModule))("compiled code", () => {
  const env = environmentOf("http://127.0.0.1:9");

  it("is kept, and replaced if it does not fit", async () => {
    const first = await listed(env);
    const [file = ""] = compiled();
    writeFileSync(file, "garbage");
    expect(await listed(env)).toEqual(first);
    expect(readFileSync(file, "latin1")).not.toBe("garbage");
  });

  it("is neither read from nor written to a folder that others can write to", async () => {
    mkdirSync(folder());
    chmodSync(folder(), 0o777);
    await listed(env);
    expect(compiled()).toEqual([]);
  });

  it("is not kept with NODE_DISABLE_COMPILE_CACHE", async () => {
    await listed({ ...env, NODE_DISABLE_COMPILE_CACHE: "1" });
    expect(readdirSync(home)).toEqual([]);
  });
});
