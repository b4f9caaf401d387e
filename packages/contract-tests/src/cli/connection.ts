import { readFileSync } from "node:fs";
import { clientVariables, type Environment, type FleetConfig, FleetError, readVariables, type VariableTable } from "@fleetwire/core";
import { commandSettings, fleetConfigOf, serverVariables, variableLines, withAdvice } from "@fleetwire/core/internal";
import { createSandbox } from "@fleetwire/sandbox";
import type { Command } from "commander";
import * as z from "zod";
import { SANDBOX_TIME } from "../provider/provider-sandbox.ts";
import { CouldNotRun, say } from "./print.ts";

export interface ConnectionOptions {
  sandbox?: boolean;
  faults?: string;
}

function isKey(text: string): boolean {
  try {
    return atob(text).length >= 32;
  } catch {
    return false;
  }
}

/** The variables that the command reads. */
export const contractVariables = {
  ...clientVariables,
  FLEET_SEAL_KEY: {
    schema: z.string().refine(isKey, "must be at least 32 bytes in base64"),
    secret: true,
    description: "key for the pseudonyms of recordings (random by default)",
  },
} satisfies VariableTable;

/** Adds the flags of the connection; its settings are variables, which are those of `fleetwire-mcp`. */
export const withConnection = (command: Command): Command =>
  command
    .option("--sandbox", "use the embedded sandbox; needs no configuration")
    .option("--faults <faults>", "faults to inject into the embedded sandbox, to see a broken deployment")
    .addHelpText("after", `\nVariables:\n${variableLines(contractVariables)}`);

/** The variables that say where a deployment's servers are; none is required, and none is a secret. */
const addressVariables = Object.fromEntries(
  Object.values(serverVariables).map((name) => {
    const { schema, description } = clientVariables[name];
    return [name, { schema, description }];
  }),
);

/** The configured servers, without credentials. */
export function configuredServers(): FleetConfig["servers"] {
  const values = inOneLine(() => readVariables(process.env, addressVariables, Object.keys(contractVariables)));
  return Object.fromEntries(Object.entries(serverVariables).map(([server, name]) => [server, values[name]]));
}

/** Client options, and the key for the pseudonyms of recordings. */
type DeploymentConfig = FleetConfig & { sealKey: string | undefined };

function configOf(env: Environment): DeploymentConfig {
  const values = readVariables(env, contractVariables);
  return { ...fleetConfigOf(values), sealKey: values.FLEET_SEAL_KEY };
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

async function open({ sandbox: isSandbox = false, faults }: ConnectionOptions) {
  const settings = { table: contractVariables, sandbox: isSandbox, readFile: (path: string) => readFileSync(path, "utf8") };
  const read = () => commandSettings(process.env, settings);
  if (!isSandbox) {
    const suggestion = "; see --help, or try --sandbox, which needs no configuration";
    const { config, notices } = inOneLine(() => {
      const { env, notices } = read();
      return { config: configOf(env), notices };
    }, suggestion);
    return { config, notices, close: async () => {} };
  }
  const { env, notices } = inOneLine(read);
  const sandbox = createSandbox({ clock: () => SANDBOX_TIME, ...(faults !== undefined && { faults }) });
  // Before it listens: an invalid setting leaves nothing open.
  inOneLine(() => configOf({ ...sandbox.env, ...env }));
  const { env: connection } = await sandbox.listen();
  return { config: configOf({ ...connection, ...env }), notices, close: () => sandbox.close() };
}

/** Runs a function against the configured deployment. An interrupt ends it before anything is written. */
export async function withDeployment<Result>(
  options: ConnectionOptions,
  run: (deployment: { config: DeploymentConfig; signal: AbortSignal; now: () => number }) => Promise<Result>,
): Promise<Result> {
  if (options.faults !== undefined && !options.sandbox)
    throw new CouldNotRun("--faults needs --sandbox: faults cannot be injected into a real deployment");
  const { config, notices, close } = await open(options);
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
