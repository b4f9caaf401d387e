import { FleetError } from "@fleetwire/core";
import { sha256 } from "@noble/hashes/sha2.js";
import type { ToolResult } from "../model/tool-result.ts";
import type { WriteStore } from "../model/write-store.ts";
import { base64Url, utf8 } from "../runtime/base64url.ts";
import { forgetOldest } from "../runtime/forget-oldest.ts";
import { signingKey } from "../runtime/signing-key.ts";
import { Confirmations, canonicalText } from "./confirmations.ts";
import { Hold } from "./hold.ts";
import { localStore } from "./local-store.ts";
import { entrySigner, SignedStore } from "./signed-store.ts";

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
  /** Whether another process may have sent the call, since this one was paused. */
  wasPaused?: () => boolean;
}

/** What tells a write apart. */
interface Identity {
  call: string;
  /** The idempotency key that it was sent with. */
  key: string | undefined;
  /** The confirmation that it was sent with. */
  token: string | undefined;
  /** Whether sending it again has no further effect. */
  isRepeatable: boolean;
}

/** A write of this process, from before anything is sent. */
export interface Entry extends Identity {
  hold: Hold;
  sending: Promise<SentWrite>;
  hasEnded: boolean;
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

/** Whether an outcome has reached its caller is never certain, so it is returned again for as long. */
const TOLD_MS = 10 * 60_000;

// Evicting a key is safe, because the job number is derived from it.
const MAX_ENTRIES = 1_000;

/** Returns a text that is the same for equal arguments of the same tool. */
export const callOf = (tool: string, args: Record<string, unknown>): string => base64Url(sha256(utf8(canonicalText([tool, args]))));

/** Whether a failed write changed nothing. It is then forgotten, and the same call runs again. */
export const changedNothing = (error: unknown): boolean => !(error instanceof FleetError) || error.changed === "no";

/**
 * Knows which writes were sent, so that none is sent twice. Holds, records and used confirmations are in a store, which other processes may share;
 * outcomes are kept in this process, for those who call again.
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
   * Returns the identical call that is in flight or has ended in the last ten minutes, or the one sent with the same idempotency key. Another key stands
   * for another write, and a repeatable write is only returned for its own confirmation. Throws if the key was used for another call.
   */
  find({ call, key, token }: Omit<Identity, "isRepeatable">): Entry | undefined {
    const use = key === undefined ? undefined : this.#keys.get(key);
    if (use !== undefined && use.call !== call) {
      throw new FleetError("input", "idempotencyKey: was already used with another tool or other arguments", {
        advice: "Use each key for one call only",
      });
    }
    const entry = this.#entries.get(call);
    if (entry === undefined || entry.until < performance.now()) {
      this.#entries.delete(call);
      return use?.entry;
    }
    const isAnother = key !== undefined && entry.key !== undefined && key !== entry.key;
    const isRepeated = token !== undefined && token === entry.token;
    return entry.hasEnded && (isAnother || (entry.isRepeatable && !isRepeated)) ? use?.entry : entry;
  }

  /** Whether a failed write with this key may have been executed. */
  maybeSent(key: string): boolean {
    return this.#keys.get(key)?.maybeSent === true;
  }

  /** Enters a write before anything is sent. If it fails and changed nothing, its key can be used again. */
  send(write: Identity, { signal }: Caller, send: (hold: Hold) => Promise<SentWrite>): Promise<SentWrite> {
    const hold = new Hold(this.#open, write.call);
    const entry: Entry = { ...write, hold, sending: send(hold), hasEnded: false, until: Number.POSITIVE_INFINITY };
    if (write.key !== undefined) this.#useKey(write.key, entry);
    this.#entries.delete(write.call);
    this.#entries.set(write.call, entry);
    forgetOldest(this.#entries, MAX_ENTRIES);
    void entry.sending.then(
      () => this.#end(entry, signal),
      (error) => this.#end(entry, signal, error),
    );
    return entry.sending;
  }

  /** Forgets a write whose outcome was returned again, so that the next identical call is another one. */
  returned(entry: Entry): void {
    this.#forget(entry);
    void entry.hold.release(true);
  }

  /** Resolves once no write is in flight, even if its caller is gone. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#entries.values()].map(({ sending }) => sending));
  }

  async #end(entry: Entry, signal: AbortSignal | undefined, failure?: unknown): Promise<void> {
    const { key, token, isRepeatable, hold } = entry;
    entry.hasEnded = true;
    entry.until = performance.now() + TOLD_MS;
    // A call that finished an interrupted one has returned its outcome.
    const isReturned = hold.interrupted !== undefined && !signal?.aborted;
    const isUnchanged = failure !== undefined && changedNothing(failure);
    // With its key, a failed write is sent again as the same one.
    if (isUnchanged || isReturned || (failure !== undefined && key !== undefined)) this.#forget(entry);
    // An interrupted write may have been sent, even if this call changed nothing. Other processes recognize a used confirmation or a key by themselves.
    const isKnown = (token ?? key) !== undefined || isRepeatable;
    await hold.release(isUnchanged ? hold.interrupted === undefined : isReturned || (isKnown && !signal?.aborted));
  }

  #forget(entry: Entry): void {
    if (this.#entries.get(entry.call) === entry) this.#entries.delete(entry.call);
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
