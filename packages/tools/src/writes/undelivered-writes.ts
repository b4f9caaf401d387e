import { FleetError } from "@fleetwire/core";
import { sha256 } from "@noble/hashes/sha2.js";
import { base64Url, utf8 } from "../base64url.ts";
import { canonicalText } from "./confirmation-token.ts";
import type { SentWrite } from "./sent-write.ts";

const REMEMBERED_MS = 10 * 60_000;
const MAX_REMEMBERED = 1_000;

/** Whoever waits for the result of a call. */
export interface Caller {
  /** Fires when the caller cancels the call or goes away. */
  signal?: AbortSignal;
  /** Whether the result reached the caller, once it was returned. */
  delivered?: () => Promise<boolean>;
}

interface Write {
  sending: Promise<SentWrite>;
  /** By a clock that nobody turns back. */
  until: number;
}

/** The writes of a process whose results did not reach their callers. What was delivered is not kept: it never changes what a later call does. */
export interface UndeliveredWrites {
  /** Waits for the same write that is under way, until its caller has its result or is known to be gone: two at once are two wishes, one after the other. */
  turn(key: string, signal: AbortSignal | undefined): Promise<void>;
  /** Keeps a write, from before anything of it is sent, for as long as its result may fail to reach its caller. */
  watch(key: string, sending: Promise<SentWrite>, caller: Caller): void;
  /** Hands out, once, what became of a write of the last ten minutes. */
  take(key: string): Promise<SentWrite> | undefined;
  /** Settles once no write is under way, whether its caller is still there or not. */
  settled(): Promise<void>;
}

/** The same key for the same arguments of the same tool. */
export const writeKey = (tool: string, args: Record<string, unknown>): string => base64Url(sha256(utf8(canonicalText([tool, args]))));

/** Whether a write that failed leaves nothing to remember: the same call is then simply made again. */
export const changedNothing = (error: unknown): boolean => !(error instanceof FleetError) || error.changed === "no";

export function createUndeliveredWrites(): UndeliveredWrites {
  const writes = new Map<string, Write>();
  /** Settles when the caller of a write has its result, or is known to be gone. */
  const deliveries = new Map<string, Promise<void>>();
  const underWay = new Set<Promise<SentWrite>>();

  function keep(key: string, sending: Promise<SentWrite>): void {
    writes.delete(key);
    writes.set(key, { sending, until: performance.now() + REMEMBERED_MS });
    const [oldest] = writes.keys();
    if (writes.size > MAX_REMEMBERED && oldest !== undefined) writes.delete(oldest);
  }

  function forget(key: string, sending: Promise<SentWrite>): void {
    if (writes.get(key)?.sending === sending) writes.delete(key);
  }

  return {
    turn: async (key, signal) => {
      let onAbort = () => {};
      const ended = new Promise<void>((resolve) => {
        onAbort = resolve;
        signal?.addEventListener("abort", onAbort, { once: true });
      });
      for (let delivery = deliveries.get(key); delivery !== undefined && !signal?.aborted; delivery = deliveries.get(key))
        await Promise.race([delivery, ended]);
      signal?.removeEventListener("abort", onAbort);
      if (signal?.aborted) throw new FleetError("aborted", "the caller ended the call");
    },
    watch: (key, sending, { signal, delivered }) => {
      const delivery = new Promise<void>((resolve) => {
        let isOver = false;
        const over = (reached: boolean) => {
          signal?.removeEventListener("abort", onGone);
          if (!isOver && !reached) keep(key, sending);
          // Once: what was handed out since is not kept anew.
          isOver = true;
          resolve();
        };
        const onGone = () => over(false);
        const onSettled = async () => {
          // A transport may end the call's signal with its response: from now on only the delivery counts.
          signal?.removeEventListener("abort", onGone);
          const reached = (await delivered?.()) ?? !signal?.aborted;
          if (reached) forget(key, sending);
          over(reached);
        };
        if (signal?.aborted) onGone();
        signal?.addEventListener("abort", onGone, { once: true });
        sending.then(onSettled, (error: unknown) => {
          if (!changedNothing(error)) return void onSettled();
          over(true);
          forget(key, sending);
        });
        // A caller may be known to have left while the write is still under way, also where its leaving aborts nothing.
        delivered?.().then((reached) => reached || onGone(), onGone);
      });
      deliveries.set(key, delivery);
      delivery.then(() => deliveries.get(key) === delivery && deliveries.delete(key));
      underWay.add(sending);
      const end = () => void underWay.delete(sending);
      sending.then(end, end);
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
