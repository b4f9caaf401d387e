import { createSandbox } from "@fleetwire/sandbox";
import { InMemoryTransport } from "@modelcontextprotocol/client";
import { createFleet } from "../src/cli/create-fleet.ts";
import { createLog } from "../src/log.ts";
import { createServerFactory } from "../src/mcp/create-served-tools.ts";
import { serverConfigFromEnv } from "../src/server-config.ts";
import { serveHost } from "../src/stdio/serve-host.ts";

/** Serves the same as the verb `stdio`, but in this process and without a log. Connect a client to `transport`. */
export async function linkedServer({ sandbox, env, version }: { sandbox: boolean; env: Record<string, string>; version: string }) {
  const service = createSandbox();
  const connection = sandbox ? (await service.listen()).env : {};
  const config = { ...serverConfigFromEnv({ ...connection, ...env }), ...(sandbox && { sandbox }) };
  const log = createLog("silent");
  const [transport, served] = InMemoryTransport.createLinkedPair();
  serveHost(createServerFactory({ fleet: createFleet(config, log), config, log, version }), served, log);
  return { transport, close: () => service.close() };
}
