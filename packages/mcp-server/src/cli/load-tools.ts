import type { ServerLog } from "../log.ts";
import { createServedTools } from "../mcp/create-served-tools.ts";
import type { ServedTools } from "../mcp/served-tools.ts";
import type { ServerConfig } from "../server-config.ts";
import type { Telemetry } from "../telemetry/start-telemetry.ts";
import { createFleet } from "./create-fleet.ts";

/** Creates the tools and their client. In the bundled bin, everything that only they need is in a separate file. */
export const loadTools = (config: ServerConfig, log: ServerLog, telemetry?: Telemetry): ServedTools =>
  createServedTools({ fleet: createFleet(config, log, {}, telemetry), config, log });
