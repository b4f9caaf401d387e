import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "sdk-1.32/client/index.js";
import { StdioClientTransport } from "sdk-1.32/client/stdio.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { CLAUDE_CODE } from "./claude-code.ts";
import { folderWith } from "./external-command.ts";
import { aroundSnippets, BIN, manifest } from "./host-pages.ts";
import { NODE24_TIMEOUT, runOnNode24 } from "./node24-command.ts";
import { runInHost } from "./run-in-host.ts";

const MCPB = "@anthropic-ai/mcpb@2.1.2";
const CODEX = "@openai/codex@0.169.0";
const GEMINI = "@google/gemini-cli@0.61.0";

const around = aroundSnippets();
const root = fileURLToPath(new URL("../../../", import.meta.url));

const SECRETS = ["FLEET_CLIENT_ID", "FLEET_CLIENT_SECRET"];
const REQUIRED = ["FLEET_CUSTOMER_ID", ...SECRETS, "FLEET_BASE_URL"];
const ALL = [...REQUIRED, "FLEET_API_HOST", "FLEET_JOB_URL", "FLEET_TACHO_URL", "FLEET_AUTH_URL", "FLEET_TOKEN_PATH"];

/** The manifests and marketplaces in a folder, as in a clone. */
async function repository(): Promise<string> {
  const folder = await folderWith({});
  for (const part of [".claude-plugin", ".agents", "plugins", "skills", "gemini-extension.json"]) {
    cpSync(join(root, part), join(folder, part), { recursive: true });
  }
  return folder;
}

describe("the bundle", () => {
  const bundle = manifest("packages/mcp-server/mcpb/manifest.json");

  it(
    "is packed by the official tool, and starts with the values of its form",
    async () => {
      const { entry_point: entryPoint, mcp_config: launch } = bundle.server;
      const folder = await folderWith({});
      const staged = join(folder, "staged");
      mkdirSync(join(staged, entryPoint, "../.."), { recursive: true });
      writeFileSync(join(staged, "manifest.json"), JSON.stringify(bundle));
      cpSync(join(BIN, ".."), join(staged, entryPoint, ".."), { recursive: true });
      cpSync(join(BIN, "../../package.json"), join(staged, entryPoint, "../../package.json"));
      const script = join(folder, "pack.sh");
      writeFileSync(
        script,
        `mcpb validate ${staged}/manifest.json && mcpb pack ${staged} f.mcpb && mcpb unpack f.mcpb unpacked && echo PACKED\n`,
      );
      await runOnNode24(MCPB, ["sh", "-c", `cd ${folder} && sh ${script}`], /PACKED/);

      const values: Record<string, string> = {
        ...Object.fromEntries(
          Object.entries<{ default?: string }>(bundle.user_config).map(([name, { default: none = "" }]) => [name, none]),
        ),
        ...Object.fromEntries(REQUIRED.map((name) => [name, around.values[name] ?? ""])),
      };
      const filled = (text: string) =>
        text
          .replace(/\$\{__dirname\}/, join(folder, "unpacked"))
          .replace(/\$\{user_config\.(\w+)\}/, (_, name: string) => values[name] ?? "");
      const env = Object.fromEntries(Object.entries<string>(launch.env).map(([name, text]) => [name, filled(text)]));
      const client = new Client({ name: "host", version: "1.0.0" });
      await client.connect(new StdioClientTransport({ command: launch.command, args: launch.args.map(filled), env, stderr: "ignore" }));
      onTestFinished(() => client.close());
      const { structuredContent } = await client.callTool({ name: "locate_vehicle", arguments: { query: "truck 12" } });
      expect(structuredContent).toMatchObject({ result: "found" });
    },
    NODE24_TIMEOUT,
  );

  it("asks for every value, and marks secrets and those that are required", () => {
    const named = (field: string) =>
      Object.entries<Record<string, unknown>>(bundle.user_config).flatMap(([name, setting]) => (setting[field] ? [name] : []));
    expect([Object.keys(bundle.user_config), named("required"), named("sensitive")]).toEqual([ALL, REQUIRED, SECRETS]);
  });
});

it("the entry for the MCP registry names every variable", () => {
  const { $schema, description, packages } = manifest("packages/mcp-server/server.json");
  const [{ registryType, transport, environmentVariables }] = packages;
  expect({ $schema, registryType, transport }).toEqual({
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    registryType: "npm",
    transport: { type: "stdio" },
  });
  // The registry's limit.
  expect(description.length).toBeLessThanOrEqual(100);
  const named = (field: string) =>
    environmentVariables.flatMap((variable: Record<string, string>) => (variable[field] ? [variable["name"]] : []));
  expect([named("name"), named("isRequired"), named("isSecret")]).toEqual([ALL, REQUIRED, SECRETS]);
});

describe("a clone is installed by", () => {
  it(
    "Claude Code as a plugin, which asks for the values and connects",
    async () => {
      const folder = await repository();
      const values = JSON.stringify(Object.fromEntries(REQUIRED.map((name) => [name, around.values[name]])));
      const output = await runInHost(
        CLAUDE_CODE[0] ?? "",
        [
          `claude plugin validate ${folder} --strict`,
          `claude plugin marketplace add ${folder}`,
          "claude plugin install fleetwire@fleetwire",
          `echo '${values}' | claude plugin configure fleetwire@fleetwire --values-stdin`,
          "claude plugin configure fleetwire@fleetwire",
          "claude mcp list",
        ],
        {},
      );
      expect(output).not.toContain("FAILED");
      for (const name of ALL) expect(output).toContain(name);
      expect(output).toMatch(/^plugin:fleetwire:fleet: npx -y @fleetwire\/mcp-server - \S+ Connected$/m);
    },
    NODE24_TIMEOUT,
  );

  it(
    "Codex as a plugin, which passes on every variable",
    async () => {
      const folder = await repository();
      const output = await runInHost(
        CODEX,
        [`codex plugin marketplace add ${folder}`, "codex plugin add fleetwire@fleetwire", "codex mcp list --json"],
        {},
      );
      expect(output).not.toContain("FAILED");
      const [{ name, enabled, transport }] = JSON.parse(output.slice(output.indexOf("\n[\n"), output.lastIndexOf("\nDONE")));
      expect({ name, enabled, variables: transport.env_vars }).toEqual({ name: "fleet", enabled: true, variables: ALL });
    },
    NODE24_TIMEOUT,
  );

  it(
    "Gemini CLI as an extension, which asks for the values and connects",
    async () => {
      const folder = await repository();
      const output = await runInHost(
        GEMINI,
        [
          `gemini extensions validate ${folder}`,
          `echo y | gemini extensions install ${folder} --consent --skip-settings`,
          "gemini mcp list",
        ],
        Object.fromEntries(REQUIRED.map((name) => [name, around.values[name] ?? ""])),
      );
      expect(output).not.toContain("FAILED");
      expect(output).toContain(
        "missing settings: Customer ID, Client ID, Client Secret, Base URL, API Host, Job URL, Tacho URL, Auth URL, Token Path.",
      );
      expect(output).toMatch(/fleet \(from fleetwire\): npx -y @fleetwire\/mcp-server \(stdio\) - Connected/);
    },
    NODE24_TIMEOUT,
  );
});
