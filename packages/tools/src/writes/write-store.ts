/**
 * Shares between processes which writes are in flight and which confirmations were used, so that only one of them sends a write, and another can finish what a process
 * that died has begun. All of them need the same `sealKey`. Keys are derived from it, and values contain generated job numbers but no arguments. A store that throws or
 * takes more than two seconds fails the write, before anything is sent; reads do not use it.
 */
export interface WriteStore {
  /** Returns the value of a key, if it has one. */
  get(key: string): Promise<string | undefined>;
  /** Sets a key that has no value, for `ttl` milliseconds. Returns whether it had none; of several concurrent calls, only one may get `true`. */
  add(key: string, value: string, ttl: number): Promise<boolean>;
  /** Extends the time for which a key has this value, in one step. Returns whether it still had it. */
  extend(key: string, value: string, ttl: number): Promise<boolean>;
  /** Removes a key that has this value, in one step. */
  remove(key: string, value: string): Promise<void>;
}
