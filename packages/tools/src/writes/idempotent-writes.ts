import { FleetError } from "@fleetwire/core";
import type { SentWrite } from "./sent-write.ts";
import { changedNothing } from "./undelivered-writes.ts";

// What is forgotten is still one job: its number follows from the key.
const MAX_REMEMBERED = 1_000;

interface IdempotentWrite {
  /** What the key was used for. */
  call: string;
  /** Undefined once it failed. */
  sending: Promise<SentWrite> | undefined;
  /** Whether a request under this key may have been carried out, although no response says so. */
  maybeSent: boolean;
}

/** The writes of a process by the idempotency keys that they were sent with. */
export interface IdempotentWrites {
  /** The write that was sent with a key, unless it failed. A key that was used for another call is refused. */
  earlier(key: string, call: string): Promise<SentWrite> | undefined;
  /** Whether a failed write under this key may have been carried out. */
  maybeSent(key: string): boolean;
  /** Keeps a write from before anything of it is sent. A key under which nothing was changed is free again. */
  keep(key: string, call: string, sending: Promise<SentWrite>): void;
}

export function createIdempotentWrites(): IdempotentWrites {
  const writes = new Map<string, IdempotentWrite>();
  return {
    earlier: (key, call) => {
      const known = writes.get(key);
      if (known === undefined || known.call === call) return known?.sending;
      throw new FleetError("input", "idempotencyKey: was used for another call, of other arguments or of another tool", {
        advice: "Use a key for one call alone",
      });
    },
    maybeSent: (key) => writes.get(key)?.maybeSent ?? false,
    keep: (key, call, sending) => {
      const write: IdempotentWrite = { call, sending, maybeSent: writes.get(key)?.maybeSent ?? false };
      writes.delete(key);
      writes.set(key, write);
      const [oldest] = writes.keys();
      if (writes.size > MAX_REMEMBERED && oldest !== undefined) writes.delete(oldest);
      sending.catch((error: unknown) => {
        write.sending = undefined;
        write.maybeSent ||= !changedNothing(error);
        if (!write.maybeSent && writes.get(key) === write) writes.delete(key);
      });
    },
  };
}
