import { readFileSync } from "node:fs";
import {
  clientVariables,
  type Environment,
  type FleetConfig,
  FleetError,
  type OperationName,
  operations,
  readVariables,
  type VariableTable,
} from "@fleetwire/core";
import { commandSettings, fleetConfigOf, serverVariables, variableLines, withAdvice } from "@fleetwire/core/internal";
import { createSandbox } from "@fleetwire/sandbox";
import { type Command, InvalidArgumentError } from "commander";
import * as z from "zod";
import { SANDBOX_TIME } from "../provider/provider-sandbox.ts";
import { printError, say, VERSION } from "./output.ts";

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

/** The configured servers, without credentials, of which none is required. */
export function serversFromEnv(): FleetConfig["servers"] {
  const variables = Object.fromEntries(
    Object.values(serverVariables).map((name) => {
      const { schema, description } = clientVariables[name];
      return [name, { schema, description }];
    }),
  );
  const values = inOneLine(() => readVariables(process.env, variables, Object.keys(contractVariables)));
  return Object.fromEntries(Object.entries(serverVariables).map(([server, name]) => [server, values[name]]));
}

/** Client options, and the key for the pseudonyms of recordings. */
type DeploymentConfig = FleetConfig & { sealKey: string | undefined };

function configOf(env: Environment): DeploymentConfig {
  const values = readVariables(env, contractVariables);
  return { ...fleetConfigOf(values), userAgent: `fleetwire-contract/${VERSION}`, sealKey: values.FLEET_SEAL_KEY };
}

/** Rejects an invalid configuration in one line. */
function inOneLine<Result>(read: () => Result, advice = ""): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FleetError)) throw error;
    throw new Error(`${withAdvice(error)}${advice}`);
  }
}

async function open({ sandbox: isSandbox = false, faults }: ConnectionOptions) {
  if (faults !== undefined && !isSandbox) throw new Error("--faults needs --sandbox: faults cannot be injected into a real deployment");
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
  const { config, notices, close } = await open(options);
  for (const notice of notices) printError(notice);
  const interruption = new AbortController();
  const interrupt = () => interruption.abort(new Error("interrupted"));
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    return await run({ config, signal: interruption.signal, now: options.sandbox ? () => SANDBOX_TIME : Date.now });
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
    await close();
  }
}

export const progress = (step: { name: string }, at: number, of: number) => say(`${at}/${of} ${step.name} ...`);

/** A parser of whole numbers in a range. */
export const wholeNumber = (min: number, max: number) => (text: string) => {
  const number = Number(text);
  if (!/^\d{1,9}$/.test(text) || number < min || number > max)
    throw new InvalidArgumentError(`Must be a whole number from ${min} to ${max}.`);
  return number;
};

function parseRate(text: string): number {
  const rate = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || rate < 0.01 || rate > 1000) throw new InvalidArgumentError("Must be a number from 0.01 to 1000.");
  return rate;
}

/** A parser of comma-separated names. */
export const namesOf =
  <Name extends string>(what: string, known: readonly Name[]) =>
  (text: string): Name[] => {
    const names = text.split(",").map((name) => name.trim());
    const unknown = names.find((name) => !(known as readonly string[]).includes(name));
    if (unknown !== undefined) throw new InvalidArgumentError(`Unknown ${what} ${unknown}. Known: ${known.join(", ")}.`);
    return names as Name[];
  };

const parseOperations = namesOf("operation", Object.keys(operations) as OperationName[]);

/** What a run is to call, and how often. */
export interface RunOptions extends ConnectionOptions {
  only?: OperationName[];
  except?: OperationName[];
  maxRequests?: number;
  rate?: number;
  allowWrites?: boolean;
  json?: boolean;
}

/** Adds the flags of a run. */
export const withRun = (command: Command, verb: string, writes: string, maxRequests?: number): Command =>
  command
    .option("--only <operations>", `comma-separated operations to ${verb}`, parseOperations)
    .option("--except <operations>", `comma-separated operations not to ${verb}`, parseOperations)
    .option("--max-requests <number>", "maximum requests to send, including those for tokens", wholeNumber(1, 999_999), maxRequests)
    .option("--rate <number>", "maximum requests per second", parseRate)
    .option("--allow-writes", writes)
    .option("--json", "print the report as JSON");

/** What the flags of a run allow. */
export const limitsOf = ({ only, except, maxRequests, rate }: RunOptions) => ({
  selects: (name: OperationName) => (only?.includes(name) ?? true) && !except?.includes(name),
  maxRequests,
  perSecond: rate,
});
