import { readFileSync } from "node:fs";
import { createFleetClient, type FleetClient, type FleetConfig } from "@fleetwire/core";
import { toolAvailability } from "../available-tools.ts";
import type { Logger } from "../log.ts";
import { type CommandOptions, configurationProblem, openRuntime, type Runtime } from "./environment.ts";
import { fail } from "./print.ts";

export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;

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
    return runtime;
  } catch (error) {
    return fail(configurationProblem(error), EXIT_USAGE);
  }
}
