import {
  type CallHooks,
  createFleetClient,
  type DriftReport,
  type FleetClient,
  type FleetConfig,
  maskedDrift,
  operations,
} from "@fleetwire/core";
import type { ServerLog } from "../log.ts";
import type { Telemetry } from "../telemetry/start-telemetry.ts";

import { packageVersion } from "./print.ts";
const MAX_DRIFT_LOGGED = 20;

/** Logs drift without the names of undocumented fields, which may contain personal data. */
const logDrift =
  (log: ServerLog) =>
  ({ operation, drift }: DriftReport): void => {
    const { output } = operations[operation as keyof typeof operations];
    log.warn({ operation, drift: maskedDrift({ output }, drift).slice(0, MAX_DRIFT_LOGGED) }, "drift from the contract");
  };

/** Creates the client with which a command calls the service. */
export function createFleet(config: FleetConfig, log: ServerLog, hooks: CallHooks = {}, telemetry?: Telemetry): FleetClient {
  return createFleetClient({
    ...config,
    userAgent: `fleetwire-mcp/${packageVersion()}`,
    onDrift: logDrift(log),
    ...hooks,
    ...(telemetry && {
      onResponse: (event) => {
        hooks.onResponse?.(event);
        const { method, path } = operations[event.operation as keyof typeof operations];
        telemetry.requestEnded({ ...event, method, path });
      },
    }),
  });
}
