import { clientVariables, type Environment, type FleetConfig, readVariables } from "@fleetwire/core";
import { fleetConfigOf } from "@fleetwire/core/internal";
import { configurationProblem, environmentOptions, environmentVariables, openRuntime } from "@fleetwire/mcp-server/environment";
import { type FleetToolsConfig, toolVariables } from "@fleetwire/tools";
import { type Command, Option } from "commander";
import { SANDBOX_TIME } from "../provider/provider-sandbox.ts";
import { CouldNotRun } from "./exit-codes.ts";
import { say } from "./print.ts";

export interface ConnectionOptions {
  sandbox?: boolean;
  faults?: string;
  [flag: string]: unknown;
}

/** Adds the connection flags of `fleetwire-mcp`. */
export function withConnection(command: Command): Command {
  command.addOption(new Option("--sandbox", "use the embedded sandbox; needs no configuration"));
  command.addOption(new Option("--faults <faults>", "faults to inject into the embedded sandbox, to see a broken deployment"));
  for (const option of environmentOptions({ connectionOnly: true })) command.addOption(option);
  return command;
}

/** Client options, and the key for the pseudonyms of recordings. */
export type DeploymentConfig = FleetConfig & Pick<FleetToolsConfig, "sealKey">;

function deploymentConfigFromEnv(env: Environment): DeploymentConfig {
  const table = { ...clientVariables, FLEET_SEAL_KEY: toolVariables.FLEET_SEAL_KEY };
  const values = readVariables(env, table, Object.keys(environmentVariables));
  return { ...fleetConfigOf(values), sealKey: values.FLEET_SEAL_KEY };
}

/** Runs a function against the configured deployment. An interrupt ends it before anything is written. */
export async function withDeployment<Result>(
  { faults, ...options }: ConnectionOptions,
  run: (deployment: { config: DeploymentConfig; signal: AbortSignal; now: () => number }) => Promise<Result>,
): Promise<Result> {
  if (faults !== undefined && !options.sandbox)
    throw new CouldNotRun("--faults needs --sandbox: faults cannot be injected into a real deployment");
  const clock = options.sandbox ? () => SANDBOX_TIME : Date.now;
  const runtime = await openRuntime(options as Parameters<typeof openRuntime>[0], process.env, deploymentConfigFromEnv, {
    clock,
    ...(faults !== undefined && { faults }),
  }).catch((error: unknown) => {
    throw new CouldNotRun(configurationProblem(error));
  });
  for (const notice of runtime.notices) say(`fleetwire-contract: ${notice}`);
  const interruption = new AbortController();
  const interrupt = () => interruption.abort(new CouldNotRun("interrupted"));
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    return await run({ config: runtime.config, signal: interruption.signal, now: clock });
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
    await runtime.close();
  }
}

export const progress = (step: { name: string }, at: number, of: number) => say(`${at}/${of} ${step.name} ...`);
