import { type CallOptions, type FleetClient, FleetError, type FleetErrorCode, type Operation, operations } from "@fleetwire/core";
import type { FleetToolsSettings } from "../model/settings.ts";
import { unlessAborted, unref } from "../runtime/call-deadline.ts";
import { TimeSlices } from "../runtime/time-slices.ts";
import { tooLarge } from "./fleet-view.ts";

/** A read in flight that several callers wait for. */
export class SharedRead<Result> {
  readonly result: Promise<Result>;
  /** Whether the read continues even if nobody is waiting for it. */
  isKept: boolean;
  readonly #cancel = new AbortController();
  #waiting = 0;
  #isDone = false;
  #isLate = false;
  readonly #onLate: (() => void)[] = [];

  constructor(send: (signal: AbortSignal) => Promise<Result>, isKept = false) {
    this.isKept = isKept;
    this.result = send(this.#cancel.signal);
    const done = () => {
      this.#isDone = true;
    };
    this.result.then(done, done);
  }

  /** Whether the read has taken longer than a call that waited for it from the start. Others must not depend on it alone. */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** Whether a new caller can wait for it. It is aborted once its last caller has left. */
  get isJoinable(): boolean {
    return this.#isDone || !(this.#cancel.signal.aborted || this.#isLate);
  }

  markLate(): void {
    if (this.#isLate || this.#isDone) return;
    this.#isLate = true;
    for (const listener of this.#onLate.splice(0)) listener();
  }

  whenLate(listener: () => void): void {
    this.#onLate.push(listener);
  }

  abort(): void {
    this.#cancel.abort();
  }

  /** Waits until the caller's signal fires. */
  async wait(signal: AbortSignal, operation: string): Promise<Result> {
    this.#waiting++;
    const left = () => new FleetError("aborted", `${operation}: the caller aborted the call`, { operation });
    try {
      return await unlessAborted(signal, this.result, left);
    } finally {
      this.#waiting--;
      if (this.#waiting === 0 && !this.#isDone && !this.isKept) this.#cancel.abort();
    }
  }
}

/**
 * Waits for the current read, which `current` joins or starts, and returns whichever read succeeds first: once a read is late, its callers wait for a
 * new one too, whose failure counts instead.
 */
export async function firstShared<Read extends SharedRead<unknown>>(
  current: () => Read,
  signal: AbortSignal | undefined,
  operation: string,
  late?: Read,
): Promise<Read> {
  const leaving = new AbortController();
  const first = current();
  const leave = () => {
    leaving.abort();
    // By its deadline.
    if (signal?.reason instanceof FleetError) first.markLate();
  };
  if (signal?.aborted) leaving.abort();
  signal?.addEventListener("abort", leave, { once: true });
  try {
    return await new Promise<Read>((resolve, reject) => {
      const join = (read: Read) => {
        const fail = (error: unknown) => {
          if (!read.isLate || leaving.signal.aborted) reject(error);
        };
        read.wait(leaving.signal, operation).then(() => resolve(read), fail);
        read.whenLate(() => {
          if (!leaving.signal.aborted) join(current());
        });
      };
      join(first);
      late?.wait(leaving.signal, operation).then(
        () => resolve(late),
        () => {},
      );
    });
  } finally {
    signal?.removeEventListener("abort", leave);
    leaving.abort();
  }
}

/** Options for a read that may be served from the cache. */
export interface ReadOptions extends CallOptions {
  /**
   * Called with the age of the result in milliseconds (0 if it was just read) and, if the result is older than usual because the service
   * is failing, with the error code.
   */
  onRead?: (age: number, failure?: FleetErrorCode) => void;
}

type Read = (input?: unknown, options?: ReadOptions) => Promise<unknown>;
type Pages = (input?: unknown, options?: ReadOptions) => AsyncGenerator<unknown, void, void>;
type Method = Read & { pages?: Pages; iterate?: Pages };

class CachedRead extends SharedRead<unknown> {
  /** When the result arrived; undefined while in flight. */
  readAt: number | undefined;
}

/** Maximum number of cached results; each may be a whole fleet. */
const MAX_CACHED_READS = 8;

const BROKEN: ReadonlySet<FleetErrorCode> = new Set(["network", "timeout"]);

/**
 * Reads a list record by record if the operation streams it, because parsing the list of a large fleet at once would block other callers.
 * The client does not retry a stream whose response has begun, so if that breaks, the list is read as a whole.
 */
async function readInSlices(method: Method, input: unknown, options: ReadOptions, maxVehicles: number): Promise<unknown> {
  const { iterate, pages } = method;
  if (!iterate || pages) return method(input, options);
  const records: unknown[] = [];
  try {
    await new TimeSlices().eachOf(iterate(input, options), (record) => {
      if (records.push(record) > maxVehicles) throw tooLarge(maxVehicles);
    });
  } catch (error) {
    if (error instanceof FleetError && BROKEN.has(error.code) && error.status !== undefined) return method(input, options);
    throw error;
  }
  return records;
}

/**
 * Wraps a client so that reads are cached for a few seconds, and identical reads in flight are merged. Results are shared, so do not modify them. The
 * cache is cleared before and after each write, because reads during a write may be outdated. The same applies to what `onWrite` invalidates.
 */
export function cachedClient(
  fleet: FleetClient,
  { snapshotSeconds, maxVehicles }: FleetToolsSettings,
  now: () => number,
  onWrite: () => void,
): FleetClient {
  const lifetime = snapshotSeconds * 1000;
  let reads = new Map<string, CachedRead>();

  // Reads in flight still complete for their current callers, but new callers do not join them.
  const clear = () => {
    reads = new Map();
    onWrite();
  };

  const ageOf = ({ readAt = now() }: CachedRead) => now() - readAt;

  const fresh = (key: string) => {
    const read = reads.get(key);
    return read && (read.readAt === undefined || ageOf(read) < lifetime) ? read : undefined;
  };

  const store = (key: string, send: (signal: AbortSignal) => Promise<unknown>) => {
    const current = reads;
    const read = new CachedRead(send);
    const forget = () => {
      if (current.get(key) === read) current.delete(key);
    };
    current.set(key, read);
    read.result.then(() => {
      read.readAt = now();
      if (lifetime === 0) forget();
      else unref(setTimeout(forget, lifetime));
      for (const oldest of [...current.keys()].slice(0, Math.max(0, current.size - MAX_CACHED_READS))) current.delete(oldest);
    }, forget);
    return read;
  };

  /** Returns a cached result, joins a read in flight, or starts a new one. */
  const cachedRead =
    (name: string, method: Method): Read =>
    async (input = {}, { onRead, signal, trace, ...settings } = {}) => {
      const key = JSON.stringify([name, input, settings]);
      const send = (shared: AbortSignal) =>
        readInSlices(method, input, { ...settings, ...(trace && { trace }), signal: shared }, maxVehicles);
      const current = () => {
        const read = fresh(key);
        return read?.isJoinable ? read : store(key, send);
      };
      const read = await firstShared(current, signal, name);
      onRead?.(ageOf(read));
      return read.result;
    };

  /** Returns pages, which are cached once all have been read. Pages in flight are not shared, because each caller reads at its own pace. */
  const cachedPages = (name: string, method: Pages): Pages =>
    async function* (input = {}, options = {}) {
      const { onRead, signal: _, trace: __, ...settings } = options;
      const key = JSON.stringify([name, "pages", input, settings]);
      const cached = fresh(key);
      if (cached) {
        const pages = (await cached.result) as unknown[];
        onRead?.(ageOf(cached));
        yield* pages;
        return;
      }
      const current = reads;
      const pages: unknown[] = [];
      for await (const page of method(input, options)) {
        pages.push(page);
        yield page;
      }
      // Not cached if a write has cleared the cache since.
      if (current === reads) store(key, async () => pages);
    };

  const write =
    (method: Read): Read =>
    async (input, options) => {
      clear();
      try {
        return await method(input, options);
      } finally {
        clear();
      }
    };

  const methods = Object.values<Operation>(operations).map(({ name, effect }) => {
    const method = fleet[name as keyof FleetClient] as unknown as Method;
    if (effect !== "read") return [name, Object.assign(write(method), method)];
    return [name, Object.assign(cachedRead(name, method), method, method.pages && { pages: cachedPages(name, method.pages) })];
  });
  return Object.freeze({ ...fleet, ...Object.fromEntries(methods) });
}
