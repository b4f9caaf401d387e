import { setTimeout } from "node:timers/promises";
import type { WatchEvent } from "@fleetwire/tools/watch";
import { isDue, type Outbox, type Receiver, retryAfter } from "./outbox.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** The delays between attempts; after the last, the event is a dead letter, about a day after the first. */
const delaysFrom = (first: number) => [first, 30 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 8 * HOUR, 8 * HOUR];
/** A receiver may ask for no more, or an event would wait longer than for one that does not respond at all. */
const MAX_RETRY_AFTER = HOUR;

/** What became of an attempt to deliver an event. */
interface Attempt {
  /** Why it was not delivered. */
  problem?: string;
  /** Whether the receiver wants no more events. */
  isGone?: boolean;
  /** Milliseconds for which the receiver wants nothing. */
  retryAfter?: number | undefined;
}

export interface Channel extends Receiver {
  /** Gives up when the signal fires. */
  send: (event: WatchEvent, signal: AbortSignal) => Promise<Attempt>;
}

interface Delivering {
  notify: (message: string) => void;
  /** How often the outbox is looked at, in milliseconds; at most a second. */
  look?: number;
  /** Milliseconds before an event is sent for the second time. */
  firstRetry?: number;
  /** Begins no more attempts when it fires. */
  ending: AbortSignal;
  /** Gives up an attempt in progress when it fires. */
  cancelling: AbortSignal;
}

/** Sends what is in an outbox until it ends, each event until it is delivered, for about a day. */
export async function deliver(
  outbox: Outbox,
  { name, send }: Channel,
  { notify, look = SECOND, firstRetry = 5 * SECOND, ending, cancelling }: Delivering,
): Promise<void> {
  const delays = delaysFrom(firstRetry);
  let isDisabled = outbox.isDisabled(name);
  let lastProblem: string | undefined;
  /** Until then, the receiver wants nothing. */
  let quiet = retryAfter(0, Date.now());
  while (!ending.aborted) {
    const next = isDue(quiet, Date.now()) ? outbox.due(name, Date.now()) : undefined;
    if (!next) {
      await setTimeout(Math.min(look, SECOND), undefined, { signal: ending }).catch(() => {});
      continue;
    }
    const { event, attempts } = next;
    const attempt: Attempt = isDisabled ? { problem: "disabled" } : await send(event, cancelling);
    if (attempt.problem === undefined) {
      await outbox.sent(name, event.id);
      lastProblem = undefined;
      continue;
    }
    if (attempt.isGone) {
      await outbox.disable(name);
      isDisabled = true;
      notify(`${name}: status 410: the receiver wants no more events; they are kept as dead letters`);
    }
    const asked = Math.min(attempt.retryAfter ?? 0, MAX_RETRY_AFTER);
    if (asked > 0) quiet = retryAfter(asked, Date.now());
    const delay = isDisabled ? undefined : delays[attempts];
    const backoff = Math.round((delay ?? 0) * (1 + Math.random() / 10));
    await outbox.failed(name, event.id, delay === undefined ? undefined : retryAfter(Math.max(backoff, asked), Date.now()));
    if (isDisabled) continue;
    if (delay === undefined)
      notify(`${name}: event ${event.id} could not be delivered for a day (${attempt.problem}); it is kept as a dead letter`);
    else if (attempt.problem !== lastProblem) notify(`${name}: ${attempt.problem}; the event is sent again later`);
    lastProblem = attempt.problem;
  }
}
