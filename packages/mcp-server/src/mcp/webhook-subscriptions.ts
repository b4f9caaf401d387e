import { createHash, randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { WatchEvent, WatchRule } from "@fleetwire/tools/watch";
import { ProtocolError } from "@modelcontextprotocol/server";
import { type Callback, CallbackVerification, callbackKey, isRefused, isSuccess, reasonOf, sendTo } from "./callback-verification.ts";
import { EVENT_ERRORS, type EventWatch, type EventWatches, exhausted, type Place } from "./event-watches.ts";
import type { EventShare } from "./served-events.ts";

interface Asked {
  /** Where to send events, and the secret that signs them. */
  delivery: { url: string; secret: string };
  cursor: string | undefined;
  /** Events that happened before are not replayed. */
  since: number | undefined;
  /** When the subscription ends, unless the caller asks for it again, in milliseconds since 1970. */
  until: number;
}

interface Subscription extends Callback {
  caller: string;
  isAllowed: EventShare["isAllowed"];
  /** Resolves to where it begins. */
  begun: Promise<Place>;
  ending: AbortController;
  expiry?: NodeJS.Timeout | undefined;
  rotation?: NodeJS.Timeout | undefined;
  /** Up to where events were delivered or given up. */
  cursor: string;
  deliveredAt?: string | undefined;
  failure?: { reason: string; since: string } | undefined;
}

interface WebhookOptions {
  /** The hosts to which events may be sent, with their port unless it is 443. */
  hosts: readonly string[];
  watches: EventWatches;
  /** Milliseconds between two looks at the fleet. */
  interval: number;
  toOccurrence: (when: string, event: WatchEvent) => Record<string, unknown>;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const MAX_PER_CALLER = 5;
/** After the last of these delays, an event is given up. */
const delaysFrom = (first: number) => [first, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 5 * MINUTE];
/** A receiver may ask for no more; a subscription ends before. */
const MAX_RETRY_AFTER = 15 * MINUTE;
/** How long messages are signed with a replaced secret too. */
const ROTATION = 5 * MINUTE;
const BATCH = 100;
/** A timer may fire a moment early, when what was read still counts as current. */
const MARGIN = 10;

function idOf(caller: string, rule: WatchRule, { href }: URL): string {
  const hash = createHash("sha256").update(JSON.stringify([caller, href, rule]));
  return `sub_${hash.digest("hex").slice(0, 32)}`;
}

function statusOf({ deliveredAt, failure }: Subscription): Record<string, unknown> {
  const lastError = failure?.reason ?? null;
  return { active: true, lastDeliveryAt: deliveredAt ?? null, lastError, ...(failure && { failedSince: failure.since }) };
}

/** Signs with the new key, and for a while with the one before. */
function replaceKey(subscription: Subscription, key: Buffer): void {
  const [before] = subscription.keys;
  if (!before || before.equals(key)) return;
  clearTimeout(subscription.rotation);
  subscription.keys = [key, before];
  const forget = () => {
    subscription.keys = [key];
  };
  subscription.rotation = globalThis.setTimeout(forget, ROTATION).unref();
}

/** The subscriptions whose events are sent to addresses of callers, as SEP-3415 describes. They end when their callers no longer ask for them. */
export class WebhookSubscriptions {
  readonly #options: WebhookOptions;
  readonly #callbacks: CallbackVerification;
  readonly #subscriptions = new Map<string, Subscription>();

  constructor(options: WebhookOptions) {
    this.#options = options;
    this.#callbacks = new CallbackVerification(options.hosts);
  }

  /** Begins a subscription, or prolongs the one that there is. */
  async subscribe(share: EventShare, rule: WatchRule, asked: Asked): Promise<Record<string, unknown>> {
    const { delivery, until } = asked;
    const { caller, isAllowed } = share;
    const url = this.#callbacks.allowed(delivery.url);
    const key = callbackKey(delivery.secret);
    const callback = { id: idOf(caller, rule, url), url, keys: [key] };
    this.#checkShare(callback.id, caller);
    await this.#callbacks.verify(caller, callback);
    this.#checkShare(callback.id, caller);
    const known = this.#subscriptions.get(callback.id);
    const subscription = known ?? this.#begin(callback, share, rule, asked);
    replaceKey(subscription, key);
    subscription.isAllowed = isAllowed;
    clearTimeout(subscription.expiry);
    subscription.expiry = globalThis.setTimeout(() => this.#end(subscription), Math.max(0, until - Date.now())).unref();
    const { isTruncated } = await subscription.begun;
    return {
      id: callback.id,
      refreshBefore: new Date(until).toISOString(),
      cursor: subscription.cursor,
      truncated: known === undefined && isTruncated,
      ...(known && { deliveryStatus: statusOf(known) }),
    };
  }

  unsubscribe({ caller }: EventShare, rule: WatchRule, url: string): void {
    const known = URL.canParse(url) ? this.#subscriptions.get(idOf(caller, rule, new URL(url))) : undefined;
    if (known === undefined) throw new ProtocolError(EVENT_ERRORS.notFound, "there is no such subscription", { kind: "subscription" });
    this.#end(known);
  }

  close(): void {
    for (const subscription of this.#subscriptions.values()) this.#end(subscription);
  }

  #checkShare(id: string, own: string): void {
    const others = [...this.#subscriptions.values()].filter((one) => one.caller === own && one.id !== id);
    if (others.length >= MAX_PER_CALLER) throw exhausted("webhooks", MAX_PER_CALLER, "End one of them with events/unsubscribe first");
  }

  #begin(callback: Callback, share: EventShare, rule: WatchRule, { cursor, since }: Asked): Subscription {
    let begin: (place: Place | PromiseLike<Place>) => void = () => {};
    const begun = new Promise<Place>((resolve) => {
      begin = resolve;
    });
    const subscription: Subscription = {
      ...callback,
      caller: share.caller,
      isAllowed: share.isAllowed,
      begun,
      ending: new AbortController(),
      cursor: "",
    };
    this.#subscriptions.set(callback.id, subscription);
    const run = async (watch: EventWatch, place: Place) => {
      subscription.cursor = watch.cursor(place.after);
      begin({ after: place.after, isTruncated: watch.page(place, BATCH, since).isTruncated });
      await this.#deliver(subscription, rule.when, watch, place, since);
    };
    this.#options.watches
      .use(share, rule, cursor, run)
      .catch((error: unknown) => begin(Promise.reject(error)))
      .finally(() => this.#end(subscription));
    return subscription;
  }

  /** Sends what happens until the subscription ends, one message after the other, so that a cursor never skips one that was not delivered. */
  async #deliver(subscription: Subscription, when: string, watch: EventWatch, start: Place, since: number | undefined): Promise<void> {
    const { signal } = subscription.ending;
    let place = start;
    let oldest = since;
    while (!signal.aborted) {
      const page = watch.page(place, BATCH, oldest);
      const [first] = page.events;
      const missed = page.isTruncated && place !== start;
      if (missed) {
        const cursor = watch.cursor(first ? first.number - 1 : page.after);
        await this.#post(subscription, `msg_gap_${randomUUID()}`, { type: "gap", cursor });
      }
      for (const { number, event } of page.events) {
        const cursor = watch.cursor(number);
        await this.#post(subscription, event.id, { ...this.#options.toOccurrence(when, event), cursor });
        if (signal.aborted) return;
        subscription.cursor = cursor;
      }
      oldest = undefined;
      place = { after: page.after, isTruncated: false };
      subscription.cursor = watch.cursor(page.after);
      if (page.hasMore) continue;
      await setTimeout(this.#options.interval + MARGIN, undefined, { signal, ref: false }).catch(() => {});
      // A service that fails for minutes is an event itself.
      if (!signal.aborted) await watch.read().catch(() => {});
    }
  }

  /** Sends a message until it is accepted or given up. */
  async #post(subscription: Subscription, id: string, message: object): Promise<void> {
    const { signal } = subscription.ending;
    for (const delay of [...delaysFrom(Math.min(SECOND, this.#options.interval)), undefined]) {
      if (!signal.aborted && (await subscription.isAllowed?.()) === false) this.#end(subscription);
      if (signal.aborted) return;
      const response = await sendTo(subscription, id, JSON.stringify(message));
      if (isSuccess(response)) {
        subscription.deliveredAt = new Date().toISOString();
        subscription.failure = undefined;
        return;
      }
      subscription.failure = { reason: reasonOf(response), since: subscription.failure?.since ?? new Date().toISOString() };
      if (isRefused(response) || delay === undefined) return;
      const asked = Math.min(response.status === undefined ? 0 : (response.retryAfter ?? 0), MAX_RETRY_AFTER);
      await setTimeout(Math.max(delay, asked), undefined, { signal, ref: false }).catch(() => {});
    }
  }

  #end(subscription: Subscription): void {
    clearTimeout(subscription.expiry);
    clearTimeout(subscription.rotation);
    subscription.ending.abort();
    if (this.#subscriptions.get(subscription.id) === subscription) this.#subscriptions.delete(subscription.id);
  }
}
