import { readFileSync } from "node:fs";
import { createFleetClient, type FleetClient, type FleetConfig, FleetError } from "@fleetwire/core";
import { toolAvailability } from "../available-tools.ts";
import type { Logger } from "../log.ts";
import { type CommandOptions, configurationProblem, openRuntime, type Runtime } from "./environment.ts";
import { EXIT_USAGE, fail, notify } from "./print.ts";

export { EXIT_FAILED, EXIT_USAGE } from "./print.ts";

const DRIFT_LOGGED = 20;

export function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { version: string };
  return manifest.version;
}

export function createFleet(config: FleetConfig, log: Logger): FleetClient {
  return createFleetClient({
    ...config,
    userAgent: `fleetwire-mcp/${packageVersion()}`,
    onDrift: ({ operation, drift }) => log.warn({ operation, drift: drift.slice(0, DRIFT_LOGGED) }, "drift from the contract"),
  });
}

/** The configuration of a verb; a malformed one ends the process. */
export async function open(options: CommandOptions): Promise<Runtime> {
  try {
    const runtime = await openRuntime(options, process.env);
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
