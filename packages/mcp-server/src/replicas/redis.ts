import type { WriteStore } from "@fleetwire/tools";
import { createClient, ErrorReply } from "@redis/client";
import { settlesWithin } from "../limits.ts";
import type { ServerLog } from "../log.ts";

/** Timeout of a command in milliseconds. Short, because callers are waiting. */
const COMMAND_MS = 1_000;
const CONNECT_MS = 2_000;
const MAX_RECONNECT_MS = 2_000;
const PROBE_MS = 1_000;
/** A slower reply to a probe counts as a failure: a write takes about six commands, and waits for its store for three seconds in all. */
const SLOW_MS = 500;
/** A connection without a reply for so long is replaced. */
const GIVE_UP_MS = 4_000;
/** Far more keys than there are callers. */
const MAX_WAITING = 10_000;

/** How many fields of a hash are read at once. */
const FIELDS = 1_000;

const PREFIX = "fleetwire:";

/** The commands that replicas use to share state. Each fails if Redis is gone or slow, rather than waiting for it to come back. */
export interface Redis extends WriteStore {
  set(key: string, value: string, ttl: number): Promise<void>;
  /** Increments a counter that starts at 0 and expires `ttl` milliseconds after its start. Returns its value, and the milliseconds left. */
  count(key: string, ttl: number): Promise<{ count: number; left: number }>;
  /** Whether it accepts writes, as of a moment ago. */
  isReady(): boolean;
  close(): Promise<void>;
}

/** The commands for a hash that only one process may write. */
interface RedisHashes {
  /** Runs a script on one key. */
  script(text: string, key: string, args: readonly string[], milliseconds: number): Promise<unknown>;
  /** The fields of a hash and their values, in parts. */
  fields(key: string): AsyncIterable<readonly { field: string; value: string }[]>;
}

const READ = 'local value = redis.pcall("get", KEYS[1]) if type(value) == "table" then value = "" end';
const EXTEND = `${READ} if value == ARGV[1] then return redis.call("pexpire", KEYS[1], ARGV[2]) end return 0`;
const REMOVE = `${READ} if value == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`;

const isReply = (error: unknown, code: string) => error instanceof ErrorReply && error.message.startsWith(`${code} `);

/** Names an error without its message, which may contain the address. */
export function nameOf(error: Error & { code?: string }): string {
  return (error instanceof ErrorReply && /^[A-Z]+(?= )/.exec(error.message)?.[0]) || (error.code ?? error.constructor.name);
}

async function inTime<Value>(command: Promise<Value>, milliseconds = COMMAND_MS): Promise<Value> {
  if (!(await settlesWithin(milliseconds, command))) throw Object.assign(new Error("Redis is slow"), { code: "SLOW" });
  return command;
}

/** Connects to Redis or Valkey, in the background and again whenever the connection breaks. */
export function connectRedis(url: string, log: ServerLog): Redis & RedisHashes {
  const client = createClient({
    url,
    name: "fleetwire-mcp",
    keyPrefix: PREFIX,
    disableOfflineQueue: true,
    commandsQueueMaxLength: MAX_WAITING,
    maintNotifications: "disabled",
    socket: {
      connectTimeout: CONNECT_MS,
      socketTimeout: GIVE_UP_MS,
      // By default, the client gives up on a connection that has timed out.
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, MAX_RECONNECT_MS),
    },
  });
  let reported: boolean | undefined;
  const report = (error?: Error) => {
    const isUp = error === undefined;
    if (reported === isUp) return;
    reported = isUp;
    if (isUp) log.info({}, "redis accepts writes");
    else log.error({ error: nameOf(error) }, "redis accepts no writes: they are rejected");
  };
  let isClosed = false;
  // Rejects only if the client is closed first.
  const connect = () => void (isClosed || client.connect().catch(() => {}));
  let reconnectedAt = Number.NEGATIVE_INFINITY;
  const reconnect = () => {
    if (performance.now() - reconnectedAt < PROBE_MS) return;
    reconnectedAt = performance.now();
    client.destroy();
    connect();
  };

  function failed(error: Error): void {
    // Without a connection, its own error has been reported.
    if (!client.isReady) return;
    report(error);
    // After a failover, another server has the address.
    if (isReply(error, "READONLY")) reconnect();
  }

  async function run<Value>(command: Promise<Value>, milliseconds?: number): Promise<Value> {
    return inTime(command, milliseconds).catch((error: Error) => {
      failed(error);
      throw error;
    });
  }

  let isProbing = false;
  const probe = async () => {
    if (isProbing || !client.isReady) return;
    isProbing = true;
    // A write that changes nothing, since the key does not exist.
    const reply = client.set("probe", "", { condition: "XX" });
    await inTime(reply, SLOW_MS).then(() => report(), failed);
    const settled = reply.catch(() => {});
    if (!(await settlesWithin(GIVE_UP_MS, settled))) reconnect();
    isProbing = false;
  };
  const probing = setInterval(probe, PROBE_MS).unref();
  client.on("ready", probe);
  client.on("error", report);
  connect();

  return {
    get: async (key) => {
      const value = await inTime(client.get(key)).catch((error: Error) => {
        // Another type of value, which no replica has stored.
        if (isReply(error, "WRONGTYPE")) return "";
        failed(error);
        throw error;
      });
      return value ?? undefined;
    },
    set: async (key, value, ttl) => void (await run(client.set(key, value, { expiration: { type: "PX", value: ttl } }))),
    add: async (key, value, ttl) =>
      (await run(client.set(key, value, { condition: "NX", expiration: { type: "PX", value: ttl } }))) !== null,
    extend: async (key, value, ttl) => (await run(client.eval(EXTEND, { keys: [key], arguments: [value, String(ttl)] }))) === 1,
    remove: async (key, value) => void (await run(client.eval(REMOVE, { keys: [key], arguments: [value] }))),
    count: async (key, ttl) => {
      const start = { condition: "NX", expiration: { type: "PX", value: ttl } } as const;
      const [, count, left] = await run(client.multi().set(key, "0", start).incr(key).pTTL(key).execTyped());
      return { count, left };
    },
    script: (text, key, args, milliseconds) => run(client.eval(text, { keys: [key], arguments: [...args] }), milliseconds),
    fields: (key) => client.hScanIterator(key, { COUNT: FIELDS }),
    isReady: () => client.isReady && reported === true,
    close: async () => {
      isClosed = true;
      clearInterval(probing);
      client.destroy();
    },
  };
}
