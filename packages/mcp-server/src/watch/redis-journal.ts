import { setTimeout, setImmediate as slice } from "node:timers/promises";
import { FleetError } from "@fleetwire/core";
import { connectRedis, nameOf } from "../replicas/redis.ts";
import { encryptionFor } from "../replicas/shared-state.ts";
import type { Change, Journal, WatchState } from "./outbox.ts";

const VERSION = 1;
/** How long a process that no longer responds keeps others waiting, in milliseconds. */
const LEASE = 6_000;
/** Timeout of a command in milliseconds: nobody waits for it, and what is saved may be large. */
const TIMEOUT = 10_000;
/** How often a process that waits asks again, in milliseconds. */
const RETRY = 1_000;
/** How often it looks whether the first connection has been made or has failed, in milliseconds. */
const CONNECTING = 20;
/** Fields that are encrypted and written together, before other work may run. A command may have only so many arguments. */
const SLICE = 500;
/** Fields that are written at once if they do not depend on each other: all of a large fleet would keep Redis from serving others. */
const MAX_INDEPENDENT = 20_000;
/** Redis does nothing else while it writes them, for a second or two. */
const MAX_FIELDS = 200_000;

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
 * lease, then parts of the change.
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

interface RedisStateOptions {
  url: string;
  /** Encrypts what is kept, and proves that no one else has written it. */
  sealKey: string;
  /** Processes with the same name share one state. */
  name: string;
  customerId: string;
  notify: (message: string) => void;
}

const refusal = (problem: string, advice: string) => new FleetError("config", `--state redis: ${problem}`, { advice });

const wait = (milliseconds: number, signal: AbortSignal) => setTimeout(milliseconds, undefined, { signal }).catch(() => {});

/** The state of a watch in a hash of Redis: one process has it, others wait for it. A process that loses it, or Redis, waits as well and then reads it again. */
export function redisState({ url, sealKey, name, customerId, notify }: RedisStateOptions): WatchState {
  /** Why Redis does not work, if that is so; whether it does is known from the first connection or failure on. */
  let problem: string | undefined;
  let isKnown = false;
  const observe = ({ error }: { error?: string }) => {
    problem = error;
    isKnown = true;
  };
  const redis = connectRedis(url, { info: observe, warn: () => {}, error: observe });
  const key = `watch:${name}`;
  const script = (text: string, ...args: string[]) => redis.script(text, key, args, TIMEOUT);
  const encryption = encryptionFor(sealKey, "fleetwire watch");
  const about = JSON.stringify([VERSION, customerId]);
  /** That of the last time when this process had the state. */
  let token = "";
  let hasTried = false;
  /** Whether Redis had a state when this process last looked. */
  let wasThere = false;
  let said: string | undefined;
  const say = (message: string) => {
    if (message !== said) notify(`--state redis: ${message}`);
    said = message;
  };
  const sayFailed = (error: unknown) => say(`Redis fails (${problem ?? nameOf(error as Error)}): the watch pauses until it is back`);

  /** No field can be moved to another field or watch. */
  const decrypt = (value: string, field: string): string => {
    try {
      return encryption.decrypt(value, `${name} ${field}`);
    } catch {
      throw refusal(
        "what is kept there was written with another FLEET_SEAL_KEY, or is damaged",
        "Set the key with which it was written, or use another name, such as --state redis:second",
      );
    }
  };

  const partsOf = async (changes: readonly Change[]): Promise<string[]> => {
    const parts: string[] = [];
    for (let at = 0; at < changes.length; at += SLICE) {
      if (at > 0) await slice();
      const part = { set: [] as string[], remove: [] as string[] };
      for (const [field, text] of changes.slice(at, at + SLICE)) {
        if (text === undefined) part.remove.push(field);
        else part.set.push(field, encryption.encrypt(text, `${name} ${field}`));
      }
      parts.push(JSON.stringify(part));
    }
    return parts;
  };

  /** Refuses a state of somebody else, rather than taking it. Returns whether there is one. */
  const isThere = async (): Promise<boolean> => {
    const value = await script(GET, "about");
    if (value === null) return false;
    if (decrypt(String(value), "about") !== about)
      throw refusal("this name belongs to the watch of another customer or version", "Use another name, such as --state redis:second");
    wasThere = true;
    return true;
  };

  /** Each time has a token of its own, so that nothing is written after it, not even by the same process. */
  const journalOf = (own: string): Journal => {
    const lost = new AbortController();
    const ended = () => {
      lost.abort();
      return new FleetError("config", "--state redis: this process may no longer write");
    };
    /** Makes the whole change or, if another process may write by now, nothing of it: then returns false. */
    const write = async (parts: readonly string[], lease = LEASE) => (await script(WRITE, own, String(lease), ...parts)) === 1;
    const renew = async () => {
      if (await write([])) return;
      clearInterval(renewing);
      lost.abort();
    };
    // While Redis fails, nobody else can take the lease either.
    const renewing = setInterval(() => void renew().catch(() => {}), LEASE / 3).unref();
    /** Loses the state if Redis fails. */
    const unlessLost = async (run: () => Promise<void>) => {
      if (lost.signal.aborted) throw ended();
      await run().catch((error: unknown) => {
        if (error instanceof FleetError) throw error;
        if (!lost.signal.aborted) sayFailed(error);
        throw ended();
      });
    };
    const put: Journal["put"] = (changes) =>
      unlessLost(async () => {
        const isWhole = changes.some(([field]) => field.startsWith("event "));
        if (isWhole && changes.length > MAX_FIELDS)
          throw refusal(
            "more has changed at once than Redis can keep",
            "Divide them between several watches, each with a name such as --state redis:second",
          );
        const size = isWhole ? changes.length : MAX_INDEPENDENT;
        for (let at = 0; at < changes.length; at += size) if (!(await write(await partsOf(changes.slice(at, at + size))))) throw ended();
      });
    return {
      lost: lost.signal,
      load: async (read) => {
        await unlessLost(async () => {
          for await (const part of redis.fields(key))
            for (const { field, value } of part) if (!LEASE_FIELDS.has(field)) read(field, decrypt(value, field));
        });
        await put([["about", about]]);
        wasThere = true;
      },
      put,
      close: async () => {
        clearInterval(renewing);
        // Another process may take over at once.
        await write([], 0).catch(() => {});
      },
    };
  };

  /** Returns undefined if it has to be tried again. */
  const attempt = async (): Promise<Journal | undefined> => {
    try {
      const isKept = await isThere();
      const own = crypto.randomUUID();
      if ((await script(TAKE, own, token, String(LEASE))) !== 1) {
        say("another process watches; this one takes over when it ends");
        return undefined;
      }
      token = own;
      if (wasThere && !isKept) notify("--state redis: Redis has lost what it kept: the watch begins anew");
      return journalOf(own);
    } catch (error) {
      if (nameOf(error as Error) === "WRONGTYPE")
        throw refusal("what is kept under this name is not the state of a watch", "Use another name, such as --state redis:second");
      if (error instanceof FleetError) throw error;
      sayFailed(error);
      return undefined;
    }
  };

  return {
    open: async (signal) => {
      while (!isKnown && !signal.aborted) await wait(CONNECTING, signal);
      while (!signal.aborted) {
        if (hasTried) await wait(RETRY, signal);
        hasTried = true;
        const journal = signal.aborted ? undefined : await attempt();
        if (!journal) continue;
        if (said !== undefined) notify("--state redis: this process watches now");
        said = undefined;
        return journal;
      }
      return undefined;
    },
    close: redis.close,
  };
}
