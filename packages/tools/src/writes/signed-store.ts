import { FleetError } from "@fleetwire/core";
import { forgetOldest } from "../runtime/forget-oldest.ts";
import { equalInConstantTime, macOver } from "../runtime/signing-key.ts";

/**
 * Lets processes share which writes are in flight and which confirmations were used, so that only one of them sends a write, and another
 * can finish a write begun by a process that died. All of them need the same `sealKey`. Keys are derived from it, and values contain
 * generated job numbers but no arguments, with a signature: a write whose entry has none is reported as unknown. A store that throws, or takes
 * more than three seconds in all for a write, fails the write before anything is sent; reads do not use it.
 */
export interface WriteStore {
  /** Returns the value of a key, if it has one. */
  get(key: string): Promise<string | undefined>;
  /** Sets a key for `ttl` milliseconds unless it already has a value. Returns whether it was set; of several concurrent calls, only one may get `true`. */
  add(key: string, value: string, ttl: number): Promise<boolean>;
  /** Extends the lifetime of a key if it has this value, atomically. Returns whether it did. */
  extend(key: string, value: string, ttl: number): Promise<boolean>;
  /** Removes a key if it has this value, atomically. */
  remove(key: string, value: string): Promise<void>;
}

/** How long one write may wait for the store in all. Shorter than a hold, so that a reply read later than that is not trusted. */
const STORE_MS = 3_000;

/** A hold of a write, a record of what is about to be sent, or the mark of a used confirmation. */
type Kind = "hold" | "write" | "used";

const unreachable = () =>
  new FleetError("network", "the store that coordinates writes with other servers could not be reached; nothing was sent", {
    advice: "Try again in a minute, with the same arguments. Reads still work",
  });

const unverified = () =>
  new FleetError(
    "unknownOutcome",
    "the store that coordinates writes with other servers has an entry for this write that cannot be verified; this call sent nothing",
    { advice: "Call again with the same arguments" },
  );

/**
 * Returns a function that opens a store, by default one of this process, for one write. Its entries are signed for `scope`, the customer and the
 * servers.
 */
export function signedStores(store: WriteStore | undefined, key: () => Uint8Array<ArrayBuffer>, scope: unknown): () => SignedStore {
  const [entries, signer] = [store ?? localStore(), entrySigner(key, scope)];
  return () => new SignedStore(entries, signer);
}

function entrySigner(key: () => Uint8Array<ArrayBuffer>, scope: unknown) {
  const signKey = macOver(key, "fleetwire shared writes");
  const sign = macOver(key, "fleetwire shared entries");
  return {
    keyOf: (kind: Kind, name: string) => signKey(JSON.stringify([scope, kind, name])),
    signed: async (key: string, value: string) => `${await sign(JSON.stringify([key, value]))}.${value}`,
  };
}

/** A store during one write. Only what a process with the same key stored under the same name is believed. */
export class SignedStore {
  readonly #store: WriteStore;
  readonly #signer: ReturnType<typeof entrySigner>;
  readonly #unverified = new Map<string, string>();
  #left = STORE_MS;

  constructor(store: WriteStore, signer: ReturnType<typeof entrySigner>) {
    this.#store = store;
    this.#signer = signer;
  }

  /** Returns the value of an entry, if there is one. */
  async read(kind: Kind, name: string): Promise<string | undefined> {
    const key = await this.#signer.keyOf(kind, name);
    const text: unknown = await this.#inTime(() => this.#store.get(key));
    if (text === undefined || text === null) return undefined;
    if (typeof text !== "string") throw unverified();
    const value = text.slice(text.indexOf(".") + 1);
    if (equalInConstantTime(text, await this.#signer.signed(key, value))) return value;
    // Without its mark, a confirmation would be valid again.
    if (kind !== "used") this.#unverified.set(key, text);
    throw unverified();
  }

  /** Adds an entry unless there is one. Returns the value of that one, or undefined if the entry was added. */
  async add(kind: Kind, name: string, value: string, ttl: number): Promise<string | undefined> {
    const [key, text] = await this.#entry(kind, name, value);
    // An entry that is gone by now counts as one.
    return (await this.#inTime(() => this.#store.add(key, text, ttl))) ? undefined : ((await this.read(kind, name)) ?? "");
  }

  /** Extends the lifetime of an entry if it has this value. Returns whether it did. */
  async extend(kind: Kind, name: string, value: string, ttl: number): Promise<boolean> {
    const [key, text] = await this.#entry(kind, name, value);
    return this.#inTime(() => this.#store.extend(key, text, ttl));
  }

  /** Removes an entry if it has this value. Never throws. */
  async remove(kind: Kind, name: string, value: string): Promise<void> {
    await this.#removeText(...(await this.#entry(kind, name, value)));
  }

  /** Removes the hold and the record that could not be verified when they were read. Never throws. */
  async removeUnverified(): Promise<void> {
    for (const [key, text] of this.#unverified) await this.#removeText(key, text);
  }

  /** Starts the time for the store again, because the write waited for another process. */
  waited(): void {
    this.#left = STORE_MS;
  }

  async #entry(kind: Kind, name: string, value: string): Promise<[key: string, text: string]> {
    const key = await this.#signer.keyOf(kind, name);
    return [key, await this.#signer.signed(key, value)];
  }

  async #removeText(key: string, text: string): Promise<void> {
    await this.#inTime(() => this.#store.remove(key, text)).catch(() => {});
  }

  async #inTime<Value>(run: () => Promise<Value>): Promise<Value> {
    const startedAt = performance.now();
    const allowed = this.#left;
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
      this.#left = Math.max(this.#left - (performance.now() - startedAt), 0);
    }
  }
}

/** Far more than the confirmations of ten minutes. */
const MAX_ENTRIES = 10_000;

/** Creates the store of a single process. Its holds do not end while the process is paused, because nobody else could have taken them. */
function localStore(): WriteStore {
  const entries = new Map<string, { value: string; until: number }>();
  const read = (key: string) => {
    const entry = entries.get(key);
    return entry && entry.until > performance.now() ? entry.value : undefined;
  };
  const write = (key: string, value: string, ttl: number) => {
    entries.delete(key);
    entries.set(key, { value, until: performance.now() + ttl });
    forgetOldest(entries, MAX_ENTRIES);
    return true;
  };
  return {
    get: async (key) => read(key),
    add: async (key, value, ttl) => read(key) === undefined && write(key, value, ttl),
    extend: async (key, value, ttl) => entries.get(key)?.value === value && write(key, value, ttl),
    remove: async (key, value) => void (entries.get(key)?.value === value && entries.delete(key)),
  };
}
