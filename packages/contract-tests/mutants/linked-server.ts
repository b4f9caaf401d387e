import { createFleetClient } from "@fleetwire/core";
import { createLog, createServerFactory, serverConfigFromEnv } from "@fleetwire/mcp-server";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import type { SpawnedServer } from "../src/checks/spawned-server.ts";
import type { OfferedTool } from "../src/checks/tool-call.ts";

/** Stands in for a spawned server, whose start would cost each mutant a second: the same server and a real client, linked in one process. */
export async function spawnServer(env: Readonly<Record<string, string>>): Promise<SpawnedServer> {
  const config = serverConfigFromEnv(env);
  // What failed would be tried again after a while, which tells nothing more.
  const fleet = createFleetClient({ ...config, retries: 0 });
  const factory = createServerFactory({ fleet, config, log: createLog("silent"), version: "0.0.0" });
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "fleetwire-contract", version: "0.0.0" });
  await Promise.all([factory().connect(there), client.connect(here)]);
  const { tools } = await client.listTools();
  return {
    tools: new Map(tools.map((tool) => [tool.name, tool as OfferedTool])),
    call: async (name, args) => {
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: args }, { timeout: 5_000 });
      const text = (content as { type: string; text?: string }[]).map((part) => part.text ?? "").join("\n");
      return { failed: isError === true, text, structured: (structuredContent ?? {}) as Record<string, unknown> };
    },
    close: () => client.close(),
  };
}
