import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { OfferedTool } from "./tool-call.ts";

const BIN = fileURLToPath(new URL("../../dist/fleetwire-mcp.js", import.meta.url));

export interface ToolResult {
  failed: boolean;
  text: string;
  structured: Record<string, unknown>;
}

export interface SpawnedServer {
  tools: Map<string, OfferedTool>;
  call(name: string, args: Record<string, unknown>): Promise<ToolResult>;
  close(): Promise<void>;
}

/** Starts `fleetwire-mcp` over stdio with a real MCP client, which validates each structured result against the tool's output schema. */
export async function spawnServer(env: Readonly<Record<string, string>>): Promise<SpawnedServer> {
  const client = new Client({ name: "recordings", version: "0.0.0" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN],
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stderr: "ignore",
  });
  await client.connect(transport);
  const { tools } = await client.listTools();
  return {
    tools: new Map(tools.map((tool) => [tool.name, tool as OfferedTool])),
    call: async (name, args) => {
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: args }, { timeout: 30_000 });
      const text = (content as { type: string; text?: string }[]).map((part) => part.text ?? "").join("\n");
      return { failed: isError === true, text, structured: (structuredContent ?? {}) as Record<string, unknown> };
    },
    close: () => client.close(),
  };
}
