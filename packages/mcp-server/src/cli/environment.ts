import { type EnvironmentVariable, environmentVariables, type FleetConfig, FleetError, fleetConfigFromEnv } from "@fleetwire/core";
import type { SandboxOptions } from "@fleetwire/sandbox";
import { Option } from "commander";

interface Variable {
  description: string;
  secret?: true;
  connection?: true;
  toggle?: true;
}

const variables = Object.entries<Variable>(environmentVariables) as [EnvironmentVariable, Variable][];

const stemOf = (name: EnvironmentVariable) => name.slice("FLEET_".length).toLowerCase().replaceAll("_", "-");

/** A flag for each variable, or for those of the connection alone, but for secrets: a command line can be read by others on the machine. */
export function environmentOptions({ connectionOnly = false } = {}): Option[] {
  return variables
    .filter(([, { secret, connection }]) => !secret && (connection || !connectionOnly))
    .map(([name, { description, toggle }]) => new Option(`--${stemOf(name)}${toggle ? "" : " <value>"}`, `${description} [${name}]`));
}

/** The variables that have no flag, for the help text. */
export function secretVariables(): string[] {
  return variables.filter(([, { secret }]) => secret).map(([name, { description }]) => `  ${name.padEnd(24)} ${description}`);
}

export interface CommandOptions {
  sandbox?: boolean;
  [flag: string]: string | boolean | undefined;
}

export interface Runtime {
  config: FleetConfig;
  close: () => Promise<void>;
}

/** The configuration of a command: flags over environment; with --sandbox a sandbox is started, and what concerns the connection is its own. */
export async function openRuntime(
  options: CommandOptions,
  environment: NodeJS.ProcessEnv,
  sandboxOptions: SandboxOptions = {},
): Promise<Runtime> {
  const env: Record<string, string | undefined> = Object.fromEntries(
    Object.entries(environment).filter(([name]) => name.startsWith("FLEET_")),
  );
  for (const [name, { secret }] of variables) {
    const camel = stemOf(name).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    const flag = secret ? undefined : options[camel];
    if (flag !== undefined) env[name] = flag === true ? "1" : String(flag);
  }
  if (!options.sandbox) return { config: fleetConfigFromEnv(env), close: async () => {} };
  const settings = Object.fromEntries(
    variables.flatMap(([name, { connection }]) => (connection || env[name] === undefined ? [] : [[name, env[name]]])),
  );
  const { createSandbox } = await import("@fleetwire/sandbox");
  const sandbox = createSandbox(sandboxOptions);
  const { env: connection } = await sandbox.listen();
  const close = () => sandbox.close();
  try {
    return { config: fleetConfigFromEnv({ ...connection, ...settings }), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A configuration error on one line. */
export function configurationProblem(error: unknown): string {
  if (error instanceof FleetError) return `${error.message}${error.advice === undefined ? "" : `. ${error.advice}`}`;
  return error instanceof Error ? error.message : String(error);
}
