import { createHash } from "node:crypto";
import { FleetError } from "@fleetwire/core";
import type { Caller, SentWrite } from "../tool.ts";
import { canonicalText } from "./confirmation-token.ts";

const REMEMBERED_MS = 10 * 60_000;
const MOST_REMEMBERED = 1_000;

interface Write {
  sending: Promise<SentWrite>;
  /** By a clock that nobody turns back. */
  until: number;
}

/** The writes of a process whose results did not reach their callers. What was delivered is not kept: it never changes what a later call does. */
export interface UndeliveredWrites {
  /** Keeps a write for as long as its result may fail to reach its caller. */
  watch(key: string, sending: Promise<SentWrite>, caller: Caller): void;
  /** Hands out, once, what became of a write of the last ten minutes. */
  take(key: string): Promise<SentWrite> | undefined;
}

/** The same key for the same arguments of the same tool. */
export const writeKey = (tool: string, args: Record<string, unknown>): string =>
  createHash("sha256")
    .update(canonicalText([tool, args]))
    .digest("base64url");

export function createUndeliveredWrites(): UndeliveredWrites {
  const writes = new Map<string, Write>();

  function keep(key: string, sending: Promise<SentWrite>): void {
    const write = { sending, until: performance.now() + REMEMBERED_MS };
    writes.delete(key);
    writes.set(key, write);
    const [oldest] = writes.keys();
    if (writes.size > MOST_REMEMBERED && oldest !== undefined) writes.delete(oldest);
    sending.catch((error: unknown) => {
      // Of what certainly changed nothing there is nothing to remember: the same call is simply made again.
      if (error instanceof FleetError && error.changed === "no" && writes.get(key) === write) writes.delete(key);
    });
  }

  return {
    watch: (key, sending, { signal, delivered }) => {
      let isKept = false;
      const onGone = () => {
        // Once: what was handed out since is not kept anew.
        if (!isKept) keep(key, sending);
        isKept = true;
      };
      if (signal?.aborted) onGone();
      signal?.addEventListener("abort", onGone, { once: true });
      const onSettled = async () => {
        const reached = (await delivered?.()) ?? true;
        signal?.removeEventListener("abort", onGone);
        if (!reached) onGone();
        else if (writes.get(key)?.sending === sending) writes.delete(key);
      };
      sending.then(onSettled, onSettled);
      // A caller may be known to have left while the write is still under way, also where its leaving aborts nothing.
      delivered?.().then((reached) => reached || onGone(), onGone);
    },
    take: (key) => {
      const write = writes.get(key);
      writes.delete(key);
      return write && write.until >= performance.now() ? write.sending : undefined;
    },
  };
}
