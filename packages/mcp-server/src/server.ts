import { createServedTools, type ServedToolsOptions } from "./create-served-tools.ts";
import { type ServerFactory, serverFactoryOf } from "./mcp/server-factory.ts";

export interface FleetServerOptions extends ServedToolsOptions {
  version: string;
}

/** Returns a factory that creates servers for any transport. They share one client and therefore one access token. */
export function createServerFactory({ version, ...options }: FleetServerOptions): ServerFactory {
  return serverFactoryOf(createServedTools(options), options.config, version);
}
