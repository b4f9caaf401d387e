import { type Environment, type EnvironmentVariable, readVariables, type VariableTable } from "@fleetwire/core";
import { Option } from "commander";
import * as z from "zod";
import { httpVariables, knownVariables } from "../http/http-variables.ts";
import { environmentVariables, type ServerConfig, serverConfigOf } from "../server-config.ts";
import { stemOf, variables } from "./runtime.ts";

export { environmentVariables, httpVariables, knownVariables };

const ownWatchVariables = {
  FLEET_WEBHOOK_SECRET: {
    schema: z.string(),
    secret: true,
    description: "the secret that signs webhooks, such as whsec_ and 24 to 64 bytes in base64",
  },
  FLEET_REDIS_URL: httpVariables.FLEET_REDIS_URL,
} satisfies VariableTable;

/** All variables that `fleetwire-mcp watch` reads. */
export const watchVariables: typeof environmentVariables & typeof ownWatchVariables = { ...environmentVariables, ...ownWatchVariables };

/** Its own, and those of a server that is started with the same file of variables. */
export const variablesBesideServer: VariableTable = { ...knownVariables, ...watchVariables };

export interface WatchConfig extends ServerConfig {
  webhookSecret: string | undefined;
  redisUrl: string | undefined;
}

export function watchConfigFromEnv(env: Environment): WatchConfig {
  const values = readVariables(env, watchVariables, Object.keys(variablesBesideServer));
  return { ...serverConfigOf(values), webhookSecret: values.FLEET_WEBHOOK_SECRET, redisUrl: values.FLEET_REDIS_URL };
}

const optionOf = (name: string, { description, toggle }: EnvironmentVariable) =>
  new Option(`--${stemOf(name)} ${toggle ? "[0|1]" : "<value>"}`, `${description} [${name}]`);

/** The flags of the variables in a table. Secrets have none: other users of the machine can see command lines. */
export const optionsOf = (table: VariableTable): Option[] =>
  Object.entries(table).flatMap(([name, variable]) => (variable.secret ? [] : [optionOf(name, variable)]));

/** Rewrites each toggle as `--flag=value`, the only form in which commander cannot mistake the next argument for its value. */
export function withToggleValues(args: readonly string[]): string[] {
  const toggles = new Set<string | undefined>(variables.flatMap(([name, { toggle }]) => (toggle ? [`--${stemOf(name)}`] : [])));
  const isValue = (arg: string | undefined) => arg === "0" || arg === "1";
  return args.flatMap((arg, at) => {
    if (toggles.has(arg)) return [`${arg}=${isValue(args[at + 1]) ? args[at + 1] : "1"}`];
    return isValue(arg) && toggles.has(args[at - 1]) ? [] : [arg];
  });
}

/** Returns the help lines for variables that have no flag. */
export function secretVariables(table: VariableTable): string[] {
  return Object.entries(table)
    .filter(([, { secret }]) => secret)
    .map(([name, { description }]) => `  ${name.padEnd(24)} ${description}`);
}
