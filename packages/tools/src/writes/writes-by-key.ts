import { FleetError } from "@fleetwire/core";
import type { CompletedWrite } from "../model/completed-write.ts";
import { forgetOldest } from "../runtime/forget-oldest.ts";
import { changedNothing } from "./undelivered-writes.ts";

// Eviction is safe, because the job number is derived from the key.
const MAX_REMEMBERED = 1_000;

interface WriteByKey {
  /** The call that the key was used for. */
  call: string;
  /** Undefined once the write has failed. */
  sending: Promise<CompletedWrite> | undefined;
  /** Whether a request with this key may have been executed without a response to confirm it. */
  maybeSent: boolean;
}

/** A process's writes by idempotency key. */
export interface WritesByKey {
  /** Returns the write sent with a key, unless it failed. Throws if the key was used for another call. */
  find(key: string, call: string): Promise<CompletedWrite> | undefined;
  /** Whether a failed write with this key may have been executed. */
  maybeSent(key: string): boolean;
  /** Tracks a write before anything is sent. If it fails and changed nothing, the key can be used again. */
  track(key: string, call: string, sending: Promise<CompletedWrite>): void;
}

export function createWritesByKey(): WritesByKey {
  const writes = new Map<string, WriteByKey>();
  const maybeSent = (key: string) => writes.get(key)?.maybeSent === true;
  return {
    find: (key, call) => {
      const known = writes.get(key);
      if (known === undefined || known.call === call) return known?.sending;
      throw new FleetError("input", "idempotencyKey: was already used with another tool or other arguments", {
        advice: "Use each key for one call only",
      });
    },
    maybeSent,
    track: (key, call, sending) => {
      const write: WriteByKey = { call, sending, maybeSent: maybeSent(key) };
      writes.delete(key);
      writes.set(key, write);
      forgetOldest(writes, MAX_REMEMBERED);
      sending.catch((error: unknown) => {
        write.sending = undefined;
        write.maybeSent ||= !changedNothing(error);
        if (!write.maybeSent && writes.get(key) === write) writes.delete(key);
      });
    },
  };
}
