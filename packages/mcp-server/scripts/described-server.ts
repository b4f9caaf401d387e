import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { openRuntime } from "../src/cli/environment.ts";
import { createFleet } from "../src/cli/session.ts";
import { createLog } from "../src/log.ts";
import { createServerFactory } from "../src/server.ts";
import { serverConfigFromEnv } from "../src/server-config.ts";

/** What a host learns of a server that offers everything: its instructions, tools, prompts and resources, through a real MCP client. */
export async function describedServer() {
  // No variable of this machine counts: which tools are listed depends on the configuration.
  const { config, close } = await openRuntime({ sandbox: true }, {}, serverConfigFromEnv);
  const log = createLog("silent");
  const [host, server] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "fleetwire-generate", version: "0.0.0" });
  try {
    serveStdio(createServerFactory({ fleet: createFleet(config, log), config, log, version: "0.0.0" }), { transport: server });
    await client.connect(host);
    const { tools } = await client.listTools();
    const { prompts } = await client.listPrompts();
    const { resources } = await client.listResources();
    return { instructions: client.getInstructions(), capabilities: client.getServerCapabilities(), tools, prompts, resources };
  } finally {
    await client.close();
    await close();
  }
}
