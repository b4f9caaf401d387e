import { setTimeout } from "node:timers/promises";
import type { WatchEvent } from "@fleetwire/tools/watch";
import { ProtocolError, ProtocolErrorCode, SUBSCRIPTION_ID_META_KEY } from "@modelcontextprotocol/server";
import { type EventWatch, eventFailure, type Place } from "./event-watches.ts";
import type { EventStream } from "./served-events.ts";

/** How often, at least, a client hears that the connection is alive. */
const HEARTBEAT = 15_000;
const BATCH = 100;
/** A timer may fire a moment early, when what was read still counts as current. */
const MARGIN = 10;

interface Streaming extends EventStream {
  /** Milliseconds between two looks at the fleet. */
  interval: number;
  /** Events that happened before are not replayed. */
  since: number | undefined;
  toOccurrence: (event: WatchEvent) => Record<string, unknown>;
}

function failureOf(error: unknown): { code: number; message: string } {
  const failure = eventFailure(error);
  return failure instanceof ProtocolError
    ? { code: failure.code, message: failure.message }
    : { code: ProtocolErrorCode.InternalError, message: "Internal error" };
}

/** Sends what happens as notifications, until the client ends the request, is gone, or has to ask again. */
export async function streamEvents(watch: EventWatch, start: Place, streaming: Streaming): Promise<void> {
  const { id, signal, lifetime, notify, interval, since, toOccurrence } = streaming;
  const ending = new AbortController();
  const end = () => ending.abort();
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  const expiry = lifetime === undefined ? undefined : globalThis.setTimeout(end, Math.max(0, lifetime));
  const send = async (what: string, fields: Record<string, unknown>) => {
    if (ending.signal.aborted) return;
    const params = { ...fields, _meta: { [SUBSCRIPTION_ID_META_KEY]: id } };
    // A client that is gone wants nothing more.
    await notify({ method: `notifications/events/${what}`, params }).catch(end);
  };
  let { after } = start;
  const heartbeat = setInterval(() => void send("heartbeat", { cursor: watch.cursor(after) }), Math.min(HEARTBEAT, 3 * interval));

  const sendNew = async (from: Place, oldest?: number) => {
    let place = from;
    for (let isFirst = true; ; isFirst = false) {
      const page = watch.page(place, BATCH, oldest);
      if (isFirst && (place === start || page.isTruncated))
        await send("active", { cursor: watch.cursor(after), truncated: page.isTruncated });
      for (const { number, event } of page.events) {
        await send("event", { ...toOccurrence(event), cursor: watch.cursor(number) });
        after = number;
      }
      after = page.after;
      if (!page.hasMore || ending.signal.aborted) return;
      place = { after, isTruncated: false };
    }
  };

  try {
    await sendNew(start, since);
    while (!ending.signal.aborted) {
      await setTimeout(interval + MARGIN, undefined, { signal: ending.signal }).catch(() => {});
      if (ending.signal.aborted) return;
      try {
        await watch.read();
      } catch (error) {
        await send("error", { error: failureOf(error) });
      }
      await sendNew({ after, isTruncated: false });
    }
  } finally {
    clearInterval(heartbeat);
    clearTimeout(expiry);
    signal.removeEventListener("abort", end);
  }
}
