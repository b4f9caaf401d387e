import { type Environment, oneOf, readVariables, type VariableTable } from "@fleetwire/core";
import { type FleetToolsSettings, fleetToolsConfigOf, fleetToolsVariables } from "@fleetwire/tools";

/** The settings of the tools and of the server itself. */
export interface ServerConfig extends FleetToolsSettings {
  /** What a tool result contains: text, its record (structured content), or both. */
  result: "both" | "text" | "record";
  /** The lowest level that is logged. */
  log: "silent" | "error" | "warn" | "info" | "debug";
}

const hostVariables = {
  FLEET_RESULT: {
    schema: oneOf(["both", "text", "record"]),
    description: "what tool results contain: both (default), text only, or record (structured content) only",
  },
  FLEET_LOG: {
    schema: oneOf(["silent", "error", "warn", "info", "debug"]),
    description: "log level, on stderr: silent, error, warn (default), info or debug",
  },
} satisfies VariableTable;

/** Every environment variable of the server, including those of the client and the tools. Flags and help texts are generated from this table. */
export const environmentVariables: typeof fleetToolsVariables & typeof hostVariables = { ...fleetToolsVariables, ...hostVariables };

/**
 * Reads the server's configuration from environment variables. Throws one `config` error that names every missing, malformed or misspelt variable, without
 * their values. Unrelated variables are ignored.
 */
export function serverConfigFromEnv(env: Environment): ServerConfig {
  const values = readVariables(env, environmentVariables);
  return { ...fleetToolsConfigOf(values), result: values.FLEET_RESULT ?? "both", log: values.FLEET_LOG ?? "warn" };
}
