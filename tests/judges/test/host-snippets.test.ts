import { readFileSync } from "node:fs";
import { Client } from "sdk-1.32/client/index.js";
import { StdioClientTransport } from "sdk-1.32/client/stdio.js";
import { StreamableHTTPClientTransport } from "sdk-1.32/client/streamableHttp.js";
import type { Transport } from "sdk-1.32/shared/transport.js";
import { parse } from "smol-toml";
import { describe, expect, it, onTestFinished } from "vitest";
import { aroundSnippets, filledIn, installLink, type Launch, overHttp, snippets } from "./host-pages.ts";

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

const [vsCode = ""] = snippets("vs-code", "json");
const [toml = ""] = snippets("codex", "toml");
const [desktop = "", windows = ""] = snippets("claude-desktop", "json");

const inMcpServers = (text: string): Launch => JSON.parse(text).mcpServers.fleet;
const vsCodeLink = () => {
  const address = new URL(installLink("vs-code").searchParams.get("url") ?? "");
  return { address, ...JSON.parse(decodeURIComponent(address.search.slice(1))) };
};
const cursorLink = () => JSON.parse(Buffer.from(installLink("cursor").searchParams.get("config") ?? "", "base64").toString());

const launches: [string, () => Launch][] = [
  ["Claude Desktop", () => inMcpServers(desktop)],
  ["Claude Desktop on Windows", () => inMcpServers(windows)],
  ["Cursor", () => inMcpServers(snippets("cursor", "json")[0] ?? "")],
  ["Cursor's link", cursorLink],
  ["Windsurf", () => inMcpServers(snippets("windsurf", "json")[0] ?? "")],
  ["Gemini CLI", () => inMcpServers(snippets("gemini-cli", "json")[0] ?? "")],
  ["VS Code", () => JSON.parse(vsCode).servers.fleet],
  ["VS Code's link", vsCodeLink],
  ["Codex", () => (parse(toml)["mcp_servers"] as unknown as { fleet: Launch }).fleet],
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
    expect(installLink("cursor").href).toMatch(/^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?name=fleet&/);
  });
});

describe("the configuration over HTTP for", () => {
  // The field for the URL in each host's documentation.
  const addresses: [string, (config: never) => string][] = [
    ["cursor", ({ mcpServers: { fleet } }: { mcpServers: { fleet: { url: string } } }) => fleet.url],
    ["gemini-cli", ({ mcpServers: { fleet } }: { mcpServers: { fleet: { httpUrl: string } } }) => fleet.httpUrl],
    ["windsurf", ({ mcpServers: { fleet } }: { mcpServers: { fleet: { serverUrl: string } } }) => fleet.serverUrl],
    ["vs-code", ({ servers: { fleet } }: { servers: { fleet: { type: "http"; url: string } } }) => fleet.url],
  ];

  it.each(addresses)("%s reaches the server", async (page, addressIn) => {
    const address = addressIn(JSON.parse(overHttp(page)) as never);
    expect(address).toBe("http://127.0.0.1:4020/mcp");
    const url = new URL(address);
    url.port = new URL(around.served.url).port;
    const transport = new StreamableHTTPClientTransport(url) as Transport;
    expect(await serverAt(transport)).toMatchObject({ structuredContent: { sandbox: true, ...FOUND } });
  });
});
