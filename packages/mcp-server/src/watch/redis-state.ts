import { setTimeout, setImmediate as slice } from "node:timers/promises";
import { FleetError } from "@fleetwire/core";
import { connectRedis, nameOf } from "../replicas/redis.ts";
import { encryptionFor } from "../replicas/shared-state.ts";
import { changePart, LeasedHash, type Turn } from "./leased-hash.ts";
import { type Change, fieldEncryption, readKept, refusal, storeIn } from "./redis-store.ts";
import type { Receiver, StateStore, WatchState } from "./state-store.ts";

const VERSION = 1;
/** How often a process that waits asks again, in milliseconds. */
const RETRY = 1_000;
/** How often it looks whether the first connection has been made or has failed, in milliseconds. */
const CONNECTING = 20;
/** Fields that are encrypted and written together, before other work may run. */
const SLICE = 500;
/** Redis does nothing else while it writes them, for a second or two. */
const MAX_FIELDS = 200_000;

interface RedisStateOptions {
  url: string;
  /** Encrypts what is kept, and proves that no one else has written it. */
  sealKey: string;
  /** Processes with the same name share one state. */
  name: string;
  customerId: string;
  receivers: readonly Receiver[];
  notify: (message: string) => void;
}

const wait = (milliseconds: number, signal: AbortSignal) => setTimeout(milliseconds, undefined, { signal }).catch(() => {});

/** Whether Redis works, as far as is known, and if not, why. */
function observed() {
  let problem: string | undefined;
  let isKnown = false;
  const set = (error?: string) => {
    problem = error;
    isKnown = true;
  };
  return {
    log: { info: () => set(), warn: () => {}, error: ({ error }: { error?: string }) => set(error) },
    isKnown: () => isKnown,
    reasonOf: (error: unknown) => problem ?? nameOf(error as Error),
  };
}

/** The state of a watch in Redis: one process has it, others wait for it. A process that loses it, or Redis, waits as well and then reads it again. */
export function redisState({ url, sealKey, name, customerId, receivers, notify }: RedisStateOptions): WatchState {
  const { log, isKnown, reasonOf } = observed();
  const redis = connectRedis(url, log);
  const hash = new LeasedHash(redis, `watch:${name}`);
  const encryption = fieldEncryption(name, encryptionFor(sealKey, "fleetwire watch"));
  const about = JSON.stringify([VERSION, customerId]);
  let hasTried = false;
  /** Whether Redis had a state when this process last looked. */
  let wasThere = false;
  let said: string | undefined;
  const say = (message: string) => {
    if (message !== said) notify(`--state redis: ${message}`);
    said = message;
  };
  const sayFailed = (error: unknown) => say(`Redis fails (${reasonOf(error)}): the watch pauses until it is back`);

  /** Refuses a state of somebody else, rather than taking it. Returns whether there is one. */
  const check = async (): Promise<boolean> => {
    const value = await hash.field("about");
    if (value === undefined) return false;
    if (encryption.decrypt(value, "about") !== about)
      throw refusal("this name belongs to the watch of another customer or version", "Use another name, such as --state redis:second");
    wasThere = true;
    return true;
  };

  const partOf = (changes: readonly Change[]): string => {
    const set: string[] = [];
    const remove: string[] = [];
    for (const [field, text] of changes) {
      if (text === undefined) remove.push(field);
      else set.push(field, encryption.encrypt(text, field));
    }
    return changePart(set, remove);
  };

  const begin = async (turn: Turn, lost: AbortController): Promise<StateStore> => {
    const ended = () => {
      lost.abort();
      return new FleetError("config", "--state redis: this process may no longer write");
    };
    const put = async (changes: readonly Change[]) => {
      if (lost.signal.aborted) throw ended();
      if (changes.length > MAX_FIELDS)
        throw refusal(
          "more has changed at once than Redis can keep",
          "Divide them between several watches, each with a name such as --state redis:second",
        );
      const parts: string[] = [];
      for (let at = 0; at < changes.length; at += SLICE) {
        if (at > 0) await slice();
        parts.push(partOf(changes.slice(at, at + SLICE)));
      }
      const isWritten = await turn.write(parts).catch((error: unknown) => {
        if (!lost.signal.aborted) sayFailed(error);
        return false;
      });
      if (!isWritten) throw ended();
    };
    const kept = await readKept(hash, encryption);
    await put([["about", about]]);
    return { ...storeIn(kept, receivers, put), lost: lost.signal, close: () => turn.end().catch(() => {}) };
  };

  /** Returns undefined if it has to be tried again. */
  const attempt = async (): Promise<StateStore | undefined> => {
    const lost = new AbortController();
    let turn: Turn | undefined;
    try {
      const isThere = await check();
      turn = await hash.take(() => lost.abort());
      if (!turn) {
        say("another process watches; this one takes over when it ends");
        return undefined;
      }
      const store = await begin(turn, lost);
      if (wasThere && !isThere) notify("--state redis: Redis has lost what it kept: the watch begins anew");
      wasThere = true;
      return store;
    } catch (error) {
      await turn?.end().catch(() => {});
      if (nameOf(error as Error) === "WRONGTYPE")
        throw refusal("what is kept under this name is not the state of a watch", "Use another name, such as --state redis:second");
      if (!(error instanceof FleetError)) sayFailed(error);
      else if (!lost.signal.aborted) throw error;
      return undefined;
    }
  };

  return {
    open: async (signal) => {
      while (!isKnown() && !signal.aborted) await wait(CONNECTING, signal);
      while (!signal.aborted) {
        if (hasTried) await wait(RETRY, signal);
        hasTried = true;
        const store = signal.aborted ? undefined : await attempt();
        if (!store) continue;
        if (said !== undefined) notify("--state redis: this process watches now");
        said = undefined;
        return store;
      }
      return undefined;
    },
    close: redis.close,
  };
}
