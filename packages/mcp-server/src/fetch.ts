import { createFleetClient, type FleetClient, FleetError } from "@fleetwire/core";
import type { WriteStore } from "@fleetwire/tools";
import { bearerAccess, type VerifyToken } from "./callers/bearer-access.ts";
import { type OAuthSettings, oauthCallers } from "./callers/oauth-callers.ts";
import { webExchange } from "./http/exchange.ts";
import { Fleet, fleetsByCaller } from "./http/fleet.ts";
import { createHandler } from "./http/handler.ts";
import { CALLER_LIMITS, type HttpLimits } from "./http/limits.ts";
import type { ServerLog } from "./log.ts";
import type { ServerConfig } from "./server-config.ts";

export { OAuthError, OAuthErrorCode, type TokenHolder, type VerifyToken } from "./callers/bearer-access.ts";
export type { OAuthSettings } from "./callers/oauth-callers.ts";
export type { HttpLimits } from "./http/limits.ts";
export type { ServerLog } from "./log.ts";
export { type ServerConfig, serverConfigFromEnv } from "./server-config.ts";

/** A customer, and the values of the tenant claim that give callers access to its fleet. */
export interface FetchTenant {
  name: string;
  callers: readonly string[];
  config: ServerConfig;
}

export interface FetchHandlerOptions {
  /** The authorization server whose access tokens are accepted, or a function that verifies your own tokens. */
  callers: OAuthSettings | VerifyToken;
  /** The only customer, or several. */
  fleets: ServerConfig | readonly FetchTenant[];
  /** Host names under which the server may be called. Required if `callers` is a function. @default that of the public URL */
  hosts?: readonly string[];
  /** Origins of web pages that may call, such as `https://claude.ai`. @default none */
  origins?: readonly string[];
  /** The version that the server reports. */
  version: string;
  /** @default nothing is logged */
  log?: ServerLog;
  /** Creates the client of a customer. */
  createClient?: (config: ServerConfig) => FleetClient;
  /** Coordinates writes with other processes. Each fleet's configuration then needs a `sealKey`. */
  writeStore?: WriteStore;
  limits?: Partial<HttpLimits>;
}

/** A handler for servers that follow the Fetch standard. */
export interface FetchHandler {
  fetch: (request: Request) => Promise<Response>;
  /** Rejects new calls, gives those in flight a moment to finish, then aborts them. */
  close: () => Promise<void>;
}

const SILENT: ServerLog = { error: () => {}, warn: () => {}, info: () => {} };

/**
 * Serves MCP as `fleetwire-mcp http` does, for any server that follows the Fetch standard. The server has to limit connections and the
 * time that a request may take to arrive. There are no metrics.
 */
export function createFetchHandler(options: FetchHandlerOptions): FetchHandler {
  const { callers, fleets, origins = [], version, log = SILENT, writeStore, createClient = createFleetClient } = options;
  const limits = { ...CALLER_LIMITS, ...options.limits };
  const common = { writeStore, log, version, maxSubscriptions: limits.subscriptions };
  const open = (config: ServerConfig, tenant?: string) =>
    new Fleet({ ...common, config, tenant, createClient: () => createClient(config) });
  const served = "customerId" in fleets ? open(fleets) : fleetsByCaller(fleets, ({ name, config }) => open(config, name));
  const isCustom = typeof callers === "function";
  const access = bearerAccess({ ...(isCustom ? { verify: callers } : oauthCallers(callers, log)), fleets: served, log });
  const hosts = options.hosts ?? (isCustom ? undefined : [callers.publicUrl.hostname]);
  if (hosts === undefined) {
    throw new FleetError("config", "createFetchHandler: without hosts, every request would be rejected", {
      advice: "Pass the host names under which the server may be called",
    });
  }
  const handler = createHandler({ access, allowed: { hosts, origins, localPages: false }, limits, log, version });
  return {
    fetch: async (request) => {
      const { exchange, observe } = webExchange(request);
      return observe(await handler.fetch(request, exchange));
    },
    close: handler.close,
  };
}
