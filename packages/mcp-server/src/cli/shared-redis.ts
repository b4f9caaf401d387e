import { FleetError } from "@fleetwire/core";

export const REDIS_CLIENT = {
  name: "@redis/client",
  neededBy: "configuration: FLEET_REDIS_URL needs",
  advice: "Install it beside the server: npm install @fleetwire/mcp-server @redis/client@6",
};

/** The Redis through which replicas share state, and the key that encrypts it. */
export interface SharedRedis {
  url: string;
  sealKey: string;
}

export function sharedRedis(url: string | undefined, sealKey: string | undefined): SharedRedis | undefined {
  if (url === undefined) return undefined;
  if (sealKey !== undefined) return { url, sealKey };
  throw new FleetError("config", "configuration: FLEET_REDIS_URL needs FLEET_SEAL_KEY, the same for all replicas", {
    advice: "Create one with: openssl rand -base64 32",
  });
}
