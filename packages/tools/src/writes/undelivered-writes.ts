import { FleetError } from "@fleetwire/core";
import { sha256 } from "@noble/hashes/sha2.js";
import type { CompletedWrite } from "../model/completed-write.ts";
import { base64Url, utf8 } from "../runtime/base64url.ts";
import { forgetOldest } from "../runtime/forget-oldest.ts";
import { canonicalText } from "./confirmation-token.ts";

const REMEMBERED_MS = 10 * 60_000;
const MAX_REMEMBERED = 1_000;

/** The recipient of a call's result. */
export interface Caller {
  /** Fires when the caller cancels or disconnects. */
  signal?: AbortSignal;
  /** Whether the result, once returned, reached the caller. */
  delivered?: () => Promise<boolean>;
}

interface Write {
  sending: Promise<CompletedWrite>;
  /** When to forget the write, on the clock of `performance.now`. */
  until: number;
}

/** A process's writes whose results did not reach their callers. Once delivered, a result is dropped and does not affect later calls. */
export interface UndeliveredWrites {
  /** Returns a promise that resolves once the caller of the identical write in flight, if there is one, has its result or is known to be gone. */
  inFlight(key: string): Promise<void> | undefined;
  /**
   * Tracks a write from before anything is sent until its result has reached the caller. Resolves once the write has ended and its caller has the
   * result or is known to be gone: to true if the write can be forgotten, because its result was delivered or it changed nothing.
   */
  track(key: string, sending: Promise<CompletedWrite>, caller: Caller): Promise<boolean>;
  /** Returns the outcome of a write from the last ten minutes, and forgets it. */
  take(key: string): Promise<CompletedWrite> | undefined;
  /** Resolves once no write is in flight, even if its caller is gone. */
  settled(): Promise<void>;
}

/** Returns a key that is the same for equal arguments of the same tool. */
export const writeKey = (tool: string, args: Record<string, unknown>): string => base64Url(sha256(utf8(canonicalText([tool, args]))));

/** Whether a failed write changed nothing. It is then forgotten, and the same call runs again. */
export const changedNothing = (error: unknown): boolean => !(error instanceof FleetError) || error.changed === "no";

export function createUndeliveredWrites(): UndeliveredWrites {
  const writes = new Map<string, Write>();
  /** Promises that resolve once the caller of a write has its result or is known to be gone. */
  const deliveries = new Map<string, Promise<void>>();
  const underWay = new Set<Promise<CompletedWrite>>();

  function keep(key: string, sending: Promise<CompletedWrite>): void {
    writes.delete(key);
    writes.set(key, { sending, until: performance.now() + REMEMBERED_MS });
    forgetOldest(writes, MAX_REMEMBERED);
  }

  function forget(key: string, sending: Promise<CompletedWrite>): void {
    if (writes.get(key)?.sending === sending) writes.delete(key);
  }

  return {
    inFlight: (key) => deliveries.get(key),
    track: (key, sending, { signal, delivered }) => {
      let ended: Promise<boolean> = Promise.resolve(true);
      const delivery = new Promise<void>((resolve) => {
        let isOver = false;
        const over = (reached: boolean) => {
          signal?.removeEventListener("abort", onGone);
          if (!isOver && !reached) keep(key, sending);
          // Stored only once, because the outcome may already have been returned to another call.
          isOver = true;
          resolve();
        };
        const onGone = () => over(false);
        const onSettled = async () => {
          // A transport may abort the signal after it has responded, so only delivery counts from now on.
          signal?.removeEventListener("abort", onGone);
          const reached = (await delivered?.()) ?? !signal?.aborted;
          if (reached) forget(key, sending);
          over(reached);
          return reached;
        };
        if (signal?.aborted) onGone();
        signal?.addEventListener("abort", onGone, { once: true });
        ended = sending.then(onSettled, (error: unknown) => {
          if (!changedNothing(error)) return onSettled();
          over(true);
          forget(key, sending);
          return true;
        });
        // A caller can be known to be gone while the write is in flight, even if it did not abort the call.
        delivered?.().then((reached) => reached || onGone(), onGone);
      });
      deliveries.set(key, delivery);
      delivery.then(() => deliveries.get(key) === delivery && deliveries.delete(key));
      underWay.add(sending);
      const end = () => void underWay.delete(sending);
      sending.then(end, end);
      return ended;
    },
    take: (key) => {
      const write = writes.get(key);
      writes.delete(key);
      return write && write.until >= performance.now() ? write.sending : undefined;
    },
    settled: async () => {
      await Promise.allSettled(underWay);
    },
  };
}
