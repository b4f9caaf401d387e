import { type Environment, type EnvironmentVariable, FleetError, unknownFleetVariables, type VariableTable } from "@fleetwire/core";
import { environmentVariables, type ServerConfig } from "../server-config.ts";
import { EXIT_USAGE, fail } from "./print.ts";

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
  /** One-line notices for the user, containing only our own words and variable names. */
  notices: readonly string[];
  close: () => Promise<void>;
}

/** Returns the environment with flags merged in; they override variables. */
function environmentOf(options: CommandOptions, environment: NodeJS.ProcessEnv, table: VariableTable): Environment {
  const env: Record<string, string | undefined> = { ...environment };
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

/** Reads the configuration. If that fails, the error also suggests the sandbox. */
function configured<Config>(env: Environment, read: (env: Environment) => Config): Config {
  try {
    return read(env);
  } catch (error) {
    if (!(error instanceof FleetError)) throw error;
    throw new FleetError(error.code, error.message, {
      advice: `${error.advice}; see --help, or try --sandbox, which needs no configuration`,
    });
  }
}

const connectionVariables = variables.flatMap(([name, { connection }]) => (connection ? [name] : []));

const sandboxNotice = (ignored: readonly string[]) =>
  `sandbox: every vehicle, person and position is made up${ignored.length === 0 ? "" : `; ignored: ${ignored.join(", ")}`}`;

/** Reads flags and variables. With --sandbox, connection settings are left out, since the sandbox's replace them. */
function readFlags(options: CommandOptions, environment: NodeJS.ProcessEnv, table: VariableTable = environmentVariables) {
  const env = environmentOf(options, environment, table);
  const unknown = unknownFleetVariables(env, table);
  const notices = unknown.length === 0 ? [] : [`ignored unknown variables: ${unknown.join(", ")}`];
  if (!options.sandbox) return { env, notices };
  const ignored = connectionVariables.filter((name) => env[name]?.trim());
  const settings = Object.fromEntries(Object.entries(env).filter(([name]) => !connectionVariables.includes(name)));
  return { env: settings, notices: [sandboxNotice(ignored), ...notices] };
}

/**
 * Reads a command's configuration from flags and environment variables. With --sandbox, it starts a sandbox and takes the connection settings from it.
 * A misspelt variable is rejected in either case. `table` lists the variables that the command knows.
 */
export async function openRuntime<Config>(
  options: CommandOptions,
  environment: NodeJS.ProcessEnv,
  read: (env: Environment) => Config,
  table: VariableTable = environmentVariables,
): Promise<Runtime<Config>> {
  const { env, notices } = readFlags(options, environment, table);
  if (!options.sandbox) return { config: configured(env, read), notices, close: async () => {} };
  const { createSandbox } = await import("@fleetwire/sandbox");
  const sandbox = createSandbox();
  const { env: connection } = await sandbox.listen();
  const close = () => sandbox.close();
  try {
    return { config: { ...read({ ...connection, ...env }), sandbox: true }, notices, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface DeferredRuntime<Config> extends Runtime<Config> {
  /** Starts the sandbox, if it is wanted, and returns the configuration with its address. */
  connect: () => Promise<Config>;
}

/** Like {@link openRuntime}, but starts the sandbox when it is first needed. Until then, `config` has the address of `sandbox`, which nothing listens on. */
export function deferRuntime<Config>(
  options: CommandOptions,
  environment: NodeJS.ProcessEnv,
  read: (env: Environment) => Config,
  sandbox: Environment,
): DeferredRuntime<Config> {
  const { env, notices } = readFlags(options, environment);
  const config = options.sandbox ? { ...read({ ...sandbox, ...env }), sandbox: true } : configured(env, read);
  let opened: Promise<Runtime<Config>> | undefined;
  return {
    config,
    notices,
    connect: async () => {
      if (!options.sandbox) return config;
      opened ??= openRuntime(options, environment, read);
      return (await opened).config;
    },
    close: async () => (await opened)?.close(),
  };
}

/** Describes a configuration error on one line. */
export function configurationProblem(error: unknown): string {
  if (error instanceof FleetError) return `${error.message}${error.advice === undefined ? "" : `. ${error.advice}`}`;
  return error instanceof Error ? error.message : String(error);
}

/** Prints why the configuration is invalid, and ends the process. */
export function failConfiguration(error: unknown): never {
  return fail(configurationProblem(error), EXIT_USAGE, error instanceof FleetError ? error.code : "internal");
}
