import { FleetError } from "@fleetwire/core";
import { withAdvice } from "@fleetwire/core/internal";
import { type OpenWatch, openWatch, type WatchEvent, type WatchRule } from "@fleetwire/tools/watch";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { EventShare } from "./served-events.ts";

/** The codes of SEP-3415. */
export const EVENT_ERRORS = { notFound: -32023, exhausted: -32025, unsupported: -32026, callback: -32027 } as const;

/** Bounds how often one customer's callers can have the server look at the fleet. */
const MAX_WATCHES = 100;
/** How long a subscription is remembered that nobody polls. */
const IDLE = 5 * 60_000;
/** How many events of one subscription are kept for those who come back. */
const MAX_KEPT = 200;

const invalid = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

type EventLimit = "subscriptions" | "streams" | "webhooks" | "verifications" | "watched vehicles";

/** Says which limit is reached, and what to do. */
export const exhausted = (limit: EventLimit, max: number, advice: string): ProtocolError =>
  new ProtocolError(EVENT_ERRORS.exhausted, `the limit of ${max} ${limit} is reached. ${advice}`, { limit, max });

type Tail<List extends readonly unknown[]> = List extends readonly [unknown, ...infer Rest] ? Rest : never;

/** Where a subscriber is, as its cursor says. */
export interface Place {
  /** The number of the last event that it has. */
  after: number;
  /** Whether there may have been events that it will never get. */
  isTruncated: boolean;
}

interface Numbered {
  number: number;
  event: WatchEvent;
}

interface Page extends Place {
  events: readonly Numbered[];
  hasMore: boolean;
}

/** One subscription: what has happened since somebody began to poll it, as far as it is kept. */
export class EventWatch {
  readonly id = crypto.randomUUID();
  #kept: Numbered[] = [];
  #count = 0;
  #reading: Promise<void> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  readonly #watch: OpenWatch;
  readonly #minAge: number;

  constructor(watch: OpenWatch, minAge: number) {
    this.#watch = watch;
    this.#minAge = minAge;
  }

  get end(): number {
    return this.#count;
  }

  cursor(after: number): string {
    return `${this.id}.${after}`;
  }

  /** Reads the fleet, unless it was read a moment ago. All subscribers share one read, so none of them can abort it. */
  async read(): Promise<void> {
    if (performance.now() - this.#readAt < this.#minAge) return;
    this.#reading ??= this.#readNow().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  async #readNow(): Promise<void> {
    for (const event of await this.#watch.next()) this.#kept.push({ number: ++this.#count, event });
    this.#kept = this.#kept.slice(-MAX_KEPT);
    this.#readAt = performance.now();
  }

  /** Returns what came after a place, without events that happened before `since`. */
  page({ after, isTruncated }: Place, most: number, since = Number.NEGATIVE_INFINITY): Page {
    const first = this.#count - this.#kept.length;
    const later = this.#kept.filter(({ number }) => number > after);
    const recent = later.filter(({ event }) => Date.parse(event.at) >= since);
    const events = recent.slice(0, most);
    const hasMore = events.length < recent.length;
    return {
      events,
      hasMore,
      after: hasMore ? (events.at(-1) as Numbered).number : this.#count,
      isTruncated: isTruncated || after < first || recent.length < later.length,
    };
  }
}

interface Entry {
  caller: string;
  opened: Promise<EventWatch>;
  /** Its id, once it is open. */
  id?: string;
  users: number;
  /** Of how many vehicles it remembers something. */
  vehicles: number;
  timer?: NodeJS.Timeout;
}

/** The subscriptions of one customer's callers. Nothing is read unless one of them is used, and one that is not used is forgotten. */
export class EventWatches {
  readonly #fleet: Parameters<typeof openWatch>[0];
  readonly #minAge: number;
  readonly #entries = new Map<string, Entry>();
  readonly #streams = new Map<string, number>();

  constructor(fleet: Parameters<typeof openWatch>[0], minAge: number) {
    this.#fleet = fleet;
    this.#minAge = minAge;
  }

  /** Uses a caller's subscription, which begins if there is none, and tells where its cursor is. It is kept for as long as it is in use. */
  async use<Result>(
    share: EventShare,
    rule: WatchRule,
    cursor: string | undefined,
    run: (watch: EventWatch, place: Place) => Promise<Result>,
  ): Promise<Result> {
    const key = JSON.stringify([share.caller, rule]);
    const known = this.#entries.get(key);
    const asked = cursor === undefined ? undefined : this.#asked(cursor, known);
    const entry = known ?? this.#begin(key, share, rule);
    clearTimeout(entry.timer);
    entry.users++;
    try {
      const watch = await entry.opened;
      entry.id = watch.id;
      await watch.read();
      // Whoever starts from now gets nothing that happened before, and a cursor that is no longer known is as good as none.
      const isKnown = asked !== undefined && asked.id === watch.id && asked.after <= watch.end;
      return await run(watch, { after: isKnown ? asked.after : watch.end, isTruncated: cursor !== undefined && !isKnown });
    } finally {
      entry.users--;
      if (entry.users === 0) entry.timer = setTimeout(() => this.#forget(key, entry), IDLE).unref();
    }
  }

  /** As `use`, for a stream, of which a caller may have as many at a time as subscriptions. */
  async stream<Result>(share: EventShare, ...rest: Tail<Parameters<typeof this.use<Result>>>): Promise<Result> {
    const { caller, most } = share;
    const open = this.#streams.get(caller) ?? 0;
    const max = Math.min(most, MAX_WATCHES);
    if (open >= max) throw exhausted("streams", max, "End one of them first");
    this.#streams.set(caller, open + 1);
    try {
      return await this.use(share, ...rest);
    } finally {
      const left = (this.#streams.get(caller) ?? 0) - 1;
      if (left > 0) this.#streams.set(caller, left);
      else this.#streams.delete(caller);
    }
  }

  #asked(cursor: string, own: Entry | undefined): { id: string; after: number } {
    const [, id = "", after = ""] = /^([\da-f-]{36})\.(\d{1,15})$/.exec(cursor) ?? [];
    if (id === "") throw invalid("cursor: was not issued by this server. Pass null to start from now");
    const other = [...this.#entries.values()].find((entry) => entry.id === id);
    if (other !== undefined && other !== own)
      throw invalid("cursor: belongs to another subscription. Pass the last cursor of this one, or null to start from now");
    return { id, after: Number(after) };
  }

  #begin(key: string, { caller, most, vehicles: maxVehicles }: EventShare, rule: WatchRule): Entry {
    const own = [...this.#entries.values()].filter((entry) => entry.caller === caller);
    const max = own.length >= most ? most : MAX_WATCHES;
    if (own.length >= most || this.#entries.size >= MAX_WATCHES)
      throw exhausted("subscriptions", max, `One ends ${IDLE / 60_000} minutes after it was last polled or streamed`);
    const onSize = (vehicles: number) => {
      const others = [...this.#entries.values()].reduce((sum, other) => sum + other.vehicles, 0);
      if (others + vehicles > maxVehicles)
        throw exhausted(
          "watched vehicles",
          maxVehicles,
          "Each subscription counts its own. Name a vehicle, driver or group, or end one first",
        );
      entry.vehicles = vehicles;
    };
    const opened = openWatch(this.#fleet, { rules: [rule] }, { onSize }).then((watch) => new EventWatch(watch, this.#minAge));
    const entry: Entry = { caller, opened, users: 0, vehicles: 0 };
    this.#entries.set(key, entry);
    entry.opened.catch(() => this.#forget(key, entry));
    return entry;
  }

  #forget(key: string, entry: Entry): void {
    clearTimeout(entry.timer);
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
  }
}

/** Says what a caller can do about a failure of the tools. */
export function eventFailure(error: unknown): unknown {
  if (!(error instanceof FleetError)) return error;
  const { code } = error;
  return new ProtocolError(
    code === "input" ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
    `${code}: ${withAdvice(error)}`,
  );
}
