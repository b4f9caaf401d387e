import { Client } from "sdk-1.32/client/index.js";
import { StdioClientTransport } from "sdk-1.32/client/stdio.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { aroundSnippets, BIN, block, type Launch, PACKAGE, TEAM, TOKEN } from "./host-pages.ts";
import { NODE24_TIMEOUT } from "./node24-command.ts";
import { runInHost } from "./run-in-host.ts";

const CLAUDE = "@anthropic-ai/claude-code@2.1.197";
const CODEX = "@openai/codex@0.169.0";

const around = aroundSnippets();

const commandOf = (name: string) => block(name).replaceAll("\\\n", " ").trim();
const [claude, claudeHttp] = [commandOf("claude-code"), commandOf("http-claude-code")];
const [codex, codexHttp] = [commandOf("codex"), commandOf("http-codex")];

/** A command of a page with a user's values. */
const filledIn = (command: string) =>
  command
    .replace(/(FLEET_\w+)=(?:https:\/\/|\/)?\.\.\./g, (_, name: string) => `${name}=${around.values[name]}`)
    .replace(PACKAGE, `node ${BIN}`)
    .replace(TEAM, around.served.url);

const inHost = (host: string, lines: readonly string[]) => runInHost(host, lines, secrets());

const secrets = () => {
  const { FLEET_CLIENT_ID = "", FLEET_CLIENT_SECRET = "" } = around.values;
  return { FLEET_CLIENT_ID, FLEET_CLIENT_SECRET, FLEETWIRE_TOKEN: TOKEN };
};

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

describe("the page's command for Claude Code", () => {
  it(
    "is accepted, and Claude Code connects to the server",
    async () => {
      const output = await inHost(CLAUDE, [filledIn(claude), "claude mcp list", 'echo && cat "$CLAUDE_CONFIG_DIR/.claude.json" && echo']);
      expect(output).not.toContain("FAILED");
      expect(output).toMatch(/^fleet: node \S+\/fleetwire-mcp\.js - \S+ Connected$/m);
      const [project] = Object.values<{ mcpServers: { fleet: Launch } }>(jsonIn(output, "{").projects);
      const launch = project?.mcpServers.fleet as Launch;
      expect(launch.env).toEqual(Object.fromEntries(Object.keys(launch.env ?? {}).map((name) => [name, around.values[name]])));
      expect(await started(launch)).toMatchObject(FOUND);
    },
    NODE24_TIMEOUT,
  );

  it(
    "reaches the server over HTTP with a token",
    async () => {
      const output = await inHost(CLAUDE, [filledIn(claudeHttp), "claude mcp list"]);
      expect(output).not.toContain("FAILED");
      expect(output).toMatch(/^fleet: http:\S+\/mcp \(HTTP\) - \S+ Connected$/m);
    },
    NODE24_TIMEOUT,
  );

  it(
    "would be refused with the name after the variables",
    async () => {
      const swapped = filledIn(claude).replace(" fleet ", " ").replace(" -- ", " fleet -- ");
      expect(await inHost(CLAUDE, [swapped])).toMatch(/Invalid environment variable format: fleet[\s\S]*FAILED/);
    },
    NODE24_TIMEOUT,
  );
});

describe("the page's command for Codex", () => {
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
    "accepts the server's URL, and the variable with the token",
    async () => {
      const output = await inHost(CODEX, [filledIn(codexHttp), "codex mcp list --json"]);
      expect(output).not.toContain("FAILED");
      const [{ enabled, transport }] = jsonIn(output, "[\n");
      expect({ enabled, ...transport }).toMatchObject({
        enabled: true,
        type: "streamable_http",
        url: around.served.url,
        bearer_token_env_var: "FLEETWIRE_TOKEN",
      });
    },
    NODE24_TIMEOUT,
  );
});
