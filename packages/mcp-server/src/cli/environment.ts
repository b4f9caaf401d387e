import { type Environment, type EnvironmentVariable, FleetError, unknownFleetVariables } from "@fleetwire/core";
import type { SandboxOptions } from "@fleetwire/sandbox";
import { Option } from "commander";
import { environmentVariables, type ServerConfig } from "../server-config.ts";

export { environmentVariables };

const variables = Object.entries<EnvironmentVariable>(environmentVariables);

const stemOf = (name: string) => name.slice("FLEET_".length).toLowerCase().replaceAll("_", "-");

/** Returns a flag for each variable, or only for connection variables. Secrets have none: other users of the machine can see command lines. */
export function environmentOptions({ connectionOnly = false } = {}): Option[] {
  return variables
    .filter(([, { secret, connection }]) => !secret && (connection || !connectionOnly))
    .map(([name, { description, toggle }]) => new Option(`--${stemOf(name)} ${toggle ? "[0|1]" : "<value>"}`, `${description} [${name}]`));
}

/** Rewrites each toggle as `--flag=value`, the only form in which commander cannot mistake the next argument for its value. */
export function withToggleValues(args: readonly string[]): string[] {
  const toggles = new Set(variables.flatMap(([name, { toggle }]) => (toggle ? [`--${stemOf(name)}`] : [])));
  const isValue = (arg: string | undefined) => arg === "0" || arg === "1";
  return args.flatMap((arg, at) => {
    if (toggles.has(arg)) return [`${arg}=${isValue(args[at + 1]) ? args[at + 1] : "1"}`];
    return isValue(arg) && toggles.has(args[at - 1] ?? "") ? [] : [arg];
  });
}

/** Returns the help lines for variables that have no flag. */
export function secretVariables(): string[] {
  return variables.filter(([, { secret }]) => secret).map(([name, { description }]) => `  ${name.padEnd(24)} ${description}`);
}

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
function environmentOf(options: CommandOptions, environment: NodeJS.ProcessEnv): Environment {
  const env: Record<string, string | undefined> = { ...environment };
  for (const [name, { secret }] of variables) {
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

/**
 * Reads a command's configuration from flags and environment variables. With --sandbox, it starts a sandbox and takes the connection settings from it. A
 * misspelt variable is rejected either way.
 */
export async function openRuntime<Config>(
  options: CommandOptions,
  environment: NodeJS.ProcessEnv,
  read: (env: Environment) => Config,
  sandboxOptions: SandboxOptions = {},
): Promise<Runtime<Config>> {
  const env = environmentOf(options, environment);
  const unknown = unknownFleetVariables(env, environmentVariables);
  const notices = unknown.length === 0 ? [] : [`ignored unknown variables: ${unknown.join(", ")}`];
  if (!options.sandbox) return { config: configured(env, read), notices, close: async () => {} };
  const settings = Object.fromEntries(Object.entries(env).filter(([name]) => !connectionVariables.includes(name)));
  const { createSandbox } = await import("@fleetwire/sandbox");
  const sandbox = createSandbox(sandboxOptions);
  const { env: connection } = await sandbox.listen();
  const close = () => sandbox.close();
  try {
    const config = { ...read({ ...connection, ...settings }), sandbox: true };
    return { config, notices: [sandboxNotice(connectionVariables.filter((name) => env[name]?.trim())), ...notices], close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Describes a configuration error on one line. */
export function configurationProblem(error: unknown): string {
  if (error instanceof FleetError) return `${error.message}${error.advice === undefined ? "" : `. ${error.advice}`}`;
  return error instanceof Error ? error.message : String(error);
}
