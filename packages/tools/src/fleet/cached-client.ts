import { type Operation, operations } from "@fleetwire/core";
import type { ToolClient } from "./masked-client.ts";
import type { ReadCache, ReadOptions } from "./read-cache.ts";

type Read = (input?: unknown, options?: ReadOptions) => Promise<unknown>;
type Pages = (input?: unknown, options?: ReadOptions) => AsyncGenerator<unknown, void, void>;
type Method = Read & { pages?: Pages };

/**
 * Wraps a client so that reads are cached. The cache is cleared before and after each write, because reads during a write may be
 * outdated. The same applies to everything that `onWrite` invalidates.
 */
export function cachedClient(fleet: ToolClient, cache: ReadCache, onWrite: () => void): ToolClient {
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
    const read: Read = (input = {}, options = {}) => cache.read(name, input, options, (readOptions) => method(input, readOptions));
    const { pages } = method;
    if (!pages) return [name, Object.assign(read, method)];
    const cachedPages: Pages = (input = {}, options = {}) =>
      cache.readPages(name, input, options, (readOptions) => pages(input, readOptions));
    return [name, Object.assign(read, method, { pages: cachedPages })];
  });
  return Object.freeze({ ...fleet, ...Object.fromEntries(methods) });
}
