import { readFileSync } from "node:fs";
import { type Environment, type EnvironmentVariable, FleetError, unknownFleetVariables, type VariableTable } from "@fleetwire/core";
import { withAdvice, withFileContents } from "@fleetwire/core/internal";
import { environmentVariables, type ServerConfig } from "../server-config.ts";
import { EXIT_USAGE, fail, notify } from "./print.ts";
import { sandboxEnvironment } from "./start-data.ts";

/** The environment variables, by name. */
export const variables = Object.entries<EnvironmentVariable>(environmentVariables);

/** The flag of a variable, without its dashes. */
export const stemOf = (name: string) => name.slice("FLEET_".length).toLowerCase().replaceAll("_", "-");

export interface CommandOptions {
  sandbox?: boolean;
  [flag: string]: string | boolean | undefined;
}

export interface Runtime<Config = ServerConfig> {
  config: Config;
  close: () => Promise<void>;
}

/** Returns the environment with flags merged in; they override variables. */
function environmentOf(options: CommandOptions, table: VariableTable): Environment {
  const env: Record<string, string | undefined> = { ...process.env };
  for (const [name, { secret }] of Object.entries(table)) {
    const camel = stemOf(name).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    const flag = secret ? undefined : options[camel];
    // A script's --read-only=$X with X unset must not override the variable.
    if (flag === "")
      throw new FleetError("config", `configuration: --${stemOf(name)} is empty`, { advice: "Set a value or omit the flag" });
    if (flag !== undefined) env[name] = flag === true ? "1" : String(flag);
  }
  return env;
}

const connectionVariables = variables.flatMap(([name, { connection }]) => (connection ? [name] : []));

/** Reads flags and variables. With --sandbox, connection settings are left out, since the sandbox's replace them. */
function readFlags(options: CommandOptions, table: VariableTable, known: VariableTable) {
  const env = environmentOf(options, table);
  const unknown = unknownFleetVariables(env, known);
  const notices = unknown.length === 0 ? [] : [`ignored unknown variables: ${unknown.join(", ")}`];
  const ignored = connectionVariables.filter((name) => env[name]?.trim());
  if (!options.sandbox) {
    const hasTenants = Object.hasOwn(table, "FLEET_TENANTS_FILE") && env["FLEET_TENANTS_FILE"]?.trim();
    if (hasTenants && ignored.length > 0) notices.push(`ignored, since only the tenants file connects customers: ${ignored.join(", ")}`);
    return { env, notices };
  }
  const settings = Object.fromEntries(Object.entries(env).filter(([name]) => !connectionVariables.includes(name)));
  const sandbox = `sandbox: every vehicle, person and position is made up${ignored.length === 0 ? "" : `; ignored: ${ignored.join(", ")}`}`;
  return { env: settings, notices: [sandbox, ...notices] };
}

async function startSandbox() {
  const { createSandbox } = await import("@fleetwire/sandbox");
  const sandbox = createSandbox();
  return { ...(await sandbox.listen()), close: () => sandbox.close() };
}

type Read<Config> = (env: Environment) => Config;

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
  read: Read<Config>,
  table: VariableTable = environmentVariables,
  known: VariableTable = table,
): DeferredRuntime<Config> {
  try {
    const { env: flags, notices } = readFlags(options, table, known);
    const env = withFileContents(flags, table, (path) => readFileSync(path, "utf8"));
    const readWith = (connection: Environment): Config => ({ ...read({ ...connection, ...env }), sandbox: true });
    const config = options.sandbox ? readWith(sandboxEnvironment) : read(env);
    for (const notice of notices) notify(notice);
    let started: ReturnType<typeof startSandbox> | undefined;
    return {
      config,
      connect: async () => {
        if (!options.sandbox) return config;
        started ??= startSandbox();
        return readWith((await started).env);
      },
      close: async () => (await started)?.close(),
    };
  } catch (error) {
    return failConfiguration(error, options.sandbox ? "" : "; see --help, or try --sandbox, which needs no configuration");
  }
}

/** Like {@link deferRuntime}, but starts the sandbox immediately. */
export async function openRuntime<Config>(
  options: CommandOptions,
  read: Read<Config>,
  table?: VariableTable,
  known?: VariableTable,
): Promise<Runtime<Config>> {
  const { connect, close } = deferRuntime(options, read, table, known);
  return { config: await connect(), close };
}

/** Prints on one line why the configuration is invalid, and ends the process. */
export function failConfiguration(error: unknown, hint = ""): never {
  if (!(error instanceof FleetError)) return fail(error instanceof Error ? error.message : String(error), EXIT_USAGE, "internal");
  return fail(`${withAdvice(error)}${error.advice === undefined ? "" : hint}`, EXIT_USAGE, error.code);
}
