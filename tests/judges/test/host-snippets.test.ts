import { readFileSync } from "node:fs";
import { Client } from "sdk-1.32/client/index.js";
import { StdioClientTransport } from "sdk-1.32/client/stdio.js";
import { StreamableHTTPClientTransport } from "sdk-1.32/client/streamableHttp.js";
import type { Transport } from "sdk-1.32/shared/transport.js";
import { parse } from "smol-toml";
import { describe, expect, it, onTestFinished } from "vitest";
import { aroundSnippets, BIN, filledIn, jsonCells, type Launch, snippets } from "./readme-snippets.ts";

const README = "packages/mcp-server/README.md";
const SECTION = "Connect a host";

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

const [json, vsCode] = snippets(README, SECTION, "json");
const [toml] = snippets(README, SECTION, "toml");

const launches: [string, () => Launch][] = [
  ["Claude Desktop, Cursor and Gemini CLI", () => JSON.parse(json ?? "").mcpServers.fleet],
  ["VS Code", () => JSON.parse(vsCode ?? "").servers.fleet],
  ["Codex", () => (parse(toml ?? "")["mcp_servers"] as unknown as { fleet: Launch }).fleet],
  ["the README of the project", () => JSON.parse(snippets("README.md", "Connect an assistant", "json")[0] ?? "").mcpServers.fleet],
];

describe("the snippet for", () => {
  it.each(launches)("%s starts a server that reads the fleet", async (_, launch) => {
    const { title, tools, isError, structuredContent } = await started(filledIn(launch(), around.values));
    expect({ title, isError, structuredContent }).toMatchObject({ title: "Fleetwire", structuredContent: FOUND });
    expect(tools).toContain("list_live_positions");
  });

  it.each(launches)("%s shows the sandbox's fleet with --sandbox and no environment", async (_, launch) => {
    const { command, args } = filledIn(launch(), around.values);
    const { title, tools, structuredContent } = await started({ command, args: [...args, "--sandbox"] });
    expect({ title, structuredContent }).toMatchObject({ title: "Fleetwire (sandbox)", structuredContent: { sandbox: true, ...FOUND } });
    expect(tools.toSorted()).toEqual(LISTED.toSorted());
  });

  it("VS Code prompts for each missing value", () => {
    const { inputs, servers } = JSON.parse(vsCode ?? "");
    const prompted = [...JSON.stringify(servers).matchAll(/\$\{input:([\w-]+)\}/g)].map(([, id]) => id);
    expect(inputs.map(({ id, password }: { id: string; password: boolean }) => [id, password])).toEqual(prompted.map((id) => [id, true]));
    expect(servers.fleet.type).toBe("stdio");
  });
});

describe("the snippet over HTTP for", () => {
  const cells = jsonCells(README, SECTION);
  // The field for the URL in each host's documentation.
  const addresses: Record<string, (config: { mcpServers?: never; servers?: never }) => string> = {
    Cursor: ({ mcpServers: { fleet } = { fleet: {} } }) => (fleet as { url: string }).url,
    "Gemini CLI": ({ mcpServers: { fleet } = { fleet: {} } }) => (fleet as { httpUrl: string }).httpUrl,
    "VS Code": ({ servers: { fleet } = { fleet: {} } }) =>
      (fleet as { type: string }).type === "http" ? (fleet as { url: string }).url : "",
  };

  it("exists for each host", () => {
    expect(cells.map(([host]) => host)).toEqual(Object.keys(addresses));
  });

  it.each(cells)("%s reaches the server", async (host, text) => {
    const address = addresses[host]?.(JSON.parse(text)) ?? "";
    expect(address).toBe("http://127.0.0.1:4020/mcp");
    const url = new URL(address);
    url.port = new URL(around.served.url).port;
    const transport = new StreamableHTTPClientTransport(url) as Transport;
    expect(await serverAt(transport)).toMatchObject({ structuredContent: { sandbox: true, ...FOUND } });
  });
});

it("every snippet of the section is tested", () => {
  expect(
    [snippets(README, SECTION, "json"), snippets(README, SECTION, "toml"), snippets(README, SECTION, "sh")].map(({ length }) => length),
  ).toEqual([2, 1, 2]);
  expect(snippets("README.md", "Connect an assistant", "json")).toHaveLength(1);
  expect(BIN).toMatch(/fleetwire-mcp\.js$/);
});
