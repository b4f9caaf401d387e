import type { FleetClient } from "@fleetwire/core";
import { createFleetTools } from "@fleetwire/tools";
import { McpServer } from "@modelcontextprotocol/server";
import { callLogger, type Logger, writeLogger } from "./log.ts";
import { promptRegistrar } from "./mcp/register-prompts.ts";
import { resourceRegistrar } from "./mcp/register-resources.ts";
import { toolRegistrar } from "./mcp/register-tools.ts";
import { guardOutgoing } from "./mcp/safe-output.ts";
import { serverIdentity } from "./mcp/server-info.ts";
import type { ServerConfig } from "./server-config.ts";

export interface FleetServerOptions {
  fleet: FleetClient;
  config: ServerConfig;
  log: Logger;
  version: string;
  now?: () => number;
  /** Milliseconds that a call may take, 50,000 unless told otherwise: hosts wait a minute. */
  callTimeout?: number;
}

// What is listed stays as it is while the process lives, but the next one may be configured otherwise.
const LISTED = { ttlMs: 300_000, cacheScope: "private" } as const;
const CACHE_HINTS = {
  "tools/list": LISTED,
  "prompts/list": LISTED,
  "resources/list": LISTED,
  "resources/templates/list": LISTED,
  "server/discover": LISTED,
};

/** The configuration settles what is offered, so no host need listen for changes; the SDK would announce them of whatever is registered. */
function announceNoChanges({ server }: McpServer): void {
  const { tools, prompts, resources } = server.getCapabilities();
  const offered = Object.entries({ tools, prompts, resources }).filter(([, capability]) => capability !== undefined);
  server.registerCapabilities(Object.fromEntries(offered.map(([kind, capability]) => [kind, { ...capability, listChanged: false }])));
}

export interface ServerFactory {
  (): McpServer;
  /** Settles once no write is under way, also those whose callers are gone: a process that ends gives them a moment. */
  writesSettled(): Promise<void>;
}

/** Makes servers that know nothing of their transport; all of them share the client, and so its token. */
export function createServerFactory({ fleet, config, log, version, now = Date.now, callTimeout }: FleetServerOptions): ServerFactory {
  const tools = createFleetTools(config, { fleet, now, callTimeout, onCall: callLogger(log), onWrite: writeLogger(log) });
  const { instructions } = tools;
  const identity = serverIdentity(version, config);
  const registrars = [toolRegistrar(tools, config.result), promptRegistrar(tools, config), resourceRegistrar(tools, config)];
  const create = () => {
    const server = new McpServer(identity, { instructions, cacheHints: CACHE_HINTS });
    guardOutgoing(server, identity);
    for (const register of registrars) register(server);
    announceNoChanges(server);
    return server;
  };
  return Object.assign(create, { writesSettled: tools.writesSettled });
}
