import { readFileSync } from "node:fs";
import { type Environment, FleetError, type VariableTable } from "@fleetwire/core";
import { commandSettings, withAdvice } from "@fleetwire/core/internal";
import { environmentVariables, type ServerConfig } from "../server-config.ts";
import { EXIT_USAGE, fail, notify } from "./print.ts";
import { sandboxEnvironment } from "./start-data.ts";

/** The flags of every verb that reads the configuration. */
export interface CommandOptions {
  sandbox?: boolean;
  json?: boolean;
  tools?: string;
  readOnly?: boolean;
  log?: string;
}

export interface Runtime<Config = ServerConfig> {
  config: Config;
  close: () => Promise<void>;
}

/** Returns the environment with flags merged in; they override variables. */
function withFlags({ tools, readOnly, log }: CommandOptions): Environment {
  const flags = Object.entries({ FLEET_TOOLS: tools, FLEET_READ_ONLY: readOnly ? "1" : undefined, FLEET_LOG: log });
  // A script's --tools=$X with X unset must not override the variable.
  const empty = flags
    .find(([, value]) => value === "")?.[0]
    .replace("FLEET_", "--")
    .toLowerCase();
  if (empty) throw new FleetError("config", `configuration: ${empty} is empty`, { advice: "Set a value or omit the flag" });
  return { ...process.env, ...Object.fromEntries(flags.filter(([, value]) => value !== undefined)) };
}

async function startSandbox() {
  const { createSandbox } = await import("@fleetwire/sandbox");
  const sandbox = createSandbox();
  return { ...(await sandbox.listen()), close: () => sandbox.close() };
}

interface DeferredRuntime<Config> extends Runtime<Config> {
  /** Starts the sandbox, if it is wanted, and returns the configuration with its address. */
  connect: () => Promise<Config>;
}

/**
 * Reads a command's configuration from flags and environment variables, and exits the process if it is invalid. `table` lists the variables that the
 * command reads; a misspelt one is rejected, and one that is not in `known` is reported. With --sandbox, nothing listens on the configured address until `connect` has started the sandbox.
 */
export function deferRuntime<Config>(
  options: CommandOptions,
  read: (env: Environment) => Config,
  table: VariableTable = environmentVariables,
  known: VariableTable = table,
): DeferredRuntime<Config> {
  const { sandbox = false } = options;
  try {
    const { env, notices, connection } = commandSettings(withFlags(options), {
      ...{ table, known, sandbox },
      readFile: (path) => readFileSync(path, "utf8"),
    });
    const readWith = (address: Environment): Config => ({ ...read({ ...address, ...env }), sandbox: true });
    const config = sandbox ? readWith(sandboxEnvironment) : read(env);
    for (const notice of notices) notify(notice);
    const hasTenants = Object.hasOwn(table, "FLEET_TENANTS_FILE") && env["FLEET_TENANTS_FILE"]?.trim();
    if (!sandbox && hasTenants && connection.length > 0)
      notify(`ignored, since only the tenants file connects customers: ${connection.join(", ")}`);
    let started: ReturnType<typeof startSandbox> | undefined;
    return {
      config,
      connect: async () => {
        if (!sandbox) return config;
        started ??= startSandbox();
        return readWith((await started).env);
      },
      close: async () => (await started)?.close(),
    };
  } catch (error) {
    return failConfiguration(error, sandbox ? "" : "; see --help, or try --sandbox, which needs no configuration");
  }
}

/** Like {@link deferRuntime}, but starts the sandbox immediately. */
export async function openRuntime<Config>(...of: Parameters<typeof deferRuntime<Config>>): Promise<Runtime<Config>> {
  const { connect, close } = deferRuntime(...of);
  return { config: await connect(), close };
}

/** Prints on one line why the configuration is invalid, and ends the process. */
export function failConfiguration(error: unknown, hint = ""): never {
  if (!(error instanceof FleetError)) return fail(error instanceof Error ? error.message : String(error), EXIT_USAGE, "internal");
  return fail(`${withAdvice(error)}${error.advice === undefined ? "" : hint}`, EXIT_USAGE, error.code);
}
