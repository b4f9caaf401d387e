import type { FleetClient } from "@fleetwire/core";
import { createFleetTools } from "@fleetwire/tools";
import { type McpRequestContext, McpServer } from "@modelcontextprotocol/server";
import { callLogger, type Logger, writeLogger } from "./log.ts";
import { promptRegistrar } from "./mcp/register-prompts.ts";
import { resourceRegistrar } from "./mcp/register-resources.ts";
import { toolRegistrar } from "./mcp/register-tools.ts";
import { sanitizeOutput } from "./mcp/safe-output.ts";
import { serverIdentity } from "./mcp/server-info.ts";
import { createSubscriptions, type Subscriptions } from "./mcp/subscriptions.ts";
import type { ServerConfig } from "./server-config.ts";

export interface FleetServerOptions {
  fleet: FleetClient;
  config: ServerConfig;
  log: Logger;
  version: string;
  now?: () => number;
  /** Call timeout in milliseconds; hosts give up after a minute. @default 50_000 */
  callTimeout?: number;
}

// Lists never change while the process runs, but the next process may be configured differently.
const LISTED = { ttlMs: 300_000, cacheScope: "private" } as const;
const CACHE_HINTS = {
  "tools/list": LISTED,
  "prompts/list": LISTED,
  "resources/list": LISTED,
  "resources/templates/list": LISTED,
  "server/discover": LISTED,
};

/** Lists depend only on the configuration, so hosts need not listen for changes. By default, the SDK says that they should. */
function announceNoChanges({ server }: McpServer): void {
  const { tools, prompts, resources } = server.getCapabilities();
  const offered = Object.entries({ tools, prompts, resources }).filter(([, capability]) => capability !== undefined);
  server.registerCapabilities(Object.fromEntries(offered.map(([kind, capability]) => [kind, { ...capability, listChanged: false }])));
}

export interface ServerFactory {
  (context?: McpRequestContext): McpServer;
  /** The vehicles that hosts watch. Undefined if vehicles are not offered as resources. */
  subscriptions: Subscriptions | undefined;
  /** Resolves once no write is in flight, including writes whose callers have disconnected. */
  writesSettled(): Promise<void>;
}

/** Returns a factory that creates servers for any transport. They share one client and therefore one access token. */
export function createServerFactory({ fleet, config, log, version, now = Date.now, callTimeout }: FleetServerOptions): ServerFactory {
  const tools = createFleetTools(config, { fleet, now, callTimeout, onCall: callLogger(log), onWrite: writeLogger(log) });
  const { instructions } = tools;
  const identity = serverIdentity(version, config);
  const registrars = [toolRegistrar(tools, config.result), promptRegistrar(tools, config), resourceRegistrar(tools, config)];
  const subscriptions = tools.byName.has("locate_vehicle") ? createSubscriptions(tools) : undefined;
  const create = (context?: McpRequestContext) => {
    const server = new McpServer(identity, { instructions, cacheHints: CACHE_HINTS });
    sanitizeOutput(server, identity);
    for (const register of registrars) register(server);
    announceNoChanges(server);
    subscriptions?.register(server, context);
    return server;
  };
  return Object.assign(create, { subscriptions, writesSettled: tools.writesSettled });
}
