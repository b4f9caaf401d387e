import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { operations } from "@fleetwire/core";
import { environmentVariables } from "@fleetwire/mcp-server/environment";
import { createSandbox } from "@fleetwire/sandbox";
import { Ajv, addFormats } from "@modelcontextprotocol/client/validators/ajv";
import { Client } from "sdk-1.32/client/index.js";
import { StdioClientTransport } from "sdk-1.32/client/stdio.js";
import { StreamableHTTPClientTransport } from "sdk-1.32/client/streamableHttp.js";
import type { Transport } from "sdk-1.32/shared/transport.js";
import { parse } from "smol-toml";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { CLAUDE_CODE, CODEX } from "./hosts.ts";
import { BIN, folderWith, NOWHERE, runOnNode24, type Served, serveSandbox } from "./programs.ts";

const MCPB = "@anthropic-ai/mcpb@2.1.2";
const GEMINI = "@google/gemini-cli@0.61.0";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const page = read("docs/hosts.md");

/** A block of the page: the code in it, or the address of its link. */
function block(name: string): string {
  const text = page.match(new RegExp(`<!-- block ${name} -->\\n(.*?)<!-- end -->`, "s"))?.[1] ?? "";
  const [, found] = /^```\w+\n(.*?)^```$/ms.exec(text) ?? /^\[.*\]\((.*)\)$/m.exec(text) ?? [];
  if (found === undefined) throw new Error(`docs/hosts.md has no block ${name}`);
  return found;
}

/** What the pages tell users to start, and what they call a server for a team; the built server takes their place. */
const PACKAGE = "npx -y @fleetwire/mcp-server";
const TEAM = "https://fleet.example.com/mcp";

const TOKEN = "fwt_canary-of-a-host";
const SECRETS = ["FLEET_CLIENT_ID", "FLEET_CLIENT_SECRET"];
const REQUIRED = ["FLEET_CUSTOMER_ID", ...SECRETS, "FLEET_BASE_URL"];
const ALL = [...REQUIRED, "FLEET_API_HOST", "FLEET_JOB_URL", "FLEET_TACHO_URL", "FLEET_AUTH_URL", "FLEET_TOKEN_PATH"];

/** A service with its variables, and the server over HTTP, which asks for the token. */
const sandbox = createSandbox();
let values: Readonly<Record<string, string>>;
let served: Served;
beforeAll(async () => {
  values = { FLEET_TOKEN_PATH: operations.requestAccessToken.path, ...(await sandbox.listen()).env };
  const tokens = [{ name: "host", hash: createHash("sha256").update(TOKEN).digest("base64url"), scopes: ["fleet:read"] }];
  const folder = mkdtempSync(join(tmpdir(), "fleetwire-tokens-"));
  const path = join(folder, "tokens.json");
  writeFileSync(path, JSON.stringify({ tokens }), { mode: 0o600 });
  served = await serveSandbox({ FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: path });
  return () => Promise.all([served.stop(), sandbox.close(), rm(folder, { recursive: true })]);
});
const valuesOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, values[name] ?? ""]));

/** How a host starts a server. */
interface Launch {
  command: string;
  args: string[];
  env?: Record<string, string>;
}

/** A launch with the built server and a user's values in place of the placeholders. */
function filledIn({ command, args, env = {} }: Launch): Launch {
  const filled = Object.entries(env).map(([name, placeholder]) => {
    // The server would ignore an unknown variable.
    expect(Object.keys(environmentVariables)).toContain(name);
    expect(["...", "https://...", "/...", `\${input:${name.toLowerCase().replaceAll("_", "-")}}`]).toContain(placeholder);
    return [name, values[name] ?? ""];
  });
  expect([command, ...args].join(" ").replace(/^cmd \/c /, "")).toBe(PACKAGE);
  return { command: "node", args: [BIN], env: Object.fromEntries(filled) };
}

/** What a host sees of a server, with one result. */
async function serverAt(transport: Transport) {
  const client = new Client({ name: "host", version: "1.0.0" });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  const { structuredContent } = await client.callTool({ name: "locate_vehicle", arguments: { query: "truck 12" } });
  return { title: client.getServerVersion()?.title, tools: tools.map(({ name }) => name).toSorted(), structuredContent };
}

/** Starts a server like a host: with the launch's environment, plus at most PATH. */
const started = ({ command, args, env }: Launch) =>
  serverAt(new StdioClientTransport({ command, args, env: { PATH: process.env["PATH"] ?? "", ...env }, stderr: "ignore" }));

const LISTED: string[] = JSON.parse(read("packages/mcp-server/snapshots/server.json")).tools;
const FOUND = expect.objectContaining({ result: "found", vehicle: expect.objectContaining({ assetName: "Truck 12" }) });
const COMPLETE = { title: "Fleetwire", tools: LISTED.toSorted(), structuredContent: FOUND };

/**
 * Runs commands in a shell with a host on its PATH, and returns their output. The host has its own home, only these environment variables and no network
 * access except to this machine. `npx` starts the built server.
 */
async function inHost(host: string, lines: readonly string[], variables: Readonly<Record<string, string>>): Promise<string> {
  const folder = await folderWith({
    npx: `#!/bin/sh\nshift 2\nexec node ${BIN} "$@"\n`,
    "script.sh": lines.map((line) => `${line} || echo FAILED\n`).join(""),
  });
  chmodSync(join(folder, "npx"), 0o755);
  const own = { HOME: folder, CLAUDE_CONFIG_DIR: join(folder, "claude"), CODEX_HOME: folder, GEMINI_CLI_HOME: folder };
  const env = Object.entries({ ...own, GEMINI_CLI_TRUST_WORKSPACE: "true", ...NOWHERE, ...variables }).map((entry) => entry.join("="));
  const run = `cd ${folder} && exec env -i PATH="${folder}:$PATH" "$@" sh -c ". ./script.sh; echo DONE"`;
  return (await runOnNode24(host, ["sh", "-c", run, "sh", ...env], /DONE/)).output;
}

const jsonIn = (output: string, first: string) => JSON.parse(output.slice(output.indexOf(`\n${first}`), output.lastIndexOf("\nDONE")));

const vsCode = () => JSON.parse(block("vs-code"));
const vsCodeLink = () => {
  const address = new URL(new URL(block("vs-code-link")).searchParams.get("url") ?? "");
  return { address, ...JSON.parse(decodeURIComponent(address.search.slice(1))) };
};
const cursorLink = () => JSON.parse(Buffer.from(new URL(block("cursor-link")).searchParams.get("config") ?? "", "base64").toString());

describe("the block for", () => {
  it.each<[string, () => Launch]>([
    ["Claude Desktop, Cursor, Windsurf and Gemini CLI", () => JSON.parse(block("mcp-servers")).mcpServers.fleet],
    ["Claude Desktop on Windows", () => JSON.parse(block("mcp-servers-windows")).mcpServers.fleet],
    ["Cursor's link", cursorLink],
    ["VS Code", () => vsCode().servers.fleet],
    ["VS Code's link", vsCodeLink],
    ["Codex", () => (parse(block("codex-toml"))["mcp_servers"] as unknown as { fleet: Launch }).fleet],
  ])("%s starts a server with all its tools", async (_, launch) => {
    expect(await started(filledIn(launch()))).toEqual(COMPLETE);
  });

  it("VS Code prompts for each value, and hides secrets; each link opens its host", () => {
    for (const { inputs, server } of [
      { inputs: vsCode().inputs, server: vsCode().servers.fleet },
      { ...vsCodeLink(), server: vsCodeLink() },
    ]) {
      expect(inputs.map(({ id }: { id: string }) => `\${input:${id}}`)).toEqual(Object.values(server.env));
      const hidden = inputs.flatMap(({ id, password }: { id: string; password?: boolean }) => (password ? [id] : []));
      expect([server.type, ...hidden]).toEqual(["stdio", "fleet-client-id", "fleet-client-secret"]);
    }
    expect(vsCodeLink()).toMatchObject({ address: { protocol: "vscode:", pathname: "mcp/install" }, name: "fleet" });
    expect(block("cursor-link")).toMatch(/^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?name=fleet&/);
  });

  it.each([
    ["http-mcp-servers", "mcpServers"],
    ["http-vs-code", "servers"],
  ])("a server over HTTP (%s) reaches it with the user's token", async (name, list) => {
    const { inputs = [], ...config } = JSON.parse(block(name));
    const { headers, url, type } = config[list].fleet as { headers: Record<string, string>; url: string; type?: string };
    expect(url).toBe(TEAM);
    // VS Code needs the type, and asks for the token without showing it.
    if (list === "servers") expect({ inputs, type }).toMatchObject({ inputs: [{ type: "promptString", password: true }], type: "http" });
    const filled = Object.entries(headers).map(([name, value]) => [name, value.replace(/\.\.\.|\$\{input:[\w-]+\}/, TOKEN)]);
    const at = (headers: object) =>
      new StreamableHTTPClientTransport(new URL(served.url), { requestInit: { headers } as object }) as Transport;
    expect(await serverAt(at(Object.fromEntries(filled)))).toMatchObject({ structuredContent: FOUND });
    await expect(serverAt(at(headers))).rejects.toThrow();
  });

  it("a terminal sets every value for the programs started there, and reads secrets without showing them", () => {
    const named = (name: string) => block(name).match(/FLEET_\w+/g) ?? [];
    const [names, secrets] = [named("environment"), named("secrets")];
    const filled = block("environment").replace(/(FLEET_\w+)=.*/g, (_, name: string) => `${name}='${values[name]}'`);
    const bash = (script: string, input = "") =>
      execFileSync("bash", ["--norc", "-c", script], { input, encoding: "utf8", env: { PATH: process.env["PATH"] } })
        .trim()
        .split("\n");
    expect(bash(`${filled}printenv ${names.join(" ")}`)).toEqual(Object.values(valuesOf(names)));
    expect(named("environment-windows")).toEqual(names);
    expect(secrets).toEqual(SECRETS);
    expect(bash(`${block("secrets")}printenv ${secrets.join(" ")}`, "canary-a\ncanary-b\n").slice(-2)).toEqual(["canary-a", "canary-b"]);
  });
});

describe("the command for", () => {
  /** A command of the page with a user's values. */
  const commandOf = (name: string) =>
    block(name)
      .replaceAll("\\\n", " ")
      .trim()
      .replace(/(FLEET_\w+)=(?:https:\/\/|\/)?\.\.\./g, (_, name: string) => `${name}=${values[name]}`)
      .replace(PACKAGE, `node ${BIN}`)
      .replace(TEAM, served.url);
  const secrets = () => ({ ...valuesOf(SECRETS), FLEETWIRE_TOKEN: TOKEN });

  it("Claude Code is accepted, and it connects to the server, over HTTP with a token", async () => {
    const show = 'echo && cat "$CLAUDE_CONFIG_DIR/.claude.json" && echo';
    const output = await inHost(CLAUDE_CODE, [commandOf("claude-code"), "claude mcp list", show], secrets());
    expect(output).not.toContain("FAILED");
    expect(output).toMatch(/^fleet: node \S+\/fleetwire-mcp\.js - \S+ Connected$/m);
    const [project] = Object.values<{ mcpServers: { fleet: Launch } }>(jsonIn(output, "{").projects);
    expect(await started(project?.mcpServers.fleet as Launch)).toEqual(COMPLETE);
    const overHttp = await inHost(CLAUDE_CODE, [commandOf("http-claude-code"), "claude mcp list"], secrets());
    expect(overHttp).not.toContain("FAILED");
    expect(overHttp).toMatch(/^fleet: http:\S+\/mcp \(HTTP\) - \S+ Connected$/m);
  });

  it("Codex is accepted, and the resulting configuration starts a server, and names the one over HTTP", async () => {
    const listed = async (name: string) => {
      const output = await inHost(CODEX, [commandOf(name), "codex mcp list --json"], secrets());
      expect(output).not.toContain("FAILED");
      return jsonIn(output, "[\n")[0];
    };
    const { enabled, transport } = await listed("codex");
    expect({ enabled, type: transport.type }).toEqual({ enabled: true, type: "stdio" });
    expect(await started(transport)).toEqual(COMPLETE);
    const remote = { type: "streamable_http", url: served.url, bearer_token_env_var: "FLEETWIRE_TOKEN" };
    expect(await listed("http-codex")).toMatchObject({ enabled: true, transport: remote });
  });
});

describe("a clone is installed by", () => {
  /** The manifests and marketplaces in a folder. */
  async function repository(): Promise<string> {
    const folder = await folderWith();
    for (const part of [".claude-plugin", ".agents", "plugins", "skills", "gemini-extension.json"])
      cpSync(join(root, part), join(folder, part), { recursive: true });
    return folder;
  }

  it("Claude Code as a plugin, which asks for the values and connects", async () => {
    const folder = await repository();
    const plugin = "fleetwire@fleetwire";
    const lines = [
      `claude plugin validate ${folder} --strict`,
      `claude plugin marketplace add ${folder}`,
      `claude plugin install ${plugin}`,
      `echo '${JSON.stringify(valuesOf(REQUIRED))}' | claude plugin configure ${plugin} --values-stdin`,
      `claude plugin configure ${plugin}`,
      "claude mcp list",
    ];
    const output = await inHost(CLAUDE_CODE, lines, {});
    expect(output).not.toContain("FAILED");
    for (const name of ALL) expect(output).toContain(name);
    expect(output).toMatch(/^plugin:fleetwire:fleet: npx -y @fleetwire\/mcp-server - \S+ Connected$/m);
  });

  it("Codex as a plugin, which passes on every variable", async () => {
    const folder = await repository();
    const lines = [`codex plugin marketplace add ${folder}`, "codex plugin add fleetwire@fleetwire", "codex mcp list --json"];
    const output = await inHost(CODEX, lines, {});
    expect(output).not.toContain("FAILED");
    expect(jsonIn(output, "[\n")[0]).toMatchObject({ name: "fleet", enabled: true, transport: { env_vars: ALL } });
  });

  it("Gemini CLI as an extension, which asks for the values and connects", async () => {
    const folder = await repository();
    const install = `echo y | gemini extensions install ${folder} --consent --skip-settings`;
    const output = await inHost(GEMINI, [`gemini extensions validate ${folder}`, install, "gemini mcp list"], valuesOf(REQUIRED));
    expect(output).not.toContain("FAILED");
    const titles = "Customer ID, Client ID, Client Secret, Base URL, API Host, Job URL, Tacho URL, Auth URL, Token Path";
    expect(output).toContain(`missing settings: ${titles}.`);
    expect(output).toMatch(/fleet \(from fleetwire\): npx -y @fleetwire\/mcp-server \(stdio\) - Connected/);
  });
});

describe("the bundle", () => {
  const bundle = JSON.parse(read("packages/mcp-server/mcpb/manifest.json"));

  it("is packed by the official tool, and starts with the values of its form", async () => {
    const { entry_point: entryPoint, mcp_config: launch } = bundle.server;
    const folder = await folderWith();
    const staged = join(folder, "staged");
    mkdirSync(join(staged, entryPoint, "../.."), { recursive: true });
    cpSync(join(root, "packages/mcp-server/mcpb/manifest.json"), join(staged, "manifest.json"));
    cpSync(join(BIN, ".."), join(staged, entryPoint, ".."), { recursive: true });
    cpSync(join(BIN, "../../package.json"), join(staged, entryPoint, "../../package.json"));
    const pack = `cd ${folder} && mcpb validate staged/manifest.json && mcpb pack staged f.mcpb && mcpb unpack f.mcpb unpacked && echo PACKED`;
    await runOnNode24(MCPB, ["sh", "-c", pack], /PACKED/);
    const settings = Object.entries<{ default?: string }>(bundle.user_config).map(([name, { default: none = "" }]) => [name, none]);
    const form: Record<string, string> = { ...Object.fromEntries(settings), ...valuesOf(REQUIRED) };
    const filled = (text: string) =>
      text.replace(/\$\{__dirname\}/, join(folder, "unpacked")).replace(/\$\{user_config\.(\w+)\}/, (_, name: string) => form[name] ?? "");
    const env = Object.fromEntries(Object.entries<string>(launch.env).map(([name, text]) => [name, filled(text)]));
    expect(await started({ command: launch.command, args: launch.args.map(filled), env })).toMatchObject({ structuredContent: FOUND });
  });

  it("asks for every value, and marks secrets and those that are required", () => {
    const settings = Object.entries<Record<string, unknown>>(bundle.user_config);
    const marked = (field: string) => settings.flatMap(([name, setting]) => (setting[field] ? [name] : []));
    expect([settings.map(([name]) => name), marked("required"), marked("sensitive")]).toEqual([ALL, REQUIRED, SECRETS]);
  });
});

describe("the published schema is followed by", () => {
  const schemaOf = (name: string) => JSON.parse(readFileSync(new URL(`../schemas/${name}.schema.json`, import.meta.url), "utf8"));
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);

  function follows(schema: object, document: Record<string, unknown>): void {
    expect({ isValid: ajv.validate(schema, document), errors: ajv.errors }).toEqual({ isValid: true, errors: null });
    for (const field of ["name", "description", "version"]) expect(ajv.validate(schema, { ...document, [field]: undefined })).toBe(false);
  }

  it("the entry for the MCP registry, which names every variable", () => {
    const schema = schemaOf("server");
    const entry = JSON.parse(read("packages/mcp-server/server.json"));
    expect(entry.$schema).toBe(schema.$id);
    follows(schema, entry);
    const [{ registryType, transport, environmentVariables: variables }] = entry.packages;
    expect({ registryType, transport }).toEqual({ registryType: "npm", transport: { type: "stdio" } });
    const marked = (field: string) => variables.flatMap((variable: Record<string, string>) => (variable[field] ? [variable["name"]] : []));
    expect([marked("name"), marked("isRequired"), marked("isSecret")]).toEqual([ALL, REQUIRED, SECRETS]);
  });
});
