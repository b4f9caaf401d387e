import { type Deadline, failureToError, watchDeadline } from "./transport.ts";

/** Gives calls their turns, so that no more of them send at a time than is allowed. */
export interface ConcurrencyLimit {
  /**
   * Waits for a turn; the function it gives ends the turn. Turns go by order of arrival, but for a call that tries again: it has waited longest and
   * goes before those that have yet to begin.
   */
  take(operation: string, deadline: Deadline, again: boolean): Promise<() => void>;
}

const { setImmediate } = globalThis as { setImmediate?: (run: () => void) => unknown };

/** A socket is free for the next request only when the event loop has come round; a request sent sooner would open another one. */
const whenSocketIsFree = (run: () => void): unknown => (setImmediate ? setImmediate(run) : setTimeout(run, 0));

export function createConcurrencyLimit(most: number): ConcurrencyLimit {
  // Sets, for one who stops waiting leaves the middle of the line.
  const beginning = new Set<() => void>();
  const returning = new Set<() => void>();
  let running = 0;

  function giveNext(): void {
    running -= 1;
    const line = returning.size > 0 ? returning : beginning;
    const [next] = line;
    if (next === undefined) return;
    line.delete(next);
    next();
  }

  function turn(): () => void {
    running += 1;
    let over = false;
    return () => {
      if (over) return;
      over = true;
      whenSocketIsFree(giveNext);
    };
  }

  return {
    async take(operation, deadline, again) {
      const ended = (kind: "timeout" | "aborted") => failureToError(kind, operation);
      if (deadline.signal?.aborted) throw ended("aborted");
      if (running < most) return turn();
      const line = again ? returning : beginning;
      return new Promise((resolve, reject) => {
        const start = () => {
          stopWatching();
          resolve(turn());
        };
        const stopWatching = watchDeadline(deadline, (why) => {
          line.delete(start);
          reject(ended(why));
        });
        line.add(start);
      });
    },
  };
}

/** For requests that others wait for, and that must not wait behind them. */
export const noLimit: ConcurrencyLimit = { take: async () => () => {} };
