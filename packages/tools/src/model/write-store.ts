/**
 * Lets processes share which writes are in flight and which confirmations were used, so that only one of them sends a write, and another
 * can finish a write begun by a process that died. All of them need the same `sealKey`. Keys are derived from it, and values contain
 * generated job numbers but no arguments, with a signature: a write whose entry has none is reported as unknown. A store that throws, or takes
 * more than three seconds in all for a write, fails the write before anything is sent; reads do not use it.
 */
export interface WriteStore {
  /** Returns the value of a key, if it has one. */
  get(key: string): Promise<string | undefined>;
  /** Sets a key for `ttl` milliseconds unless it already has a value. Returns whether it was set; of several concurrent calls, only one may get `true`. */
  add(key: string, value: string, ttl: number): Promise<boolean>;
  /** Extends the lifetime of a key if it has this value, atomically. Returns whether it did. */
  extend(key: string, value: string, ttl: number): Promise<boolean>;
  /** Removes a key if it has this value, atomically. */
  remove(key: string, value: string): Promise<void>;
}
