import { FleetError } from "@fleetwire/core";
import { sha256 } from "@noble/hashes/sha2.js";
import type { ToolResult } from "../model/tool-result.ts";
import { base64Url, utf8 } from "../runtime/base64url.ts";
import { forgetOldest } from "../runtime/forget-oldest.ts";
import { signingKey } from "../runtime/signing-key.ts";
import { Confirmations, canonicalText } from "./confirmations.ts";
import { Hold } from "./hold.ts";
import { entrySigner, localStore, SignedStore, type WriteStore } from "./signed-store.ts";

/** A write that was sent and succeeded. */
export interface SentWrite {
  outcome: "created" | "inferred" | "updated";
  /** The number of the new job. */
  jobNumber?: string | undefined;
  /** Renders the result, with any additional sentences. */
  result: (remarks?: readonly string[]) => ToolResult;
}

/** The recipient of a call's result. */
export interface Caller {
  /** Identifies it among those who share the tools. */
  id?: string;
  /** Fires when the caller cancels or disconnects. */
  signal?: AbortSignal;
  /** Whether the result, once returned, reached the caller. */
  delivered?: () => Promise<boolean>;
  /** Whether another process may have sent the call, since this one was paused. */
  wasPaused?: () => boolean;
}

/** A write of this process, from before anything is sent. */
export interface Entry {
  call: string;
  /** The idempotency key that it was sent with. */
  key: string | undefined;
  hold: Hold;
  sending: Promise<SentWrite>;
  /** In flight until the write has ended and its caller has the outcome, or the caller is known to be gone. */
  state: "inFlight" | "delivered" | "undelivered";
  /** Resolves once the entry is not in flight. */
  delivery: Promise<void>;
  /** When to forget it, on the clock of `performance.now`. */
  until: number;
}

/** The use of an idempotency key. */
interface KeyUse {
  call: string;
  /** Undefined once the write has failed. */
  entry: Entry | undefined;
  /** Whether a request with this key may have been executed without a response to confirm it. */
  maybeSent: boolean;
}

const UNDELIVERED_MS = 10 * 60_000;

// Evicting a key is safe, because the job number is derived from it.
const MAX_ENTRIES = 1_000;

/** Returns a text that is the same for equal arguments of the same tool. */
export const callOf = (tool: string, args: Record<string, unknown>): string => base64Url(sha256(utf8(canonicalText([tool, args]))));

/** Whether a failed write changed nothing. It is then forgotten, and the same call runs again. */
export const changedNothing = (error: unknown): boolean => !(error instanceof FleetError) || error.changed === "no";

/**
 * Knows which writes were sent, so that none is sent twice. Holds, records and used confirmations are in a store, which other processes may share;
 * outcomes are kept in this process, until they have reached a caller.
 */
export class Ledger {
  readonly confirmations: Confirmations;
  readonly #open: () => SignedStore;
  /** Entries by call. */
  readonly #entries = new Map<string, Entry>();
  readonly #keys = new Map<string, KeyUse>();

  /** Records the writes of `scope`, the customer and the servers. */
  constructor(store: WriteStore | undefined, sealKey: string | undefined, scope: unknown) {
    if (store !== undefined && sealKey === undefined)
      throw new FleetError(
        "config",
        "configuration: a write store needs a sealKey, so that other processes accept this one's confirmations",
      );
    const key = signingKey(sealKey);
    const [entries, signer] = [store ?? localStore(), entrySigner(key, scope)];
    this.#open = () => new SignedStore(entries, signer);
    this.confirmations = new Confirmations(key, scope, this.#open, store !== undefined);
  }

  /**
   * Returns the identical call that is in flight or whose outcome did not reach its caller in the last ten minutes, or the one sent with the same
   * idempotency key. Throws if the key was used for another call.
   */
  find(call: string, key: string | undefined): Entry | undefined {
    const use = key === undefined ? undefined : this.#keys.get(key);
    if (use !== undefined && use.call !== call) {
      throw new FleetError("input", "idempotencyKey: was already used with another tool or other arguments", {
        advice: "Use each key for one call only",
      });
    }
    const entry = this.#entries.get(call);
    if (entry && entry.until >= performance.now()) return entry;
    this.#entries.delete(call);
    return use?.entry;
  }

  /** Whether a failed write with this key may have been executed. */
  maybeSent(key: string): boolean {
    return this.#keys.get(key)?.maybeSent === true;
  }

  /** Enters a write before anything is sent. If it fails and changed nothing, its key can be used again. */
  send(call: string, key: string | undefined, caller: Caller, send: (hold: Hold) => Promise<SentWrite>): Promise<SentWrite> {
    const hold = new Hold(this.#open, call);
    const entry: Entry = { call, key, hold, sending: send(hold), state: "inFlight", delivery: Promise.resolve(), until: 0 };
    if (key !== undefined) this.#useKey(key, entry);
    this.deliver(entry, caller);
    return entry.sending;
  }

  /** Tracks an entry until its outcome has reached this caller, or the caller is known to be gone. Once delivered, it does not affect later calls. */
  deliver(entry: Entry, { signal, delivered }: Caller): void {
    this.#keep(entry, "inFlight");
    let leave = () => {};
    const left = new Promise<false>((resolve) => {
      leave = () => resolve(false);
    });
    if (signal?.aborted) leave();
    signal?.addEventListener("abort", leave, { once: true });
    // A caller can be known to be gone while the write is in flight, even if it did not abort the call.
    delivered?.().then((reached) => reached || leave(), leave);
    // A transport may abort the signal after it has responded, so only delivery counts once the write has ended.
    const ended = () => signal?.removeEventListener("abort", leave);
    const reached = async () => (await delivered?.()) ?? !signal?.aborted;
    let isUnchanged = false;
    const over = entry.sending.finally(ended).then(reached, (error) => {
      isUnchanged = changedNothing(error);
      return isUnchanged || reached();
    });
    const delivery = Promise.race([left, over]).then((isOver) => {
      if (!isOver) this.#keep(entry, "undelivered");
    });
    entry.delivery = delivery;
    void over.then(async (isOver) => {
      // It may have been returned to another caller meanwhile, or replaced by a later write.
      if (isOver && entry.delivery === delivery) {
        entry.state = "delivered";
        if (this.#entries.get(entry.call) === entry) this.#entries.delete(entry.call);
      }
      // An interrupted write may have been sent, even if this call changed nothing.
      await entry.hold.release(isOver && !(isUnchanged && entry.hold.interrupted));
    });
  }

  /** Resolves once no write is in flight, even if its caller is gone. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#entries.values()].map(({ sending }) => sending));
  }

  #keep(entry: Entry, state: "inFlight" | "undelivered"): void {
    entry.state = state;
    entry.until = state === "inFlight" ? Number.POSITIVE_INFINITY : performance.now() + UNDELIVERED_MS;
    this.#entries.delete(entry.call);
    this.#entries.set(entry.call, entry);
    forgetOldest(this.#entries, MAX_ENTRIES);
  }

  #useKey(key: string, entry: Entry): void {
    const use: KeyUse = { call: entry.call, entry, maybeSent: this.maybeSent(key) };
    this.#keys.delete(key);
    this.#keys.set(key, use);
    forgetOldest(this.#keys, MAX_ENTRIES);
    entry.sending.catch((error: unknown) => {
      use.entry = undefined;
      use.maybeSent ||= !changedNothing(error);
      if (!use.maybeSent && this.#keys.get(key) === use) this.#keys.delete(key);
    });
  }
}
