import { FleetError } from "@fleetwire/core";
import { unref } from "../fleet/unref.ts";
import { macOver } from "../message-authentication.ts";
import { signingKey } from "../signing-key.ts";
import { unlessAborted } from "../unless-aborted.ts";
import { forgetOldest } from "./forget-oldest.ts";
import type { WriteStore } from "./write-store.ts";

/** A write begun by another process, whose result may not have reached its caller. */
export interface InterruptedWrite {
  /** The job number that was generated for it. */
  number?: string | undefined;
  /** The confirmation that was used for it. */
  confirmation?: string | undefined;
}

/** Coordinates writes with other processes, if there is a store. */
export interface SharedWrites {
  /** Whether other processes take part. */
  isShared: boolean;
  /** Waits until no other process runs the same write, and keeps the others waiting until `end`. Returns a write that one of them left unfinished. */
  begin(call: string, signal: AbortSignal | undefined): Promise<InterruptedWrite | undefined>;
  /** Records that the write is about to be sent. Throws if another process has taken it over. */
  record(call: string, write: InterruptedWrite): Promise<void>;
  /** Ends a write. Unless its caller has the result, or nothing changed, the next identical call will find it. Never throws. */
  end(call: string, isOver: boolean): Promise<void>;
  /** Marks a confirmation as used. Returns false if a process has already done so. */
  use(confirmation: string): Promise<boolean>;
  /** Makes a used confirmation valid again. Never throws. */
  restore(confirmation: string): Promise<void>;
}

/** A slower store counts as down. */
const STORE_MS = 2_000;

/** How long others wait for a process that has died. */
const HOLD_MS = 6_000;
const RENEW_MS = 1_500;
const POLL_MS = 200;

/** At least as long as a confirmation is valid and an interrupted call can be repeated. */
const KEPT_MS = 12 * 60_000;

const MAX_UNDELIVERED = 1_000;

const unreachable = () =>
  new FleetError("network", "the store that coordinates writes with other servers could not be reached; nothing was sent", {
    advice: "Try again in a minute, with the same arguments. Reads still work",
  });

const takenOver = () =>
  new FleetError("conflict", "another server has taken over this write; this one sent nothing", {
    advice: "Call again with the same arguments to get its outcome",
  });

async function inTime<Value>(run: () => Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unreachable()), STORE_MS);
  });
  try {
    return await Promise.race([run(), late]);
  } catch {
    // Its message may contain the address and credentials of the store.
    throw unreachable();
  } finally {
    clearTimeout(timer);
  }
}

const ignoringFailure = (run: () => Promise<unknown>) =>
  inTime(run).then(
    () => {},
    () => {},
  );

const pause = () => new Promise<void>((resolve) => void setTimeout(resolve, POLL_MS));

function interruptedIn(text: string): InterruptedWrite {
  const { number, confirmation } = JSON.parse(text) as Record<string, unknown>;
  return { ...(typeof number === "string" && { number }), ...(typeof confirmation === "string" && { confirmation }) };
}

/** Used without a store: other processes are ignored. */
export const unsharedWrites: SharedWrites = {
  isShared: false,
  begin: async () => undefined,
  record: async () => {},
  end: async () => {},
  use: async () => true,
  restore: async () => {},
};

/** The key of a write, and the value stored under it. */
interface StoredWrite {
  key: string;
  /** Undefined until the write is recorded. */
  value: string | undefined;
}

interface HeldWrite {
  hold: string;
  /** The value of the hold, which shows that it has not passed to another process. */
  owner: string;
  renewal: ReturnType<typeof setInterval>;
  write: StoredWrite;
}

/** Coordinates the writes of `scope`, the customer and the servers, through a store. Identical calls within this process must not overlap. */
export function createSharedWrites(store: WriteStore | undefined, sealKey: string | undefined, scope: unknown): SharedWrites {
  if (store === undefined) return unsharedWrites;
  if (sealKey === undefined)
    throw new FleetError("config", "configuration: a write store needs a sealKey, so that other processes accept this one's confirmations");
  const sign = macOver(signingKey(sealKey), "fleetwire shared writes");
  const keyOf = (kind: "hold" | "write" | "used", name: string) => sign(JSON.stringify([scope, kind, name]));
  const held = new Map<string, HeldWrite>();
  /** Recorded writes of this process whose results did not reach their callers. */
  const undelivered = new Map<string, StoredWrite>();

  return {
    isShared: true,
    begin: async (call, signal) => {
      const hold = await keyOf("hold", call);
      const write: StoredWrite = { key: await keyOf("write", call), value: undefined };
      const owner = crypto.randomUUID();
      while (!(await inTime(() => store.add(hold, owner, HOLD_MS)))) await unlessAborted(signal, pause());
      const renewal = setInterval(() => void ignoringFailure(() => store.extend(hold, owner, HOLD_MS)), RENEW_MS);
      unref(renewal);
      held.set(call, { hold, owner, renewal, write });
      write.value = await inTime(() => store.get(write.key));
      return write.value === undefined ? undefined : interruptedIn(write.value);
    },
    record: async (call, { number, confirmation }) => {
      const write = held.get(call)?.write;
      if (write === undefined || write.value !== undefined) return;
      const value = JSON.stringify({ number, confirmation });
      if (!(await inTime(() => store.add(write.key, value, KEPT_MS)))) throw takenOver();
      write.value = value;
    },
    end: async (call, isOver) => {
      const known = held.get(call);
      held.delete(call);
      clearInterval(known?.renewal);
      const { key, value } = known?.write ?? undelivered.get(call) ?? {};
      undelivered.delete(call);
      if (key !== undefined && value !== undefined) {
        if (isOver) await ignoringFailure(() => store.remove(key, value));
        else {
          undelivered.set(call, { key, value });
          forgetOldest(undelivered, MAX_UNDELIVERED);
        }
      }
      if (known) await ignoringFailure(() => store.remove(known.hold, known.owner));
    },
    use: async (confirmation) => {
      const used = await keyOf("used", confirmation);
      return inTime(() => store.add(used, "used", KEPT_MS));
    },
    restore: async (confirmation) => {
      const used = await keyOf("used", confirmation);
      await ignoringFailure(() => store.remove(used, "used"));
    },
  };
}
