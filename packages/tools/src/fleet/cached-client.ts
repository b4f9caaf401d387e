import { type CallOptions, type FleetClient, FleetError, type FleetErrorCode, type Operation, operations } from "@fleetwire/core";
import type { FleetToolsSettings } from "../model/settings.ts";
import { unref } from "../runtime/call-deadline.ts";
import { TimeSlices } from "../runtime/time-slices.ts";
import { tooLarge } from "./fleet-view.ts";
import { firstShared, SharedRead } from "./shared-read.ts";

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
