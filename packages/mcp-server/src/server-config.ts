import { type Environment, oneOf, readVariables, type VariableTable } from "@fleetwire/core";
import { type FleetToolsSettings, fleetToolsConfigOf, fleetToolsVariables } from "@fleetwire/tools";

/** The configuration of tools, and what only the server obeys. */
export interface ServerConfig extends FleetToolsSettings {
  /** What a tool's result holds: its text, its record as structured content, or both. */
  result: "both" | "text" | "record";
  /** The least severe level that is logged. */
  log: "silent" | "error" | "warn" | "info" | "debug";
}

const hostVariables = {
  FLEET_RESULT: {
    schema: oneOf(["both", "text", "record"]),
    description: "what a result holds: both (default), text alone, or record (structured content) alone",
  },
  FLEET_LOG: {
    schema: oneOf(["silent", "error", "warn", "info", "debug"]),
    description: "what is logged to stderr: silent, error, warn (default), info or debug",
  },
} satisfies VariableTable;

/** Every environment variable of the server, the client's and the tools' included; flags and help texts are made from it. */
export const environmentVariables: typeof fleetToolsVariables & typeof hostVariables = { ...fleetToolsVariables, ...hostVariables };

/**
 * Reads the server's configuration from environment variables. Every one that is missing, malformed or almost spelled like one of these is named in one
 * `config` error, none with its value. Variables of other names are left alone.
 */
export function serverConfigFromEnv(env: Environment): ServerConfig {
  const values = readVariables(env, environmentVariables);
  return { ...fleetToolsConfigOf(values), result: values.FLEET_RESULT ?? "both", log: values.FLEET_LOG ?? "warn" };
}
