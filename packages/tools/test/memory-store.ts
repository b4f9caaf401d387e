import type { WriteStore } from "../src/index.ts";

const MINUTE = 60_000;

interface Entry {
  value: unknown;
  ttl: number;
  until: number;
}

/** A store in this process, for any number of fleets, each of which can lose it. Times in it pass so much faster, so that a hold ends soon. */
export function memoryStore(faster = 3) {
  const entries = new Map<string, Entry>();
  const read = (key: string) => {
    const entry = entries.get(key);
    return entry && entry.until > performance.now() ? (entry.value as string) : undefined;
  };
  const write = (key: string, value: string, ttl: number) => void entries.set(key, { value, ttl, until: performance.now() + ttl / faster });
  /** `at` is called before and after each of the process's commands, such as `before add 1`, and may delay it. */
  const connect = (at: (point: string) => Promise<void> = async () => {}) => {
    let problem: Error | "hangs" | undefined;
    let delay = 0;
    let commands = 0;
    const run = async <Value>(name: string, of: () => Value): Promise<Value> => {
      if (problem === "hangs") return new Promise(() => {});
      if (problem) throw problem;
      commands += 1;
      const point = `${name} ${commands}`;
      await at(`before ${point}`);
      // Commands arrive in order, and replies are late.
      if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
      const value = of();
      await at(`after ${point}`);
      return value;
    };
    const store: WriteStore = {
      get: (key) => run("get", () => read(key)),
      add: (key, value, ttl) =>
        run("add", () => {
          if (read(key) !== undefined) return false;
          write(key, value, ttl);
          return true;
        }),
      extend: (key, value, ttl) =>
        run("extend", () => {
          if (read(key) !== value) return false;
          write(key, value, ttl);
          return true;
        }),
      remove: (key, value) => run("remove", () => void (read(key) === value && entries.delete(key))),
    };
    return {
      store,
      fail: (with_: typeof problem) => (problem = with_),
      slow: (milliseconds: number) => (delay = milliseconds),
    };
  };
  return {
    connect,
    /** Ends what a process holds, as if it had been paused. */
    endHolds: () => {
      for (const [key, { ttl }] of entries) if (ttl < MINUTE) entries.delete(key);
    },
    /** Replaces the value of each entry that is a hold, or each that is not. */
    alter: (which: "hold" | "record", change: (value: string) => unknown) => {
      for (const entry of entries.values()) {
        if ((which === "hold") === entry.ttl < MINUTE) entry.value = change(entry.value as string);
      }
    },
    clear: () => entries.clear(),
    text: () => JSON.stringify([...entries]),
  };
}
