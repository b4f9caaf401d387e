import { FleetError } from "@fleetwire/core";
import type { WriteStore } from "../model/write-store.ts";
import { equalInConstantTime, macOver } from "../runtime/message-authentication.ts";

/** How long one write may wait for the store in all. Shorter than a hold, so that a reply read later than that is not trusted. */
const STORE_MS = 3_000;

/** Entries of a store during one write. Only what a process with the same key stored under the same name is believed. */
export interface VerifiedStore {
  /** Returns the value of a key, if it has one. */
  read(key: string): Promise<string | undefined>;
  /** Sets a key unless it has a value. Returns that value, or undefined if the key was set. */
  take(key: string, value: string, ttl: number): Promise<string | undefined>;
  /** Extends the lifetime of a key if it has this value. Returns whether it did. */
  extend(key: string, value: string, ttl: number): Promise<boolean>;
  /** Removes a key if it has this value. Never throws. */
  remove(key: string, value: string): Promise<void>;
  /** Removes what could not be verified when this key was read. Never throws. */
  removeUnverified(key: string): Promise<void>;
  /** Starts the time for the store again, because the write waited for another process. */
  waited(): void;
}

const unreachable = () =>
  new FleetError("network", "the store that coordinates writes with other servers could not be reached; nothing was sent", {
    advice: "Try again in a minute, with the same arguments. Reads still work",
  });

const unverified = () =>
  new FleetError(
    "unknownOutcome",
    "the store that coordinates writes with other servers has an entry for this write that cannot be verified; this call sent nothing",
    {
      advice: "Call again with the same arguments",
    },
  );

/** Returns a function that opens the store for one write. */
export function verifiedStore(store: WriteStore, key: () => Uint8Array<ArrayBuffer>): () => VerifiedStore {
  const sign = macOver(key, "fleetwire shared entries");
  const entryOf = async (name: string, value: string) => `${await sign(JSON.stringify([name, value]))}.${value}`;

  return () => {
    let left = STORE_MS;
    const unread = new Map<string, string>();

    async function inTime<Value>(run: () => Promise<Value>): Promise<Value> {
      const startedAt = performance.now();
      const allowed = left;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(unreachable()), allowed);
      });
      try {
        const value = await Promise.race([run(), late]);
        // If the process was stopped meanwhile, the reply was there before the timer fired.
        if (performance.now() - startedAt > allowed) throw unreachable();
        return value;
      } catch {
        // Its message may contain the address and credentials of the store.
        throw unreachable();
      } finally {
        clearTimeout(timer);
        left = Math.max(left - (performance.now() - startedAt), 0);
      }
    }

    async function removeText(name: string, text: string): Promise<void> {
      await inTime(() => store.remove(name, text)).catch(() => {});
    }

    async function read(name: string): Promise<string | undefined> {
      const text: unknown = await inTime(() => store.get(name));
      if (text === undefined || text === null) return undefined;
      if (typeof text === "string") {
        const value = text.slice(text.indexOf(".") + 1);
        if (equalInConstantTime(text, await entryOf(name, value))) return value;
        unread.set(name, text);
      }
      throw unverified();
    }

    return {
      read,
      take: async (name, value, ttl) => {
        const entry = await entryOf(name, value);
        // An entry that is gone by now counts as taken.
        return (await inTime(() => store.add(name, entry, ttl))) ? undefined : ((await read(name)) ?? "");
      },
      extend: async (name, value, ttl) => {
        const entry = await entryOf(name, value);
        return inTime(() => store.extend(name, entry, ttl));
      },
      remove: async (name, value) => removeText(name, await entryOf(name, value)),
      removeUnverified: async (name) => {
        const text = unread.get(name);
        if (text !== undefined) await removeText(name, text);
      },
      waited: () => {
        left = STORE_MS;
      },
    };
  };
}
