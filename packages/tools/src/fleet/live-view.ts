import { type CallOptions, type FleetClient, FleetError, type FleetErrorCode } from "@fleetwire/core";
import { isTransient } from "@fleetwire/core/internal";
import type { FleetToolsSettings } from "../model/settings.ts";
import { CALL_TIMEOUT, unref } from "../runtime/call-deadline.ts";
import { TimeSlices } from "../runtime/time-slices.ts";
import { firstShared, SharedRead } from "./cached-client.ts";
import { FleetView } from "./fleet-view.ts";
import { speedInput } from "./position.ts";

/**
 * A list that takes long to read stays current for longer, so that reading it takes about a third of the time. A failed read is repeated after a
 * third of that period.
 */
const READS_PER_REFRESH = 3;
/** A refresh begins this many times its expected duration before the view is too old. */
const MARGIN = 1.2;
/** How many refreshes follow a question. */
const REFRESHES_PER_QUESTION = 4;
/** Milliseconds after which old positions would mislead more than an error. */
const MAX_AGE_ON_FAILURE = 15 * 60_000;

/** Milliseconds for which a list may keep its readers waiting. Without an end, a service that sends records forever would stop all later reads. */
const MAX_READ = 5 * 60_000;

/** Bounds the work after each refresh. */
const MAX_WATCHERS = 500;
/** Milliseconds between two refreshes for those who watch if caching is off, and the most after failures. */
const WATCH_INTERVAL = 5_000;
const MAX_BACKOFF = 60_000;

/** Milliseconds after which an unused view is released. */
const IDLE = 10 * 60_000;
const SOLD_IDLE = 60_000;

/** A view of the fleet, its age in milliseconds and, if it is older than usual because the service is failing, the error code. */
export interface FleetRead {
  view: FleetView;
  age: number;
  failure: FleetErrorCode | undefined;
}

/** Keeps one view of the fleet current while there are questions, or somebody watches. */
export class LiveView {
  readonly #fleet: FleetClient;
  readonly #settings: FleetToolsSettings;
  readonly #now: () => number;
  /** Whether the view includes vehicles that are no longer in the fleet. Few questions concern them, so it is not refreshed between questions. */
  readonly #withSold: boolean;
  #view = new FleetView();
  #reading: SharedRead<void> | undefined;
  /** A list that outlasted a call but is still arriving: it may be complete before a newer one. */
  #late: SharedRead<void> | undefined;
  /** Whether a list is being read into the view. Any other is read into a view of its own. */
  #isFilling = false;
  /** When the last list was complete; before the first, the view is infinitely old. */
  #readAt = Number.NEGATIVE_INFINITY;
  /** How long it took, in milliseconds. */
  #duration = 0;
  /** The budget of reads left since the last question: a refresh takes {@link READS_PER_REFRESH}, a failed one takes one, for watchers even below zero. */
  #readsLeft = 0;
  readonly #watchers = new Set<(view: FleetView) => void>();
  /** When the last request began, and how it failed, if it did. */
  #attemptedAt = 0;
  #failure: FleetErrorCode | undefined;
  #writes = 0;
  /** Number of writes before the last list was requested. */
  #writesBeforeRead = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the timer is due. */
  #dueAt = 0;

  constructor(fleet: FleetClient, settings: FleetToolsSettings, now: () => number, withSold: boolean) {
    this.#fleet = fleet;
    this.#settings = settings;
    this.#now = now;
    this.#withSold = withSold;
  }

  invalidate(): void {
    this.#writes++;
  }

  // The list is read for all callers, now and again in the background: it belongs to no one call's trace.
  async read({ signal, trace: _, ...options }: CallOptions): Promise<FleetRead> {
    this.#readsLeft = REFRESHES_PER_QUESTION * READS_PER_REFRESH;
    const writes = this.#writes;
    let isAnswered = this.#isCurrent(writes);
    while (!isAnswered && !(this.#isUsableAfterFailure(writes) && !this.#isRetryDue)) {
      try {
        await firstShared(() => this.#current(options), signal, "listLivePositions", this.#late);
      } catch (error) {
        if (!this.#isUsableAfterFailure(writes)) throw error;
      }
      // Even if results are not cached, this one was read for this caller.
      isAnswered = this.#failure === undefined && this.#writesBeforeRead >= writes;
    }
    this.#schedule(options);
    return { view: this.#view, age: this.#age, failure: isAnswered ? undefined : this.#failure };
  }

  /** Keeps the view current, and calls a function after each list, until the returned function is called. */
  watch(onList: (view: FleetView) => void): () => void {
    if (this.#watchers.size >= MAX_WATCHERS) {
      throw new FleetError("rateLimited", `${MAX_WATCHERS} vehicles are being watched already, which is the maximum`, {
        advice: "End a subscription that is no longer needed, then try again",
      });
    }
    this.#watchers.add(onList);
    this.#schedule({});
    return () => this.#watchers.delete(onList);
  }

  /** Age in milliseconds while questions keep the view current; undefined if nobody asks, or before the first list. */
  get ageInUse(): number | undefined {
    return this.#hasReadsLeft && Number.isFinite(this.#age) ? this.#age : undefined;
  }

  /** A view from the future was read before the clock was set back, so it may be old. */
  get #age(): number {
    return Math.abs(this.#now() - this.#readAt);
  }

  /** The age in milliseconds up to which the view is current. */
  get #maxAge(): number {
    const { snapshotSeconds } = this.#settings;
    return snapshotSeconds === 0 ? 0 : Math.max(snapshotSeconds * 1000, READS_PER_REFRESH * this.#duration);
  }

  #isCurrent(writes: number): boolean {
    return this.#writesBeforeRead >= writes && this.#age < this.#maxAge;
  }

  /** Whether the service is failing but the view may still be shown. */
  #isUsableAfterFailure(writes: number): boolean {
    const isFailing = isTransient({ code: this.#failure });
    const isKept = this.#settings.snapshotSeconds > 0 && this.#age < MAX_AGE_ON_FAILURE;
    return isFailing && isKept && this.#writesBeforeRead >= writes;
  }

  /** Whether a caller has to try again, because nothing else does. */
  get #isRetryDue(): boolean {
    return this.#withSold && this.#now() - this.#attemptedAt >= this.#maxAge;
  }

  /** The read that a new caller joins: the one in flight, unless it takes longer than a call, or its last caller has left. */
  #current(options: CallOptions, isKept = false): SharedRead<void> {
    if (this.#now() - this.#attemptedAt > CALL_TIMEOUT) this.#reading?.markLate();
    return this.#reading?.isJoinable ? this.#reading : this.#start(options, isKept);
  }

  #start(options: CallOptions, isKept: boolean): SharedRead<void> {
    this.#attemptedAt = this.#now();
    let isArriving = false;
    const onRecord = () => {
      isArriving = true;
    };
    const read = new SharedRead((signal) => this.#fill({ ...options, totalTimeout: MAX_READ, signal }, onRecord), isKept);
    read.whenLate(() => {
      if (this.#late || !(isArriving || isKept)) return;
      read.isKept = true;
      this.#late = read;
    });
    const end = (failure: FleetErrorCode | undefined) => {
      if (this.#late === read) this.#late = undefined;
      if (this.#reading !== read && failure !== undefined) return;
      if (this.#reading === read) this.#reading = undefined;
      this.#failure = failure;
    };
    this.#reading = read;
    read.result.then(
      () => end(undefined),
      (error: unknown) => end(error instanceof FleetError ? error.code : "contract"),
    );
    return read;
  }

  async #fill(options: CallOptions, onRecord: () => void): Promise<void> {
    const [writes, begun] = [this.#writes, performance.now()];
    const isInPlace = !this.#isFilling;
    const view = isInPlace ? this.#view : new FleetView(this.#view);
    const input = { ...speedInput(this.#settings), ...(this.#withSold && { showAllVehicleStatus: true }) };
    this.#isFilling = true;
    try {
      const update = view.update(this.#settings.maxVehicles);
      await new TimeSlices().eachOf(this.#fleet.listLivePositions.iterate(input, options), (record) => {
        update.add(record);
        onRecord();
      });
      await update.end();
    } finally {
      if (isInPlace) this.#isFilling = false;
    }
    options.signal?.throwIfAborted();
    if (!isInPlace) this.#late?.abort();
    this.#view = view;
    this.#readAt = this.#now();
    this.#writesBeforeRead = writes;
    this.#duration = performance.now() - begun;
    for (const onList of this.#watchers) onList(view);
  }

  /** Milliseconds between two refreshes; 0 if there are none. */
  get #interval(): number {
    return this.#maxAge || (this.#watchers.size > 0 ? WATCH_INTERVAL : 0);
  }

  get #hasReadsLeft(): boolean {
    return !this.#withSold && this.#interval > 0 && (this.#readsLeft > 0 || this.#watchers.size > 0);
  }

  /** Schedules the next refresh, so that it ends before the view is too old, or the release of an unused view. */
  #schedule(options: CallOptions): void {
    const interval = this.#interval;
    const retry = Math.min((interval / READS_PER_REFRESH) * 2 ** Math.max(0, -this.#readsLeft), Math.max(interval, MAX_BACKOFF));
    const refreshAt = this.#failure === undefined ? this.#readAt + interval - MARGIN * this.#duration : this.#attemptedAt + retry;
    const at = this.#hasReadsLeft ? refreshAt : this.#now() + (this.#withSold ? SOLD_IDLE : IDLE);
    // Most questions change nothing, and a timer that each of them restarts might never fire.
    if (this.#timer !== undefined && at === this.#dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = at;
    this.#timer = setTimeout(() => this.#refresh(options), Math.max(0, at - this.#now()));
    unref(this.#timer);
  }

  async #refresh(options: CallOptions): Promise<void> {
    this.#timer = undefined;
    if (!this.#hasReadsLeft) return this.#release();
    await this.#current(options, true).result.catch(() => {});
    this.#readsLeft = this.#failure === undefined ? Math.max(0, this.#readsLeft - READS_PER_REFRESH) : this.#readsLeft - 1;
    this.#schedule(options);
  }

  #release(): void {
    this.#view = new FleetView(this.#view);
    this.#readAt = Number.NEGATIVE_INFINITY;
  }
}
