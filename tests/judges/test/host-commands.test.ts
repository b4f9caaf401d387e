import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "sdk-1.32/client/index.js";
import { StdioClientTransport } from "sdk-1.32/client/stdio.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { folderWith } from "./external-command.ts";
import { NODE24_TIMEOUT, runOnNode24 } from "./node24-command.ts";
import { aroundSnippets, BIN, type Launch, snippets } from "./readme-snippets.ts";

const CLAUDE = "@anthropic-ai/claude-code@2.1.197";
const CODEX = "@openai/codex@0.169.0";

const around = aroundSnippets();

const commands = snippets("packages/mcp-server/README.md", "Connect a host", "sh").map((text) =>
  text.replaceAll("\\\n", " ").trim().split("\n"),
);
const [[claude = "", codex = ""] = [], [claudeHttp = "", codexHttp = ""] = []] = commands;

/** A command of the README with a user's values. */
const filledIn = (command: string) =>
  command
    .replace(/(FLEET_\w+)=(?:https:\/\/)?\.\.\./g, (_, name: string) => `${name}=${around.values[name]}`)
    .replace("FLEET.js", BIN)
    .replace("http://127.0.0.1:4020/mcp", around.served.url);

/**
 * Runs commands in a shell with a host on its PATH, and returns their output. The host has its own home, no other environment variables and no network
 * access except to this machine.
 */
async function inHost(host: string, lines: readonly string[]): Promise<string> {
  const folder = await folderWith({});
  const script = join(folder, "script.sh");
  // Codex warns about a home in /tmp on stderr, and continues.
  writeFileSync(script, [`cd ${folder}`, ...lines.map((line) => `${line} || echo FAILED`), "echo DONE"].join("\n"));
  const nowhere = "http://127.0.0.1:9";
  const env = {
    HOME: folder,
    CLAUDE_CONFIG_DIR: join(folder, "claude"),
    CODEX_HOME: folder,
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
    NO_PROXY: "127.0.0.1",
    FLEET_CLIENT_SECRET: around.values["FLEET_CLIENT_SECRET"],
  };
  const clean = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
  const shell = join(folder, "shell.sh");
  writeFileSync(shell, `exec env -i PATH="$PATH" ${clean.join(" ")} sh ${script}\n`);
  const { output } = await runOnNode24(host, ["sh", shell], /DONE/);
  return output;
}

/** Starts the server from a host's configuration and queries a vehicle. */
async function started({ command, args, env = {} }: Launch): Promise<unknown> {
  const client = new Client({ name: "host", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command, args, env: { PATH: process.env["PATH"] ?? "", ...env }, stderr: "ignore" }));
  onTestFinished(() => client.close());
  const { structuredContent } = await client.callTool({ name: "locate_vehicle", arguments: { query: "truck 12" } });
  return structuredContent;
}

const jsonIn = (output: string, first: string) => JSON.parse(output.slice(output.indexOf(`\n${first}`), output.lastIndexOf("\nDONE")));

const FOUND = { result: "found", vehicle: { assetName: "Truck 12" } };

describe("the README's command for Claude Code", () => {
  it(
    "is accepted, and Claude Code connects to the server",
    async () => {
      const output = await inHost(CLAUDE, [filledIn(claude), "claude mcp list", 'echo && cat "$CLAUDE_CONFIG_DIR/.claude.json" && echo']);
      expect(output).not.toContain("FAILED");
      expect(output).toMatch(/^fleet: node \S+\/fleetwire-mcp\.js - \S+ Connected$/m);
      const [project] = Object.values<{ mcpServers: { fleet: Launch } }>(jsonIn(output, "{").projects);
      const launch = project?.mcpServers.fleet as Launch;
      const names = ["FLEET_CUSTOMER_ID", "FLEET_CLIENT_ID", "FLEET_CLIENT_SECRET", "FLEET_BASE_URL"];
      expect(launch.env).toEqual(Object.fromEntries(names.map((name) => [name, around.values[name]])));
      expect(await started(launch)).toMatchObject(FOUND);
    },
    NODE24_TIMEOUT,
  );

  it(
    "reaches the server over HTTP",
    async () => {
      const output = await inHost(CLAUDE, [filledIn(claudeHttp), "claude mcp list"]);
      expect(output).not.toContain("FAILED");
      expect(output).toMatch(/^fleet: http:\S+\/mcp \(HTTP\) - \S+ Connected$/m);
    },
    NODE24_TIMEOUT,
  );

  it(
    "would be refused with the name after the variables, as in an earlier README",
    async () => {
      const swapped = filledIn(claude).replace(" fleet ", " ").replace(" -- ", " fleet -- ");
      expect(await inHost(CLAUDE, [swapped])).toMatch(/Invalid environment variable format: fleet[\s\S]*FAILED/);
    },
    NODE24_TIMEOUT,
  );
});

describe("the README's command for Codex", () => {
  it(
    "is accepted, and the resulting configuration starts a server that reads the fleet",
    async () => {
      const output = await inHost(CODEX, [filledIn(codex), "codex mcp list --json"]);
      expect(output).not.toContain("FAILED");
      const [{ name, enabled, transport }] = jsonIn(output, "[\n");
      expect({ name, enabled, type: transport.type }).toEqual({ name: "fleet", enabled: true, type: "stdio" });
      expect(await started(transport)).toMatchObject(FOUND);
    },
    NODE24_TIMEOUT,
  );

  it(
    "accepts the server's URL",
    async () => {
      const output = await inHost(CODEX, [filledIn(codexHttp), "codex mcp list --json"]);
      expect(output).not.toContain("FAILED");
      const [{ enabled, transport }] = jsonIn(output, "[\n");
      expect({ enabled, type: transport.type, url: transport.url }).toEqual({
        enabled: true,
        type: "streamable_http",
        url: around.served.url,
      });
    },
    NODE24_TIMEOUT,
  );
});
