import { type CallHooks, createFleetClient, type FleetClient, type FleetConfig, maskedDrift, operations } from "@fleetwire/core";
import { toolAvailability } from "@fleetwire/tools";
import type { ServerLog } from "../log.ts";
import { serverConfigFromEnv } from "../server-config.ts";
import type { Telemetry } from "../telemetry/start-telemetry.ts";
import { packageVersion } from "./print.ts";
import { type CommandOptions, openRuntime, type Runtime } from "./runtime.ts";

const MAX_DRIFT_LOGGED = 20;

/** Creates the client with which a command calls the service. */
export function createFleet(config: FleetConfig, log: ServerLog, hooks: CallHooks = {}, telemetry?: Telemetry): FleetClient {
  const of = (operation: string) => operations[operation as keyof typeof operations];
  return createFleetClient({
    ...config,
    userAgent: `fleetwire-mcp/${packageVersion()}`,
    // Without the names of undocumented fields, which may contain personal data.
    onDrift: ({ operation, drift }) =>
      log.warn({ operation, drift: maskedDrift(of(operation), drift).slice(0, MAX_DRIFT_LOGGED) }, "drift from the contract"),
    ...hooks,
    ...(telemetry && {
      onResponse: (event) => {
        hooks.onResponse?.(event);
        const { method, path } = of(event.operation);
        telemetry.requestEnded({ ...event, method, path });
      },
    }),
  });
}

/** Reads the configuration of a verb that calls tools, and exits the process if it is invalid. */
export const open = (options: CommandOptions): Promise<Runtime> =>
  openRuntime(options, (env) => {
    const config = serverConfigFromEnv(env);
    toolAvailability(config);
    return config;
  });
