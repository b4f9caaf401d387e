import { readFileSync } from "node:fs";
import {
  clientVariables,
  type Environment,
  type EnvironmentVariable,
  type FleetConfig,
  FleetError,
  readVariables,
  unknownFleetVariables,
  type VariableTable,
} from "@fleetwire/core";
import { fleetConfigOf, serverVariables, withAdvice, withFileContents } from "@fleetwire/core/internal";
import { createSandbox } from "@fleetwire/sandbox";
import { type Command, Option } from "commander";
import * as z from "zod";
import { SANDBOX_TIME } from "../provider/provider-sandbox.ts";
import { CouldNotRun, say } from "./print.ts";

export interface ConnectionOptions {
  sandbox?: boolean;
  faults?: string;
  [flag: string]: unknown;
}

function isKey(text: string): boolean {
  try {
    return atob(text).length >= 32;
  } catch {
    return false;
  }
}

/** The variables that the command reads. */
const contractVariables = {
  ...clientVariables,
  FLEET_SEAL_KEY: {
    schema: z.string().refine(isKey, "must be at least 32 bytes in base64"),
    secret: true,
    description: "key for the pseudonyms of recordings (random by default)",
  },
} satisfies VariableTable;

const connectionVariables = Object.entries<EnvironmentVariable>(clientVariables).filter(([, { connection }]) => connection);

/** The flags of the connection and its timeout, by variable. Secrets have none: other users of the machine can see command lines. */
const connectionFlags = new Map(
  Object.entries<EnvironmentVariable>(clientVariables)
    .filter(([name, { connection }]) => connection || name === "FLEET_TIMEOUT")
    .filter(([, { secret }]) => !secret)
    .map(([name, { description }]) => {
      const flag = name.replace("FLEET_", "").toLowerCase().replaceAll("_", "-");
      return [name, new Option(`--${flag} <value>`, `${description} [${name}]`)];
    }),
);

/** Adds the connection flags, which are those of `fleetwire-mcp`. */
export function withConnection(command: Command): Command {
  command.addOption(new Option("--sandbox", "use the embedded sandbox; needs no configuration"));
  command.addOption(new Option("--faults <faults>", "faults to inject into the embedded sandbox, to see a broken deployment"));
  for (const option of connectionFlags.values()) command.addOption(option);
  return command;
}

/** The variables that say where a deployment's servers are; none is required, and none is a secret. */
const addressVariables = Object.fromEntries(
  Object.values(serverVariables).map((name) => {
    const { schema, description } = clientVariables[name];
    return [name, { schema, description }];
  }),
);

/** Adds the flags that say where a deployment's servers are. */
export function withAddresses(command: Command): Command {
  for (const [name, option] of connectionFlags) if (name in addressVariables) command.addOption(option);
  return command;
}

/** The configured servers, without credentials. */
export function addressesFrom(options: ConnectionOptions): FleetConfig["servers"] {
  const values = inOneLine(() => readVariables(environmentOf(options), addressVariables, Object.keys(contractVariables)));
  return Object.fromEntries(Object.entries(serverVariables).map(([server, name]) => [server, values[name]]));
}

/** Client options, and the key for the pseudonyms of recordings. */
type DeploymentConfig = FleetConfig & { sealKey: string | undefined };

function deploymentConfigFromEnv(env: Environment): DeploymentConfig {
  const values = readVariables(
    withFileContents(env, contractVariables, (path) => readFileSync(path, "utf8")),
    contractVariables,
  );
  return { ...fleetConfigOf(values), sealKey: values.FLEET_SEAL_KEY };
}

/** The environment with flags merged in; they override variables. */
function environmentOf(options: ConnectionOptions): Environment {
  const env: Record<string, string | undefined> = { ...process.env };
  for (const [name, option] of connectionFlags) {
    const flag = options[option.attributeName()];
    // A script's --base-url=$X with X unset must not override the variable.
    if (flag === "") throw new CouldNotRun(`configuration: ${option.long} is empty. Set a value or omit the flag`);
    if (flag !== undefined) env[name] = String(flag);
  }
  return env;
}

/** Rejects an invalid configuration in one line. */
function inOneLine<Result>(read: () => Result, advice = ""): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FleetError)) throw error;
    throw new CouldNotRun(`${withAdvice(error)}${advice}`);
  }
}

const noticeOf = (text: string, names: readonly string[]) => (names.length === 0 ? [] : [`${text}: ${names.join(", ")}`]);

interface Deployment {
  config: DeploymentConfig;
  notices: readonly string[];
  close: () => Promise<void>;
}

async function open({ sandbox: isSandbox, ...options }: ConnectionOptions, faults: string | undefined): Promise<Deployment> {
  const env = environmentOf(options);
  const notices = noticeOf("ignored variables", unknownFleetVariables(env, contractVariables));
  if (!isSandbox) {
    const advice = "; see --help, or try --sandbox, which needs no configuration";
    const config = inOneLine(() => deploymentConfigFromEnv(env), advice);
    return { config, notices, close: async () => {} };
  }
  const names = connectionVariables.map(([name]) => name);
  const replaced = names.filter((name) => env[name]?.trim());
  const notice = ["sandbox: every vehicle, person and position is made up", ...noticeOf("ignored", replaced)].join("; ");
  const sandbox = createSandbox({ clock: () => SANDBOX_TIME, ...(faults !== undefined && { faults }) });
  const { env: connection } = await sandbox.listen();
  const close = () => sandbox.close();
  try {
    const settings = Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
    return { config: inOneLine(() => deploymentConfigFromEnv({ ...connection, ...settings })), notices: [notice, ...notices], close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Runs a function against the configured deployment. An interrupt ends it before anything is written. */
export async function withDeployment<Result>(
  { faults, ...options }: ConnectionOptions,
  run: (deployment: { config: DeploymentConfig; signal: AbortSignal; now: () => number }) => Promise<Result>,
): Promise<Result> {
  if (faults !== undefined && !options.sandbox)
    throw new CouldNotRun("--faults needs --sandbox: faults cannot be injected into a real deployment");
  const { config, notices, close } = await open(options, faults);
  for (const notice of notices) say(`fleetwire-contract: ${notice}`);
  const interruption = new AbortController();
  const interrupt = () => interruption.abort(new CouldNotRun("interrupted"));
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    return await run({ config, signal: interruption.signal, now: options.sandbox ? () => SANDBOX_TIME : Date.now });
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
    await close();
  }
}

export const progress = (step: { name: string }, at: number, of: number) => say(`${at}/${of} ${step.name} ...`);
