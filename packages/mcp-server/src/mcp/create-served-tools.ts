import type { FleetClient } from "@fleetwire/core";
import { createFleetTools, type FleetTools, toolAvailability, type WriteStore } from "@fleetwire/tools";
import { CALL_TIMEOUT } from "@fleetwire/tools/host";
import { callLogger, type ServerLog, writeLogger } from "../log.ts";
import type { ServerConfig } from "../server-config.ts";
import type { ServedTools } from "./served-tools.ts";
import { type ServerFactory, serverFactoryOf } from "./server-factory.ts";

const NOT_SHARED = "several servers share the calls, and a rule would be known to one of them";

interface ServedToolsOptions {
  fleet: FleetClient;
  config: ServerConfig;
  log: ServerLog;
  /** Coordinates writes with other processes. */
  writeStore?: WriteStore | undefined;
  now?: () => number;
  /** Call timeout in milliseconds; hosts give up after a minute. @default 50_000, or `config.timeout` if that is longer */
  callTimeout?: number;
}

/** Creates the tools, with everything about them that a server needs. */
export function createServedTools({
  fleet,
  config,
  log,
  writeStore,
  now = Date.now,
  callTimeout,
}: ServedToolsOptions): ServedTools & Pick<FleetTools, "tools" | "viewAge"> {
  const tools = createFleetTools(config, {
    fleet,
    writeStore,
    now,
    callTimeout: callTimeout ?? Math.max(CALL_TIMEOUT, config.timeout ?? 0),
    gazetteer: () => import("@fleetwire/tools/gazetteer"),
    onCall: callLogger(log),
    onWrite: writeLogger(log),
  });
  // The same object, because the console knows tools by their identity.
  return Object.assign(tools, {
    unavailable: toolAvailability(config).flatMap(({ tool, ...found }) =>
      tools.byName.has(tool.name) ? [] : [{ ...tool, reason: found.available ? NOT_SHARED : found.reason }],
    ),
  });
}

export interface FleetServerOptions extends ServedToolsOptions {
  version: string;
}

/** Returns a factory that creates servers for any transport. They share one client and therefore one access token. */
export function createServerFactory({ version, ...options }: FleetServerOptions): ServerFactory {
  return serverFactoryOf(createServedTools(options), options.config, version);
}
