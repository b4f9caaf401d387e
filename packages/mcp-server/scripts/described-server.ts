import { Client } from "@modelcontextprotocol/client";
import { linkedServer } from "./linked-server.ts";

async function describe() {
  // The environment is ignored, since it could change which tools are listed; so is the host's time zone.
  const { transport, close } = await linkedServer({ sandbox: true, env: { FLEET_TIME_ZONE: "Europe/Berlin" }, version: "0.0.0" });
  const client = new Client({ name: "fleetwire-generate", version: "0.0.0" });
  try {
    await client.connect(transport);
    const { tools } = await client.listTools();
    const { prompts } = await client.listPrompts();
    const { resources } = await client.listResources();
    return { instructions: client.getInstructions(), capabilities: client.getServerCapabilities(), tools, prompts, resources };
  } finally {
    await client.close();
    await close();
  }
}

let described: ReturnType<typeof describe> | undefined;

/** What a real MCP client sees of a server that offers everything: instructions, tools, prompts and resources. Cached per process. */
export function describedServer(): ReturnType<typeof describe> {
  described ??= describe();
  return described;
}
