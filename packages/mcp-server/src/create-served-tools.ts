import type { FleetClient, Operation } from "@fleetwire/core";
import { createFleetTools, type WriteStore } from "@fleetwire/tools";
import { loadGazetteer } from "./load-gazetteer.ts";
import { callLogger, type ServerLog, writeLogger } from "./log.ts";
import { operationDocument } from "./mcp/operation-document.ts";
import type { ServedTools } from "./mcp/served-tools.ts";
import type { ServerConfig } from "./server-config.ts";

export interface ServedToolsOptions {
  fleet: FleetClient;
  config: ServerConfig;
  log: ServerLog;
  /** Coordinates writes with other processes. */
  writeStore?: WriteStore | undefined;
  now?: () => number;
  /** Call timeout in milliseconds; hosts give up after a minute. @default 50_000 */
  callTimeout?: number;
}

/** Creates the tools, with everything about them that a server needs. */
export function createServedTools({ fleet, config, log, writeStore, now = Date.now, callTimeout }: ServedToolsOptions): ServedTools {
  const tools = createFleetTools(config, {
    fleet,
    writeStore,
    now,
    callTimeout,
    gazetteer: loadGazetteer,
    onCall: callLogger(log),
    onWrite: writeLogger(log),
  });
  const operations = new Map(tools.tools.flatMap((tool) => tool.operations.map((operation) => [operation.name, operation] as const)));
  // The same object, because the console knows tools by their identity.
  return Object.assign(tools, {
    operationDocument: async (name: string) => operationDocument(operations.get(name) as Operation),
  });
}
