import { FleetError } from "@fleetwire/core";
import { withDetails } from "@fleetwire/core/internal";
import type { WriteStore } from "../model/write-store.ts";
import { forgetOldest } from "../runtime/forget-oldest.ts";
import { macOver } from "../runtime/message-authentication.ts";
import { signingKey } from "../runtime/signing-key.ts";
import { unlessAborted } from "../runtime/unless-aborted.ts";
import { unref } from "../runtime/unref.ts";
import { type VerifiedStore, verifiedStore } from "./verified-store.ts";

/** A write begun by another process, whose result may not have reached its caller. */
export interface InterruptedWrite {
  /** The job number that was generated for it. */
  number?: string | undefined;
  /** The confirmation that was used for it. */
  confirmation?: string | undefined;
}

/** Coordinates writes with other processes, if there is a store. An error that leaves it open whether another process has sent the write is an `unknownOutcome`. */
export interface SharedWrites {
  /** Whether other processes take part. */
  isShared: boolean;
  /** Waits until no other process runs the same write, and keeps the others waiting until `end`. Returns a write that one of them left unfinished. */
  begin(call: string, signal: AbortSignal | undefined): Promise<InterruptedWrite | undefined>;
  /** Records that the write is about to be sent. Throws if another process may have taken it over. */
  record(call: string, write: InterruptedWrite): Promise<void>;
  /** Throws if another process may have taken the write over. Call it right before each request. */
  check(call: string): Promise<void>;
  /** Ends a write. Unless its caller has the result, or nothing changed, the next identical call will find it. Never throws. */
  end(call: string, isOver: boolean): Promise<void>;
  /** Marks a confirmation as used, during the write of `call` if there is one. Returns false if a process has already done so. */
  use(confirmation: string, call?: string): Promise<boolean>;
  /** Makes a confirmation that this process has used valid again. Never throws. */
  restore(confirmation: string, call?: string): Promise<void>;
}

/** How long others wait for a process that has died. */
const HOLD_MS = 6_000;
const RENEW_MS = 1_500;
const POLL_MS = 200;

/** At least as long as a confirmation is valid and an interrupted call can be repeated. */
const KEPT_MS = 12 * 60_000;

const MAX_UNDELIVERED = 1_000;

const lost = (number: string | undefined) =>
  new FleetError(
    "unknownOutcome",
    "this server was paused, or the store that coordinates writes lost data; this call sent nothing, but another server may have sent it",
    {
      jobNumber: number,
      advice: "Call again with the same arguments",
    },
  );

const pause = () => new Promise<void>((resolve) => void setTimeout(resolve, POLL_MS));

function interruptedIn(text: string): InterruptedWrite {
  const { number, confirmation } = JSON.parse(text) as InterruptedWrite;
  return { number, confirmation };
}

/** Used without a store: other processes are ignored. */
export const unsharedWrites: SharedWrites = {
  isShared: false,
  begin: async () => undefined,
  record: async () => {},
  check: async () => {},
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
  store: VerifiedStore;
  hold: string;
  /** The value of the hold, which shows that it has not passed to another process. */
  owner: string;
  /** Until when no other process can have the hold, on the clock of `performance.now`. */
  heldUntil: number;
  /** Whether another process may have the hold, and rely on what is stored. */
  isLost: boolean;
  renewal: ReturnType<typeof setInterval> | undefined;
  write: StoredWrite;
}

/** Coordinates the writes of `scope`, the customer and the servers, through a store. Identical calls within this process must not overlap. */
export function createSharedWrites(store: WriteStore | undefined, sealKey: string | undefined, scope: unknown): SharedWrites {
  if (store === undefined) return unsharedWrites;
  if (sealKey === undefined)
    throw new FleetError("config", "configuration: a write store needs a sealKey, so that other processes accept this one's confirmations");
  const key = signingKey(sealKey);
  const sign = macOver(key, "fleetwire shared writes");
  const open = verifiedStore(store, key);
  const keyOf = (kind: "hold" | "write" | "used", name: string) => sign(JSON.stringify([scope, kind, name]));
  const held = new Map<string, HeldWrite>();
  /** Recorded writes of this process whose results did not reach their callers. */
  const undelivered = new Map<string, StoredWrite>();
  /** The values with which this process has marked confirmations as used. */
  const used = new Map<string, string>();

  function loseHold(known: HeldWrite): FleetError {
    known.isLost = true;
    return lost(known.write.value === undefined ? undefined : interruptedIn(known.write.value).number);
  }

  /** Waits for a command of a write. If it fails after the hold may have ended, another process may have sent the write and forgotten it. */
  async function whileHeld<Value>(known: HeldWrite | undefined, command: Promise<Value>): Promise<Value> {
    return command.catch((error: FleetError) => {
      throw known && error.code === "network" && performance.now() >= known.heldUntil ? loseHold(known) : error;
    });
  }

  async function extend(known: HeldWrite, store: VerifiedStore): Promise<boolean> {
    const until = performance.now() + HOLD_MS;
    const isOurs = await store.extend(known.hold, known.owner, HOLD_MS);
    if (isOurs) known.heldUntil = until;
    return isOurs;
  }

  /** Throws if the hold may have ended. */
  async function extendHold(call: string): Promise<void> {
    const known = held.get(call);
    if (known && !(await whileHeld(known, extend(known, known.store)))) throw loseHold(known);
  }

  return {
    isShared: true,
    begin: async (call, signal) => {
      const hold = await keyOf("hold", call);
      const write: StoredWrite = { key: await keyOf("write", call), value: undefined };
      const known: HeldWrite = { store: open(), hold, owner: crypto.randomUUID(), heldUntil: 0, isLost: false, renewal: undefined, write };
      // Set first, so that `end` removes a hold that was taken although the reply was lost.
      held.set(call, known);
      const recorded = async () => {
        write.value = await known.store.read(write.key);
        return write.value === undefined ? undefined : interruptedIn(write.value);
      };
      try {
        for (;;) {
          const until = performance.now() + HOLD_MS;
          if ((await known.store.take(hold, known.owner, HOLD_MS)) === undefined) {
            known.heldUntil = until;
            break;
          }
          await unlessAborted(signal, pause());
          known.store.waited();
        }
      } catch (error) {
        known.isLost = true;
        if (!(error instanceof FleetError && error.code === "unknownOutcome")) throw error;
        throw withDetails(error, { jobNumber: (await recorded())?.number });
      }
      known.renewal = setInterval(() => void extend(known, open()).catch(() => {}), RENEW_MS);
      unref(known.renewal);
      return whileHeld(known, recorded());
    },
    record: async (call, { number, confirmation }) => {
      const known = held.get(call);
      if (known === undefined || known.write.value !== undefined) return;
      await extendHold(call);
      const value = JSON.stringify({ number, confirmation, owner: known.owner });
      known.write.value = value;
      if ((await whileHeld(known, known.store.take(known.write.key, value, KEPT_MS))) === undefined) return;
      known.write.value = undefined;
      throw lost(undefined);
    },
    check: extendHold,
    end: async (call, isOver) => {
      const known = held.get(call);
      held.delete(call);
      clearInterval(known?.renewal);
      const session = open();
      const { key, value } = known?.write ?? undelivered.get(call) ?? {};
      undelivered.delete(call);
      if (key !== undefined && value !== undefined && !known?.isLost) {
        if (isOver) await session.remove(key, value);
        else {
          undelivered.set(call, { key, value });
          forgetOldest(undelivered, MAX_UNDELIVERED);
        }
      }
      if (known === undefined) return;
      if (isOver) {
        await known.store.removeUnverified(known.hold);
        await known.store.removeUnverified(known.write.key);
      }
      await session.remove(known.hold, known.owner);
    },
    use: async (confirmation, call = "") => {
      const key = await keyOf("used", confirmation);
      const known = held.get(call);
      const { store = open(), owner = crypto.randomUUID() } = known ?? {};
      try {
        const isFirst = (await whileHeld(known, store.take(key, owner, KEPT_MS))) === undefined;
        if (isFirst) {
          used.set(confirmation, owner);
          forgetOldest(used, MAX_UNDELIVERED);
        }
        return isFirst;
      } catch (error) {
        // It may have been set although the reply was lost.
        await store.remove(key, owner);
        throw error;
      }
    },
    restore: async (confirmation, call = "") => {
      const key = await keyOf("used", confirmation);
      const { store = open(), isLost = false } = held.get(call) ?? {};
      const owner = used.get(confirmation);
      used.delete(confirmation);
      if (owner !== undefined && !isLost) await store.remove(key, owner);
    },
  };
}
