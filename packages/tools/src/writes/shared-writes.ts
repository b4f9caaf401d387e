import { FleetError } from "@fleetwire/core";
import { unref } from "../fleet/unref.ts";
import { macOver } from "../message-authentication.ts";
import { signingKey } from "../signing-key.ts";
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

async function pause(signal: AbortSignal | undefined): Promise<void> {
  if (!signal?.aborted) {
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, POLL_MS);
      signal?.addEventListener("abort", end, { once: true });
    });
  }
  if (signal?.aborted) throw new FleetError("aborted", "the caller aborted the call");
}

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

interface HeldWrite {
  renewal: ReturnType<typeof setInterval>;
  /** The stored value, once there is one. */
  recorded: string | undefined;
}

/** Coordinates the writes of `scope`, the customer and the servers, through a store. Identical calls within this process must not overlap. */
export function createSharedWrites(store: WriteStore | undefined, sealKey: string | undefined, scope: unknown): SharedWrites {
  if (store === undefined) return unsharedWrites;
  if (sealKey === undefined)
    throw new FleetError(
      "config",
      "configuration: a write store needs a sealKey, so that other processes accept the confirmations of this one",
    );
  const sign = macOver(signingKey(sealKey), "fleetwire shared writes");
  const keyOf = (kind: "hold" | "write" | "used", name: string) => sign(JSON.stringify([scope, kind, name]));
  const held = new Map<string, HeldWrite>();
  /** The stored values of writes of this process whose results did not reach their callers. */
  const undelivered = new Map<string, string>();
  let owner: string | undefined;

  return {
    isShared: true,
    begin: async (call, signal) => {
      owner ??= crypto.randomUUID();
      const self = owner;
      const hold = await keyOf("hold", call);
      const write = await keyOf("write", call);
      while (!(await inTime(() => store.add(hold, self, HOLD_MS)))) await pause(signal);
      const renewal = setInterval(() => void ignoringFailure(() => store.extend(hold, self, HOLD_MS)), RENEW_MS);
      unref(renewal);
      const known: HeldWrite = { renewal, recorded: undefined };
      held.set(call, known);
      known.recorded = await inTime(() => store.get(write));
      return known.recorded === undefined ? undefined : interruptedIn(known.recorded);
    },
    record: async (call, { number, confirmation }) => {
      const known = held.get(call);
      if (known === undefined || known.recorded !== undefined) return;
      const value = JSON.stringify({ number, confirmation });
      const write = await keyOf("write", call);
      if (!(await inTime(() => store.add(write, value, KEPT_MS)))) throw takenOver();
      known.recorded = value;
    },
    end: async (call, isOver) => {
      const known = held.get(call);
      held.delete(call);
      clearInterval(known?.renewal);
      const recorded = known?.recorded ?? undelivered.get(call);
      undelivered.delete(call);
      if (recorded !== undefined && isOver) {
        const write = await keyOf("write", call);
        await ignoringFailure(() => store.remove(write, recorded));
      } else if (recorded !== undefined) {
        undelivered.set(call, recorded);
        forgetOldest(undelivered, MAX_UNDELIVERED);
      }
      if (known === undefined) return;
      const hold = await keyOf("hold", call);
      await ignoringFailure(() => store.remove(hold, owner ?? ""));
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
