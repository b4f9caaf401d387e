import type { WriteStore } from "../model/write-store.ts";
import { forgetOldest } from "../runtime/forget-oldest.ts";

/** Far more than the confirmations of ten minutes. */
const MAX_ENTRIES = 10_000;

/** Creates the store of a single process. Its holds do not end while the process is paused, because nobody else could have taken them. */
export function localStore(): WriteStore {
  const entries = new Map<string, { value: string; until: number }>();
  const read = (key: string) => {
    const entry = entries.get(key);
    return entry && entry.until > performance.now() ? entry.value : undefined;
  };
  const write = (key: string, value: string, ttl: number) => {
    entries.delete(key);
    entries.set(key, { value, until: performance.now() + ttl });
    forgetOldest(entries, MAX_ENTRIES);
    return true;
  };
  return {
    get: async (key) => read(key),
    add: async (key, value, ttl) => read(key) === undefined && write(key, value, ttl),
    extend: async (key, value, ttl) => entries.get(key)?.value === value && write(key, value, ttl),
    remove: async (key, value) => void (entries.get(key)?.value === value && entries.delete(key)),
  };
}
