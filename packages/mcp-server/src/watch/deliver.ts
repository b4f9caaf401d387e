import { setTimeout } from "node:timers/promises";
import type { WatchEvent } from "@fleetwire/tools/watch";
import type { Outbox, Receiver } from "./state-store.ts";
import type { Attempt } from "./webhook.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** The delays between attempts; after the last, the event is a dead letter, about a day after the first. */
const DELAYS = [5 * SECOND, 30 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 8 * HOUR, 8 * HOUR];
/** How often the outbox is looked at, in milliseconds. */
const LOOK = SECOND;

interface Channel extends Receiver {
  send: (event: WatchEvent) => Promise<Attempt>;
  notify: (message: string) => void;
}

/** Sends what is in an outbox until the signal fires, each event until it is delivered, for about a day. */
export async function deliver(outbox: Outbox, { name, send, notify }: Channel, signal: AbortSignal): Promise<void> {
  let isDisabled = outbox.isDisabled(name);
  let lastProblem: string | undefined;
  while (!signal.aborted) {
    const next = outbox.due(name, Date.now());
    if (!next) {
      await setTimeout(LOOK, undefined, { signal }).catch(() => {});
      continue;
    }
    const { event, attempts } = next;
    const attempt: Attempt = isDisabled ? { isDelivered: false, why: "disabled", isGone: true } : await send(event);
    if (attempt.isDelivered) {
      await outbox.sent(name, event.id);
      lastProblem = undefined;
      continue;
    }
    if (attempt.isGone && !isDisabled) {
      await outbox.disable(name);
      isDisabled = true;
      notify(`${name}: status 410: the receiver wants no more events; they are kept as dead letters`);
    }
    const delay = isDisabled ? undefined : DELAYS[attempts];
    await outbox.postpone(name, event.id, delay === undefined ? undefined : Date.now() + delay * (1 + Math.random() / 10));
    if (isDisabled) continue;
    if (delay === undefined)
      notify(`${name}: event ${event.id} could not be delivered for a day (${attempt.why}); it is kept as a dead letter`);
    else if (attempt.why !== lastProblem) notify(`${name}: ${attempt.why}; the event is sent again later`);
    lastProblem = attempt.why;
  }
}
