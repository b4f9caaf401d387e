import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Client } from "sdk-1.32/client/index.js";
import { StdioClientTransport } from "sdk-1.32/client/stdio.js";
import { StreamableHTTPClientTransport } from "sdk-1.32/client/streamableHttp.js";
import type { Transport } from "sdk-1.32/shared/transport.js";
import { parse } from "smol-toml";
import { describe, expect, it, onTestFinished } from "vitest";
import { aroundSnippets, block, filledIn, type Launch, TEAM, TOKEN } from "./host-pages.ts";

const around = aroundSnippets();

/** What a host sees of a server, with one result. */
async function serverAt(transport: Transport) {
  const client = new Client({ name: "host", version: "1.0.0" });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  const { isError, structuredContent } = await client.callTool({ name: "locate_vehicle", arguments: { query: "truck 12" } });
  return { title: client.getServerVersion()?.title, tools: tools.map(({ name }) => name), isError, structuredContent };
}

/** Starts a server like a host: with the snippet's environment, plus at most PATH. */
const started = ({ command, args, env }: Launch) =>
  serverAt(new StdioClientTransport({ command, args, env: { PATH: process.env["PATH"] ?? "", ...env }, stderr: "ignore" }));

const { tools: LISTED }: { tools: string[] } = JSON.parse(
  readFileSync(new URL("../../../packages/mcp-server/snapshots/server.json", import.meta.url), "utf8"),
);

const FOUND = { result: "found", vehicle: expect.objectContaining({ assetName: "Truck 12" }) };

const vsCode = block("vs-code");

const inMcpServers = (text: string): Launch => JSON.parse(text).mcpServers.fleet;
const vsCodeLink = () => {
  const address = new URL(new URL(block("vs-code-link")).searchParams.get("url") ?? "");
  return { address, ...JSON.parse(decodeURIComponent(address.search.slice(1))) };
};
const cursorLink = () => JSON.parse(Buffer.from(new URL(block("cursor-link")).searchParams.get("config") ?? "", "base64").toString());

const launches: [string, () => Launch][] = [
  ["Claude Desktop, Cursor, Windsurf and Gemini CLI", () => inMcpServers(block("mcp-servers"))],
  ["Claude Desktop on Windows", () => inMcpServers(block("mcp-servers-windows"))],
  ["Cursor's link", cursorLink],
  ["VS Code", () => JSON.parse(vsCode).servers.fleet],
  ["VS Code's link", vsCodeLink],
  ["Codex", () => (parse(block("codex-toml"))["mcp_servers"] as unknown as { fleet: Launch }).fleet],
];

describe("the block for", () => {
  it.each(launches)("%s starts a server with all its tools", async (_, launch) => {
    const { title, tools, isError, structuredContent } = await started(filledIn(launch(), around.values));
    expect({ title, isError, structuredContent }).toMatchObject({ title: "Fleetwire", structuredContent: FOUND });
    expect(tools.toSorted()).toEqual(LISTED.toSorted());
  });

  it.each([
    ["VS Code", () => ({ inputs: JSON.parse(vsCode).inputs, server: JSON.parse(vsCode).servers.fleet })],
    ["VS Code's link", () => ({ inputs: vsCodeLink().inputs, server: vsCodeLink() })],
  ])("%s prompts for each value, and hides secrets", (_, parts) => {
    const { inputs, server } = parts();
    const prompted = Object.values<string>(server.env).map((value) => /^\$\{input:([\w-]+)\}$/.exec(value)?.[1]);
    expect(inputs.map(({ id }: { id: string }) => id)).toEqual(prompted);
    const hidden = inputs.filter(({ password }: { password: boolean }) => password);
    expect(hidden.map(({ id }: { id: string }) => id)).toEqual(["fleet-client-id", "fleet-client-secret"]);
    expect(server.type).toBe("stdio");
  });

  it("each link opens its host", () => {
    expect(vsCodeLink()).toMatchObject({ address: { protocol: "vscode:", pathname: "mcp/install" }, name: "fleet" });
    expect(block("cursor-link")).toMatch(/^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?name=fleet&/);
  });
});

describe("the block over HTTP for", () => {
  interface Remote {
    headers: Record<string, string>;
    [field: string]: unknown;
  }
  it.each([
    ["http-mcp-servers", "mcpServers"],
    ["http-vs-code", "servers"],
  ])("%s reaches the server with the user's token", async (name, list) => {
    const { inputs = [], ...config } = JSON.parse(block(name));
    const { headers, url: address, type }: Remote = config[list].fleet;
    expect(address).toBe(TEAM);
    // VS Code needs the type, and asks for the token without showing it.
    if (name === "http-vs-code")
      expect({ inputs, type }).toMatchObject({ inputs: [{ type: "promptString", password: true }], type: "http" });
    const placeholder = name === "http-vs-code" ? `\${input:${inputs[0].id}}` : "...";
    const filled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace(placeholder, TOKEN)]));
    const at = (init?: object) => new StreamableHTTPClientTransport(new URL(around.served.url), init) as Transport;
    expect(await serverAt(at({ requestInit: { headers: filled } }))).toMatchObject({ structuredContent: { sandbox: true, ...FOUND } });
    await expect(serverAt(at({ requestInit: { headers } }))).rejects.toThrow();
  });
});

describe("the lines for a terminal", () => {
  const [environment, secrets] = [block("environment"), block("secrets")];
  const named = /FLEET_\w+/g;

  it("set every value for the programs started there", () => {
    const lines = environment.replace(/(FLEET_\w+)=.*/g, (_, name: string) => `${name}='${around.values[name]}'`);
    const output = execFileSync("bash", ["--norc", "-c", `${lines}env`], { env: { PATH: process.env["PATH"] }, encoding: "utf8" });
    const set = Object.fromEntries([...output.matchAll(/^(FLEET_\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
    expect(set).toEqual(Object.fromEntries((environment.match(named) ?? []).map((name) => [name, around.values[name]])));
    expect(block("environment-windows").match(named)).toEqual(environment.match(named));
  });

  it("read secrets without showing them", () => {
    const names = secrets.match(named) ?? [];
    const input = names.map((name) => `canary-${name}\n`).join("");
    const script = `${secrets}printenv ${names.join(" ")}`;
    const output = execFileSync("bash", ["--norc", "-c", script], { input, encoding: "utf8", env: { PATH: process.env["PATH"] } });
    expect(names).toEqual(["FLEET_CLIENT_ID", "FLEET_CLIENT_SECRET"]);
    expect(output.trim().split("\n").slice(-2)).toEqual(names.map((name) => `canary-${name}`));
  });
});
