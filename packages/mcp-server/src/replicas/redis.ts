import type { WriteStore } from "@fleetwire/tools";
import { createClient } from "@redis/client";
import { settlesWithin } from "../limits.ts";
import type { ServerLog } from "../log.ts";

/** Timeout of a command in milliseconds. Short, because callers are waiting. */
const COMMAND_MS = 1_000;
const CONNECT_MS = 2_000;
const MAX_RECONNECT_MS = 2_000;
const PING_MS = 1_000;
/** Far more keys than there are callers. */
const MAX_WAITING = 10_000;

const PREFIX = "fleetwire:";

/** The commands that replicas use to share state. Each fails if Redis is gone or slow, rather than waiting for it to come back. */
export interface Redis extends WriteStore {
  set(key: string, value: string, ttl: number): Promise<void>;
  /** Increments a counter that starts at 0 and expires `ttl` milliseconds after its start. Returns its value, and the milliseconds left. */
  count(key: string, ttl: number): Promise<{ count: number; left: number }>;
  isReady(): boolean;
  close(): Promise<void>;
}

const EXTEND = 'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pexpire", KEYS[1], ARGV[2]) end return 0';
const REMOVE = 'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0';

async function inTime<Value>(command: Promise<Value>): Promise<Value> {
  if (!(await settlesWithin(COMMAND_MS, command))) throw new Error("Redis is slow");
  return command;
}

/** Connects to Redis or Valkey, in the background and again whenever the connection breaks. */
export function connectRedis(url: string, log: ServerLog): Redis {
  const client = createClient({
    url,
    name: "fleetwire-mcp",
    keyPrefix: PREFIX,
    disableOfflineQueue: true,
    commandsQueueMaxLength: MAX_WAITING,
    pingInterval: PING_MS,
    maintNotifications: "disabled",
    socket: {
      connectTimeout: CONNECT_MS,
      socketTimeout: 4 * PING_MS,
      // By default, the client gives up on a connection that has timed out.
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, MAX_RECONNECT_MS),
    },
  });
  let reported: boolean | undefined;
  const report = (isUp: boolean, error?: Error & { code?: string }) => {
    if (reported === isUp) return;
    reported = isUp;
    // Its message may contain the address.
    if (isUp) log.info({}, "redis connected");
    else log.error({ error: error?.code ?? error?.name }, "redis unreachable: writes are rejected");
  };
  client.on("ready", () => report(true));
  client.on("error", (error: Error) => report(false, error));
  // Rejects only if the client is closed first.
  client.connect().catch(() => {});

  return {
    get: async (key) => (await inTime(client.get(key))) ?? undefined,
    set: async (key, value, ttl) => void (await inTime(client.set(key, value, { expiration: { type: "PX", value: ttl } }))),
    add: async (key, value, ttl) =>
      (await inTime(client.set(key, value, { condition: "NX", expiration: { type: "PX", value: ttl } }))) !== null,
    extend: async (key, value, ttl) => (await inTime(client.eval(EXTEND, { keys: [key], arguments: [value, String(ttl)] }))) === 1,
    remove: async (key, value) => void (await inTime(client.eval(REMOVE, { keys: [key], arguments: [value] }))),
    count: async (key, ttl) => {
      const start = { condition: "NX", expiration: { type: "PX", value: ttl } } as const;
      const [, count, left] = await inTime(client.multi().set(key, "0", start).incr(key).pTTL(key).execTyped());
      return { count, left };
    },
    isReady: () => client.isReady,
    close: async () => client.destroy(),
  };
}
