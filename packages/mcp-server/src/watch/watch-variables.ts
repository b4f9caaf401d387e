import { type Environment, readVariables, type VariableTable } from "@fleetwire/core";
import * as z from "zod";
import { httpVariables, knownVariables } from "../http/http-variables.ts";
import { environmentVariables, type ServerConfig, serverConfigOf } from "../server-config.ts";

export { environmentVariables, httpVariables, knownVariables };

const { FLEET_REDIS_URL } = httpVariables;

const ownVariables = {
  FLEET_WEBHOOK_SECRET: {
    schema: z.string(),
    secret: true,
    description: "the secret that signs webhooks, such as whsec_ and 24 to 64 bytes in base64",
  },
  FLEET_REDIS_URL,
} satisfies VariableTable;

/** All variables that `fleetwire-mcp watch` reads. */
export const watchVariables: typeof environmentVariables & typeof ownVariables = { ...environmentVariables, ...ownVariables };

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
