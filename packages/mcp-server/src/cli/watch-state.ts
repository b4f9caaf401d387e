import { FleetError } from "@fleetwire/core";
import { withPackage } from "../optional-package.ts";
import { type Receiver, stateInMemory, type WatchState } from "../watch/state-store.ts";
import type { WatchConfig } from "../watch/watch-variables.ts";
import { notify } from "./print.ts";
import { REDIS_CLIENT, sharedRedis } from "./shared-redis.ts";

const NAME = /^[\w.-]{1,64}$/;

/** The name in `redis` or `redis:NAME`; undefined if the text is a file. */
function redisName(text: string): string | undefined {
  const found = /^redis(?::(.*))?$/s.exec(text);
  if (!found) return undefined;
  const [, name = "default"] = found;
  if (NAME.test(name)) return name;
  throw new FleetError(
    "config",
    "--state redis: a name such as redis:north has at most 64 letters, digits, dots, hyphens and underscores",
    {
      advice: "The address of Redis belongs in FLEET_REDIS_URL",
    },
  );
}

/** Where `--state` says that the state is kept; without it, nowhere. */
export async function stateOf(text: string | undefined, config: WatchConfig, receivers: readonly Receiver[]): Promise<WatchState> {
  if (text === undefined) return { open: async () => stateInMemory(receivers), close: async () => {} };
  const name = redisName(text);
  if (name === undefined) {
    const { openStore } = await import("../watch/sqlite-store.ts");
    return { open: () => openStore(text, receivers), close: async () => {} };
  }
  const redis = sharedRedis(config.redisUrl, config.sealKey);
  if (!redis) throw new FleetError("config", "--state redis needs FLEET_REDIS_URL", { advice: "Set it to the address of Redis or Valkey" });
  const { redisState } = await withPackage(REDIS_CLIENT, () => import("../watch/redis-state.ts"));
  return redisState({ ...redis, name, customerId: config.customerId, receivers, notify });
}
