import { FleetError, type FleetErrorCode, type Operation, operations } from "@fleetwire/core";
import { TimeSlices } from "../runtime/time-slices.ts";
import { tooLarge } from "./fleet-view.ts";
import type { ToolClient } from "./masked-client.ts";
import type { ReadCache, ReadOptions } from "./read-cache.ts";

type Read = (input?: unknown, options?: ReadOptions) => Promise<unknown>;
type Pages = (input?: unknown, options?: ReadOptions) => AsyncGenerator<unknown, void, void>;
type Method = Read & { pages?: Pages; iterate?: Pages };

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
 * Wraps a client so that reads are cached. The cache is cleared before and after each write, because reads during a write may be
 * outdated. The same applies to everything that `onWrite` invalidates.
 */
export function cachedClient(
  fleet: ToolClient,
  cache: ReadCache,
  { maxVehicles, onWrite }: { maxVehicles: number; onWrite: () => void },
): ToolClient {
  const clear = () => {
    cache.clear();
    onWrite();
  };
  const clearingCache =
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
    const method = fleet[name as keyof ToolClient] as unknown as Method;
    if (effect !== "read") return [name, Object.assign(clearingCache(method), method)];
    const read: Read = (input = {}, options = {}) =>
      cache.read(name, input, options, (readOptions) => readInSlices(method, input, readOptions, maxVehicles));
    const { pages } = method;
    if (!pages) return [name, Object.assign(read, method)];
    const cachedPages: Pages = (input = {}, options = {}) =>
      cache.readPages(name, input, options, (readOptions) => pages(input, readOptions));
    return [name, Object.assign(read, method, { pages: cachedPages })];
  });
  return Object.freeze({ ...fleet, ...Object.fromEntries(methods) });
}
