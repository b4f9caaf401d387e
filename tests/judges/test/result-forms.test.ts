import { fileURLToPath } from "node:url";
import { Client as NewClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as NewTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "sdk-1.32/client/index.js";
import { StdioClientTransport as OldTransport } from "sdk-1.32/client/stdio.js";
import { describe, expect, it, onTestFinished } from "vitest";

const bin = fileURLToPath(new URL("../../../packages/mcp-server/dist/fleetwire-mcp.js", import.meta.url));

interface Host {
  listTools(): Promise<{ tools: { name: string; outputSchema?: unknown }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<Record<string, unknown>>;
}

const command = (form: string) => ({
  command: process.execPath,
  args: [bin, "--sandbox"],
  env: { PATH: process.env["PATH"] ?? "", FLEET_RESULT: form },
  stderr: "ignore" as const,
});

const who = { name: "test", version: "1.0.0" };

async function newHost(form: string, mode: "auto" | "legacy"): Promise<Host> {
  const client = new NewClient(who, { versionNegotiation: { mode } });
  await client.connect(new NewTransport(command(form)));
  onTestFinished(() => client.close());
  return client as unknown as Host;
}

async function oldHost(form: string): Promise<Host> {
  const client = new OldClient(who);
  await client.connect(new OldTransport(command(form)));
  onTestFinished(() => client.close());
  return client as unknown as Host;
}

const HOSTS: [string, (form: string) => Promise<Host>][] = [
  ["v2 of the SDK, current revision", (form) => newHost(form, "auto")],
  ["v2 of the SDK, older revision", (form) => newHost(form, "legacy")],
  ["v1 of the SDK", oldHost],
];

const RECORDS: [string, Record<string, unknown>][] = [
  ["locate_vehicle", { query: "truck 12" }],
  ["locate_vehicle", { query: "truck" }],
  ["list_live_positions", { limit: 2 }],
  ["summarize_fleet", { group: "no such group" }],
  ["create_job", { address: "Lyon", vehicleName: "truck", dryRun: true }],
];

describe.each(HOSTS)("FLEET_RESULT with %s", (_, connect) => {
  it.each([
    ["both", true, true],
    ["text", true, false],
    ["record", false, true],
  ] as const)("%s", async (form, hasText, hasRecord) => {
    const host = await connect(form);
    // From here on the client validates records against the listed schemas.
    const { tools } = await host.listTools();
    expect(tools.map(({ outputSchema }) => outputSchema !== undefined)).toEqual(tools.map(() => hasRecord));
    for (const [name, args] of RECORDS) {
      const { content, structuredContent, isError } = await host.callTool({ name, arguments: args });
      expect({ isError, texts: (content as unknown[]).length, record: structuredContent !== undefined }).toEqual({
        isError: undefined,
        texts: hasText ? 1 : 0,
        record: hasRecord,
      });
    }
    // A failure has no record, only text.
    const failure = await host.callTool({ name: "create_job", arguments: {} });
    expect(failure).toMatchObject({ isError: true, content: [{ type: "text", text: expect.stringMatching(/^\[sandbox\] input: /) }] });
  });
});
