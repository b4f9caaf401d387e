import { type Deadline, failureToError, watchDeadline } from "./transport.ts";

/** Calls a function in the next turn of the event loop, once pending input has been handled. */
export function nextTurn(run: () => void): void {
  const { setImmediate } = globalThis as { setImmediate?: (run: () => void) => unknown };
  try {
    // Next.js has one on the edge too, which throws.
    if (setImmediate) return void setImmediate(run);
  } catch {
    // As in a runtime that has none.
  }
  setTimeout(run, 0);
}

/** Limits how many requests are in flight at once. */
export interface ConcurrencyLimit {
  /** Waits for a slot and returns a function that releases it. Slots are granted in order of arrival, but retries go before calls that have not started. */
  acquire(operation: string, deadline: Deadline, isRetry: boolean): Promise<() => void>;
}

export function createConcurrencyLimit(maxConcurrency: number): ConcurrencyLimit {
  // Sets rather than arrays, because a call that stops waiting is removed from the middle of the queue.
  const starting = new Set<() => void>();
  const retrying = new Set<() => void>();
  let running = 0;

  function startNext(): void {
    running -= 1;
    const queue = retrying.size > 0 ? retrying : starting;
    const [next] = queue;
    if (next === undefined) return;
    queue.delete(next);
    next();
  }

  function takeSlot(): () => void {
    running += 1;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      // A socket can be reused only then; a request sent sooner would open a new one.
      nextTurn(startNext);
    };
  }

  return {
    async acquire(operation, deadline, isRetry) {
      const ended = (kind: "timeout" | "aborted") => failureToError(kind, operation);
      if (deadline.signal?.aborted) throw ended("aborted");
      if (running < maxConcurrency) return takeSlot();
      const queue = isRetry ? retrying : starting;
      return new Promise((resolve, reject) => {
        const start = () => {
          stopWatching();
          resolve(takeSlot());
        };
        const stopWatching = watchDeadline(deadline, (why) => {
          queue.delete(start);
          reject(ended(why));
        });
        queue.add(start);
      });
    },
  };
}

/** For token requests. Calls that hold a slot may wait for a token, so token requests must not wait for a slot. */
export const noLimit: ConcurrencyLimit = { acquire: async () => () => {} };
