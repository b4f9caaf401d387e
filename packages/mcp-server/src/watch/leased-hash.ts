import type { RedisHashes } from "../replicas/redis.ts";

/** How long a process that no longer responds keeps others waiting, in milliseconds. */
const LEASE = 6_000;
/** Timeout of a command in milliseconds: nobody waits for it, and what is saved may be large. */
const TIMEOUT = 10_000;

/**
 * Makes a token the owner, unless another one holds the lease. ARGV: the token, the one that the same process had before, the lease. The time is that
 * of Redis, since machines differ; if it has been set back, a lease that seems longer than any has ended.
 */
const TAKE = `
local time = redis.call("time")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local held = redis.call("hmget", KEYS[1], "owner", "until")
local left = (tonumber(held[2] or 0) or 0) - now
if held[1] ~= ARGV[2] and left > 0 and left <= tonumber(ARGV[3]) then return 0 end
redis.call("hset", KEYS[1], "owner", ARGV[1], "until", string.format("%.0f", now + ARGV[3]))
return 1`;

/**
 * Renews the lease and changes fields, unless another process has become the owner since, even if this one does not know yet. ARGV: the token, the
 * lease, then parts of the change, since a command may have only so many arguments.
 */
const WRITE = `
if redis.call("hget", KEYS[1], "owner") ~= ARGV[1] then return 0 end
local time = redis.call("time")
redis.call("hset", KEYS[1], "until", string.format("%.0f", time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[2]))
for at = 3, #ARGV do
  local part = cjson.decode(ARGV[at])
  if #part.set > 0 then redis.call("hset", KEYS[1], unpack(part.set)) end
  if #part.remove > 0 then redis.call("hdel", KEYS[1], unpack(part.remove)) end
end
return 1`;

const GET = 'return redis.call("hget", KEYS[1], ARGV[1])';

const LEASE_FIELDS: ReadonlySet<string> = new Set(["owner", "until"]);

/** A part of a change of at most about 1,000 fields: fields to set, each followed by its value, and fields to remove. */
export const changePart = (set: readonly string[], remove: readonly string[]): string => JSON.stringify({ set, remove });

/** The time in which a process may write. It has a token of its own, so that nothing is written after it, not even by the same process. */
export interface Turn {
  /** Makes the whole change or, if another process may write by now, nothing of it: then returns false. */
  write: (parts: readonly string[]) => Promise<boolean>;
  /** Lets another process take over at once. */
  end: () => Promise<void>;
}

/** A hash in Redis that one process at a time may write. */
export class LeasedHash {
  readonly #redis: RedisHashes;
  readonly #key: string;
  #token = "";

  constructor(redis: RedisHashes, key: string) {
    this.#redis = redis;
    this.#key = key;
  }

  /** Returns undefined while another process may write. `onLost` is called if another one may later on. */
  async take(onLost: () => void): Promise<Turn | undefined> {
    const token = crypto.randomUUID();
    if ((await this.#script(TAKE, token, this.#token, String(LEASE))) !== 1) return undefined;
    this.#token = token;
    const write = async (parts: readonly string[], lease = LEASE) => (await this.#script(WRITE, token, String(lease), ...parts)) === 1;
    const renew = async () => {
      if (await write([])) return;
      clearInterval(renewing);
      onLost();
    };
    // While Redis fails, nobody else can take the lease either.
    const renewing = setInterval(() => void renew().catch(() => {}), LEASE / 3).unref();
    return {
      write: (parts) => write(parts),
      end: async () => {
        clearInterval(renewing);
        await write([], 0);
      },
    };
  }

  /** Reads a field; undefined if there is none. */
  async field(name: string): Promise<string | undefined> {
    const value = await this.#script(GET, name);
    return value === null ? undefined : String(value);
  }

  /** Reads all fields except those of the lease, in parts. */
  async *fields(): AsyncGenerator<readonly { field: string; value: string }[]> {
    for await (const part of this.#redis.fields(this.#key)) yield part.filter(({ field }) => !LEASE_FIELDS.has(field));
  }

  #script(text: string, ...args: string[]): Promise<unknown> {
    return this.#redis.script(text, this.#key, args, TIMEOUT);
  }
}
