import { createHash } from "node:crypto";
import { isRecord } from "@fleetwire/core/internal";
import type { SavedWatch, WatchEvent, WatchStore } from "@fleetwire/tools/watch";

/** How long the ids of delivered events are remembered, in milliseconds. */
const KEPT = 30 * 24 * 3_600_000;

/** Where events have to be sent. */
export interface Receiver {
  name: string;
  /** Its address, of which only a hash is kept. */
  address: string;
}

/** When something is tried again, and the delay that led to it, in milliseconds. */
interface Retry {
  next: number;
  delay?: number | undefined;
}

export const retryAfter = (delay: number, now: number): Retry => ({ next: now + delay, delay });

/** Nothing waits longer than its delay: a clock that shows a time before the delay began has been set back. */
export const isDue = ({ next, delay = 0 }: Retry, now: number): boolean => next <= now || next - delay > now;

/** A text that a journal keeps under a name; undefined removes it. */
export type Change = readonly [name: string, text: string | undefined];

/** Keeps the texts of an outbox. */
export interface Journal {
  /** Calls `read` with everything that is kept. What `read` throws means that it is damaged. */
  load: (read: (name: string, text: string) => void) => Promise<void>;
  /** Keeps all changes or, if it throws, none. Without events, they do not depend on each other. */
  put: (changes: readonly Change[]) => Promise<void>;
  /** Whether nothing is kept beyond the process. */
  isTransient?: true;
  /** Fires when this process may no longer write, unless it opens the journal again. */
  lost?: AbortSignal;
  close: () => Promise<void>;
}

/** Where the state of a watch is kept. */
export interface WatchState {
  /** Opens it once no other process uses it, if it can wait for that. Returns undefined if the signal fires before. */
  open: (signal: AbortSignal) => Promise<Journal | undefined>;
  close: () => Promise<void>;
}

export const inMemory: Journal = { load: async () => {}, put: async () => {}, isTransient: true, close: async () => {} };

/** An event that somebody waits for. */
interface Waiting {
  event: WatchEvent;
  /** Events are sent in this order. */
  seq: number;
  /** Whether the program has yet to handle it. */
  isPending: boolean;
  /** Where it has to be sent. A dead letter has no `next`. */
  channels: Record<string, { attempts: number } & Partial<Retry>>;
}

const damaged = () => new SyntaxError("malformed state");

function recordIn(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value)) throw damaged();
  return value;
}

function waitingIn(text: string): Waiting {
  const { event, seq, channels, ...more } = recordIn(text);
  const isEvent = isRecord(event) && ["id", "when", "text", "at"].every((key) => typeof event[key] === "string");
  if (!isEvent || typeof seq !== "number" || !isRecord(channels)) throw damaged();
  return { event, seq, channels, ...more } as unknown as Waiting;
}

function numberIn(value: unknown): number {
  if (Number.isFinite(Number(value))) return Number(value);
  throw damaged();
}

/** What a watch knows, and the events that have to be handled and sent. It is in memory, and kept in a journal before anything follows from it. */
export class Outbox implements WatchStore {
  readonly #receivers: readonly Receiver[];
  readonly #journal: Journal;
  #saved: SavedWatch = { tracks: [], pending: [], readAt: undefined, noData: undefined };
  /** By the event's id. */
  readonly #waiting = new Map<string, Waiting>();
  /** When nobody waited for an event any more, by its id, oldest first. It is not saved again. */
  #settled = new Map<string, number>();
  /** Hashes of the addresses at which no more events are wanted, by channel. */
  readonly #disabled = new Map<string, string>();
  #lastSeq = 0;

  private constructor(receivers: readonly Receiver[], journal: Journal) {
    this.#receivers = receivers;
    this.#journal = journal;
  }

  /** Continues with what the journal keeps. */
  static async open(receivers: readonly Receiver[], journal: Journal): Promise<Outbox> {
    const outbox = new Outbox(receivers, journal);
    const tracks = new Map<string, string>();
    const waiting: Waiting[] = [];
    const settled: [string, number][] = [];
    let read: Record<string, unknown> = {};
    await journal.load((name, text) => {
      const kind = name.split(" ", 1)[0] as string;
      const key = name.slice(kind.length + 1);
      if (kind === "event") waiting.push(waitingIn(text));
      else if (kind === "settled") settled.push([key, numberIn(text)]);
      else if (kind === "disabled") outbox.#disabled.set(key, text);
      else if (kind === "read") {
        read = recordIn(text);
        numberIn(read["readAt"] ?? 0);
      } else if (kind === "track") {
        recordIn(text);
        tracks.set(key, text);
      }
    });
    outbox.#settled = new Map(settled.sort(([, a], [, b]) => a - b));
    for (const entry of waiting.sort((a, b) => a.seq - b.seq)) {
      outbox.#waiting.set(entry.event.id, entry);
      outbox.#lastSeq = entry.seq;
    }
    const { readAt, noData } = read as Partial<SavedWatch>;
    const pending = waiting.filter(({ isPending }) => isPending).map(({ event }) => event);
    outbox.#saved = { tracks, pending, readAt: readAt ?? undefined, noData: noData ?? undefined };
    return outbox;
  }

  load(): SavedWatch {
    const saved = this.#saved;
    // They may be large, and whoever loads them keeps them.
    this.#saved = { ...saved, tracks: [] };
    return saved;
  }

  async save({ tracks, events, readAt, noData }: Parameters<WatchStore["save"]>[0]): Promise<void> {
    const added = events
      .filter(({ id }) => !this.#waiting.has(id) && !this.#settled.has(id))
      .map((event): Waiting => {
        const channels = Object.fromEntries(this.#receivers.map(({ name }) => [name, { attempts: 0, next: 0 }]));
        return { event, seq: ++this.#lastSeq, isPending: true, channels };
      });
    const forgotten: string[] = [];
    const end = Date.now() - KEPT;
    for (const [id, at] of this.#settled) {
      if (at > end) break;
      forgotten.push(id);
    }
    await this.#journal.put([
      ...[...tracks].map(([key, track]): Change => [`track ${key}`, track]),
      ...added.map((entry): Change => [`event ${entry.event.id}`, JSON.stringify(entry)]),
      ...forgotten.map((id): Change => [`settled ${id}`, undefined]),
      ["read", JSON.stringify({ readAt, noData })],
    ]);
    // Only what is saved may be delivered.
    for (const entry of added) this.#waiting.set(entry.event.id, entry);
    for (const id of forgotten) this.#settled.delete(id);
  }

  delivered(id: string): Promise<void> {
    return this.#change(id, (entry) => {
      entry.isPending = false;
    });
  }

  /** The next event that is due on a channel, oldest first. */
  due(channel: string, now: number): { event: WatchEvent; attempts: number } | undefined {
    for (const { event, channels } of this.#waiting.values()) {
      const { attempts = 0, next, delay } = channels[channel] ?? {};
      if (next !== undefined && isDue({ next, delay }, now)) return { event, attempts };
    }
    return undefined;
  }

  sent(channel: string, id: string): Promise<void> {
    return this.#change(id, ({ channels }) => void delete channels[channel]);
  }

  /** Tries an event again; undefined keeps it as a dead letter. */
  failed(channel: string, id: string, retry: Retry | undefined): Promise<void> {
    // Nobody could ever send it again.
    if (retry === undefined && this.#journal.isTransient) return this.sent(channel, id);
    return this.#change(id, ({ channels }) => {
      channels[channel] = { attempts: (channels[channel]?.attempts ?? 0) + 1, ...retry };
    });
  }

  deadLetters(channel: string): number {
    return [...this.#waiting.values()].filter(({ channels: { [channel]: one } }) => one !== undefined && one.next === undefined).length;
  }

  /** Remembers that the receiver of a channel wants no more events. */
  async disable(channel: string): Promise<void> {
    const address = this.#addressHash(channel);
    this.#disabled.set(channel, address);
    await this.#journal.put([[`disabled ${channel}`, address]]);
  }

  /** Whether the receiver wants no more events. One at another address has not said so. */
  isDisabled(channel: string): boolean {
    return this.#disabled.get(channel) === this.#addressHash(channel);
  }

  /** Makes everything due again, dead letters too, and sends to a receiver that wanted no more events. */
  async revive(channel: string): Promise<void> {
    this.#disabled.delete(channel);
    const changes: Change[] = [[`disabled ${channel}`, undefined]];
    for (const [id, entry] of this.#waiting) {
      if (!entry.channels[channel]) continue;
      entry.channels[channel] = { attempts: 0, next: 0 };
      changes.push([`event ${id}`, JSON.stringify(entry)]);
    }
    await this.#journal.put(changes);
  }

  async #change(id: string, edit: (entry: Waiting) => void): Promise<void> {
    const entry = this.#waiting.get(id);
    if (!entry) return;
    edit(entry);
    if (entry.isPending || Object.keys(entry.channels).length > 0) return this.#journal.put([[`event ${id}`, JSON.stringify(entry)]]);
    this.#waiting.delete(id);
    if (this.#journal.isTransient) return;
    const now = Date.now();
    this.#settled.set(id, now);
    await this.#journal.put([
      [`event ${id}`, undefined],
      [`settled ${id}`, String(now)],
    ]);
  }

  #addressHash(channel: string): string {
    const { address = "" } = this.#receivers.find(({ name }) => name === channel) ?? {};
    return createHash("sha256").update(address).digest("base64url");
  }
}
