import type { FleetClient, FleetConfig } from "@fleetwire/core";
import { createDriverAlias } from "./privacy.ts";
import type { ToolContext } from "./tool.ts";
import { createSealer } from "./writes/seal.ts";

/** What all calls of a process share. Nobody can be asked or told of progress, and nothing ends a call, unless a call brings its own. */
export function createToolContext(fleet: FleetClient, config: FleetConfig, now: () => number = Date.now): ToolContext {
  return {
    fleet,
    settings: config,
    driverAlias: createDriverAlias(config.sealKey),
    sealer: createSealer(config.sealKey),
    now,
    callOptions: {},
    person: { canBeAsked: false },
    progress: () => {},
  };
}
