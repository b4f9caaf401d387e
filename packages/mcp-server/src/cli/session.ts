import { readFileSync } from "node:fs";
import {
  createFleetClient,
  type DriftReport,
  type FleetClient,
  type FleetConfig,
  FleetError,
  maskedDrift,
  operations,
} from "@fleetwire/core";
import { toolAvailability } from "@fleetwire/tools";
import type { Logger } from "../log.ts";
import { serverConfigFromEnv } from "../server-config.ts";
import { type CommandOptions, configurationProblem, openRuntime, type Runtime } from "./environment.ts";
import { EXIT_USAGE, fail, notify } from "./print.ts";

export { EXIT_FAILED, EXIT_USAGE } from "./print.ts";

const MAX_DRIFT_LOGGED = 20;

export function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { version: string };
  return manifest.version;
}

/** Logs drift without the names of undocumented fields, which may contain personal data. */
const logDrift =
  (log: Logger) =>
  ({ operation, drift }: DriftReport): void => {
    const { output } = operations[operation as keyof typeof operations];
    log.warn({ operation, drift: maskedDrift({ output }, drift).slice(0, MAX_DRIFT_LOGGED) }, "drift from the contract");
  };

export function createFleet(config: FleetConfig, log: Logger): FleetClient {
  return createFleetClient({
    ...config,
    userAgent: `fleetwire-mcp/${packageVersion()}`,
    onDrift: logDrift(log),
  });
}

/** Reads a verb's configuration, and exits the process if it is invalid. */
export async function open(options: CommandOptions): Promise<Runtime> {
  try {
    const runtime = await openRuntime(options, process.env, serverConfigFromEnv);
    try {
      toolAvailability(runtime.config);
    } catch (error) {
      await runtime.close();
      throw error;
    }
    for (const notice of runtime.notices) notify(notice);
    return runtime;
  } catch (error) {
    return fail(configurationProblem(error), EXIT_USAGE, error instanceof FleetError ? error.code : "internal");
  }
}
