import { type Environment, readVariables, type VariableTable, type VariableValues } from "@fleetwire/core";
import { oneOf } from "@fleetwire/core/internal";
import { type FleetToolsSettings, fleetToolsConfigOf, fleetToolsVariables } from "@fleetwire/tools";
import * as z from "zod";

/** Settings of the tools and the server. */
export interface ServerConfig extends FleetToolsSettings {
  /** What tool results contain: text, a record (structured content), or both. */
  result: "both" | "text" | "record";
  /** Template of a tile server for the map; without one, the map shows only its built-in base map. */
  tilesUrl: string | undefined;
  /** Minimum level to log. */
  log: "silent" | "error" | "warn" | "info" | "debug";
}

/** Only characters that cannot end a directive of a content security policy. */
const TilesUrl = z
  .string()
  .regex(
    /^https?:\/\/(\{s\}\.)?[\w.-]+(:\d+)?\/[^\s;,]*\{z\}[^\s;,]*$/,
    "must be a template such as https://tiles.example/{z}/{x}/{y}.png",
  );

/** The origin of a tile server as a source in a content security policy: its template may have a placeholder for several hosts. */
export function tilesSource(tilesUrl: string): string {
  const [, scheme = "", host = ""] = /^(https?:\/\/)([^/]+)/.exec(tilesUrl) ?? [];
  return scheme + host.replace(/^\{s\}/, "*");
}

const hostVariables = {
  FLEET_RESULT: {
    schema: oneOf(["both", "text", "record"]),
    description: "what tool results contain: both (default), text only, or record (structured content) only",
  },
  FLEET_TILES_URL: {
    schema: TilesUrl,
    description: "map tiles, such as https://tiles.example/{z}/{x}/{y}.png (default none)",
  },
  FLEET_LOG: {
    schema: oneOf(["silent", "error", "warn", "info", "debug"]),
    description: "log level, on stderr: silent, error, warn (default), info or debug",
  },
} satisfies VariableTable;

/** The environment variables of the client, the tools and the server; http/http-variables.ts has those of `http`. Flags and help are generated from both. */
export const environmentVariables: typeof fleetToolsVariables & typeof hostVariables = { ...fleetToolsVariables, ...hostVariables };

const { FLEET_LOG: _, FLEET_CLIENT_SECRET_FILE: __, ...ofCustomer } = environmentVariables;

/** The variables that can differ between the customers of one server. A tenants file has its own way to refer to files. */
export const customerVariables: Omit<typeof environmentVariables, "FLEET_LOG" | "FLEET_CLIENT_SECRET_FILE"> = ofCustomer;

/**
 * Reads the server's configuration from environment variables. Throws a single `config` error that names every missing, malformed or misspelt
 * variable, but none of their values. Unrelated variables are ignored.
 */
export function serverConfigFromEnv(env: Environment): ServerConfig {
  return serverConfigOf(readVariables(env, environmentVariables));
}

/** Creates the configuration from variables that are already parsed. */
export function serverConfigOf(values: VariableValues<typeof environmentVariables>): ServerConfig {
  return {
    ...fleetToolsConfigOf(values),
    result: values.FLEET_RESULT ?? "both",
    tilesUrl: values.FLEET_TILES_URL,
    log: values.FLEET_LOG ?? "warn",
  };
}
