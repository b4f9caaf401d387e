import { createHash } from "node:crypto";
import type { WatchEvent, WatchStore } from "@fleetwire/tools/watch";

/** Where events have to be sent. */
export interface Receiver {
  name: string;
  /** Its address, of which only a hash is kept. */
  address: string;
}

/** An event that has to be sent to a receiver. */
interface Delivery {
  event: WatchEvent;
  attempts: number;
}

/** When something is tried again, and the delay that led to it, in milliseconds. */
export interface Retry {
  next: number;
  delay?: number | undefined;
}

export const retryAfter = (delay: number, now: number): Retry => ({ next: now + delay, delay });

/** Nothing waits longer than its delay: a clock that shows a time before the delay began has been set back. */
export const isDue = ({ next, delay = 0 }: Retry, now: number): boolean => next <= now || next - delay > now;

/** The events that have to be sent, for each channel. */
export interface Outbox {
  /** The next event that is due on a channel, oldest first. */
  due: (channel: string, now: number) => Delivery | undefined;
  sent: (channel: string, id: string) => void | Promise<void>;
  /** Tries an event again; undefined keeps it as a dead letter. */
  postpone: (channel: string, id: string, retry: Retry | undefined) => void | Promise<void>;
  /** Remembers that the receiver of a channel wants no more events. */
  disable: (channel: string) => void | Promise<void>;
  /** Whether the receiver wants no more events. One at another address has not said so. */
  isDisabled: (channel: string) => boolean;
}

/** What a watch keeps: what it knows, and an outbox for the events that it saves. */
export interface StateStore extends WatchStore, Outbox {
  deadLetters: (channel: string) => number;
  /** Makes everything due again, dead letters too, and sends to a receiver that wanted no more events. */
  revive: (channel: string) => void | Promise<void>;
  /** Fires when this process may no longer write, unless it opens the store again. */
  lost?: AbortSignal;
  close: () => void | Promise<void>;
}

/** Where the state of a watch is kept. */
export interface WatchState {
  /** Opens it once no other process uses it, if it can wait for that. Returns undefined if the signal fires before. */
  open: (signal: AbortSignal) => Promise<StateStore | undefined>;
  close: () => Promise<void>;
}

export function addressHash(receivers: readonly Receiver[], channel: string): string {
  const { address = "" } = receivers.find(({ name }) => name === channel) ?? {};
  return createHash("sha256").update(address).digest("base64url");
}

/** An event that somebody waits for. */
export interface Waiting {
  event: WatchEvent;
  /** Events are sent in this order. */
  seq: number;
  /** Whether the program has yet to handle it. */
  isPending: boolean;
  /** Where it has to be sent. A dead letter has no `next`. */
  channels: Record<string, { attempts: number } & Partial<Retry>>;
}

export interface OutboxChanges {
  /** Called when an event has changed, or with undefined once nobody waits for it. */
  onEvent?: (id: string, waiting: Waiting | undefined) => void | Promise<void>;
  /** Called with the hash of the address at which no more events are wanted, or with undefined. */
  onDisabled?: (channel: string, address: string | undefined) => void | Promise<void>;
}

interface MemoryOutbox extends Outbox, Pick<StateStore, "deadLetters" | "revive" | "delivered"> {
  /** By the event's id. */
  waiting: Map<string, Waiting>;
  /** Hashes of addresses, by channel. */
  disabled: Map<string, string>;
  /** An event as it is when it is new. */
  waitingFor: (event: WatchEvent, isPending: boolean) => Waiting;
  /** Continues with the events of an earlier process. */
  restore: (entries: Iterable<Waiting>) => void;
}

export function outboxInMemory(receivers: readonly Receiver[], { onEvent, onDisabled }: OutboxChanges = {}): MemoryOutbox {
  const waiting = new Map<string, Waiting>();
  const disabled = new Map<string, string>();
  let lastSeq = 0;
  const change = (id: string, edit: (entry: Waiting) => void) => {
    const entry = waiting.get(id);
    if (!entry) return;
    edit(entry);
    const isSettled = !entry.isPending && Object.keys(entry.channels).length === 0;
    if (isSettled) waiting.delete(id);
    return onEvent?.(id, isSettled ? undefined : entry);
  };
  const setDelivery = (channel: string, id: string, next: (attempts: number) => Waiting["channels"][string]) =>
    change(id, ({ channels }) => {
      channels[channel] = next(channels[channel]?.attempts ?? 0);
    });
  return {
    waiting,
    disabled,
    waitingFor: (event, isPending) => {
      const channels = Object.fromEntries(receivers.map(({ name }) => [name, { attempts: 0, next: 0 }]));
      return { event, seq: ++lastSeq, isPending, channels };
    },
    restore: (entries) => {
      for (const entry of [...entries].sort((a, b) => a.seq - b.seq)) {
        waiting.set(entry.event.id, entry);
        lastSeq = entry.seq;
      }
    },
    delivered: (id) =>
      change(id, (entry) => {
        entry.isPending = false;
      }),
    due: (channel, now) => {
      for (const { event, channels } of waiting.values()) {
        const { attempts = 0, next, delay } = channels[channel] ?? {};
        if (next !== undefined && isDue({ next, delay }, now)) return { event, attempts };
      }
      return undefined;
    },
    sent: (channel, id) => change(id, ({ channels }) => void delete channels[channel]),
    postpone: (channel, id, retry) => setDelivery(channel, id, (before) => ({ attempts: before + 1, ...retry })),
    deadLetters: (channel) =>
      [...waiting.values()].filter(({ channels: { [channel]: one } }) => one !== undefined && one.next === undefined).length,
    disable: (channel) => {
      const address = addressHash(receivers, channel);
      disabled.set(channel, address);
      return onDisabled?.(channel, address);
    },
    isDisabled: (channel) => disabled.get(channel) === addressHash(receivers, channel),
    revive: async (channel) => {
      disabled.delete(channel);
      await onDisabled?.(channel, undefined);
      for (const [id, { channels }] of waiting) if (channels[channel]) await setDelivery(channel, id, () => ({ attempts: 0, next: 0 }));
    },
  };
}

/** Keeps nothing beyond the process. */
export function stateInMemory(receivers: readonly Receiver[]): StateStore {
  const outbox = outboxInMemory(receivers);
  return {
    ...outbox,
    // Nobody could ever send it again.
    postpone: (channel, id, retry) => (retry === undefined ? outbox.sent(channel, id) : outbox.postpone(channel, id, retry)),
    load: () => ({ tracks: [], pending: [], readAt: undefined, noData: undefined }),
    save: ({ events }) => {
      if (receivers.length === 0) return;
      for (const event of events) outbox.waiting.set(event.id, outbox.waitingFor(event, false));
    },
    close: () => {},
  };
}
