import type { CallOptions, FleetErrorCode } from "@fleetwire/core";
import { unref } from "../runtime/unref.ts";
import { firstShared, SharedRead } from "./shared-read.ts";

/** Options for a read that may be served from the cache. */
export interface ReadOptions extends CallOptions {
  /**
   * Called with the age of the result in milliseconds (0 if it was just read) and, if the result is older than usual because the service
   * is failing, with the error code.
   */
  onRead?: (age: number, failure?: FleetErrorCode) => void;
}

class Read extends SharedRead<unknown> {
  /** When the result arrived; undefined while in flight. */
  readAt: number | undefined;
}

/** Maximum number of cached results; each may be a whole fleet. */
const MAX_CACHED_READS = 8;

/** Caches reads for a few seconds, and merges identical reads in flight. Results are shared, so do not modify them. */
export class ReadCache {
  readonly #seconds: number;
  readonly #now: () => number;
  #reads = new Map<string, Read>();

  constructor({ seconds, now }: { seconds: number; now: () => number }) {
    this.#seconds = seconds;
    this.#now = now;
  }

  /** Drops all results. Reads in flight still complete for their current callers, but new callers do not join them. */
  clear(): void {
    this.#reads = new Map();
  }

  /** Returns a cached result, joins a read in flight, or starts a new one. */
  async read(
    operation: string,
    input: unknown,
    { onRead, signal, trace, ...settings }: ReadOptions,
    send: (options: CallOptions) => Promise<unknown>,
  ): Promise<unknown> {
    const key = JSON.stringify([operation, input, settings]);
    const current = () => {
      const known = this.#fresh(key);
      // A read is aborted once its last caller has left.
      const isJoined = known && (known.readAt !== undefined || !(known.isAborted || known.isLate));
      return isJoined ? known : this.#store(key, (readSignal) => send({ ...settings, ...(trace && { trace }), signal: readSignal }));
    };
    const read = await firstShared(current, signal, operation);
    onRead?.(this.#ageOf(read));
    return read.result;
  }

  /**
   * Returns the pages of a list. They are cached once all have been read. Pages in flight are not shared, because each caller reads at its
   * own pace.
   */
  async *readPages(
    operation: string,
    input: unknown,
    options: ReadOptions,
    send: (options: CallOptions) => AsyncIterable<unknown>,
  ): AsyncGenerator<unknown, void, void> {
    const { onRead, signal: _, trace: __, ...settings } = options;
    const key = JSON.stringify([operation, "pages", input, settings]);
    const known = this.#fresh(key);
    if (known) {
      const pages = (await known.result) as unknown[];
      onRead?.(this.#ageOf(known));
      yield* pages;
      return;
    }
    const reads = this.#reads;
    const pages: unknown[] = [];
    for await (const page of send(options)) {
      pages.push(page);
      yield page;
    }
    // Not cached if a write has cleared the cache since.
    if (reads === this.#reads) this.#store(key, async () => pages);
  }

  #ageOf({ readAt }: Read): number {
    const now = this.#now();
    return now - (readAt ?? now);
  }

  #fresh(key: string): Read | undefined {
    const read = this.#reads.get(key);
    return read && (read.readAt === undefined || this.#ageOf(read) < this.#seconds * 1000) ? read : undefined;
  }

  #store(key: string, send: (signal: AbortSignal) => Promise<unknown>): Read {
    const reads = this.#reads;
    const read = new Read(send);
    const forget = () => {
      if (reads.get(key) === read) reads.delete(key);
    };
    reads.set(key, read);
    read.result.then(() => {
      read.readAt = this.#now();
      if (this.#seconds === 0) forget();
      else unref(setTimeout(forget, this.#seconds * 1000));
      for (const oldest of [...reads.keys()].slice(0, Math.max(0, reads.size - MAX_CACHED_READS))) reads.delete(oldest);
    }, forget);
    return read;
  }
}
