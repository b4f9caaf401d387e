import { FleetError } from "@fleetwire/core";
import { withDetails } from "@fleetwire/core/internal";

/** How long a call may take by default, in milliseconds. */
export const CALL_TIMEOUT = 50_000;

/** Longer than this, a timer would overflow and fire immediately. */
const MAX_TIMER_MS = 2 ** 31;

/**
 * Runs a call with a signal that fires when the caller cancels or the deadline passes, after which nobody would receive a result. `endsAt`
 * is the deadline on the clock of `performance.now`; undefined if there is none.
 */
export async function withDeadline<Result>(
  milliseconds: number,
  caller: AbortSignal | undefined,
  run: (signal: AbortSignal, endsAt: number | undefined) => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController();
  const pass = () => ending.abort(caller?.reason);
  if (caller?.aborted) pass();
  caller?.addEventListener("abort", pass, { once: true });
  // Created only when needed: creating an error takes longer than everything else here.
  const late = () =>
    new FleetError("timeout", `the call timed out after ${Math.round(milliseconds / 1000)} seconds without a response`, {
      advice: "Tell the user that the service is slow; ask for less, or try again later",
    });
  const isBounded = milliseconds < MAX_TIMER_MS;
  const timer = isBounded ? setTimeout(() => ending.abort(late()), milliseconds) : undefined;
  try {
    return await run(ending.signal, isBounded ? performance.now() + milliseconds : undefined);
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener("abort", pass);
  }
}

/** Replaces the error of a call that timed out with the timeout error, but keeps whether a write may have changed anything. */
export function deadlineErrorOf(error: unknown, signal: AbortSignal | undefined): unknown {
  const ended: unknown = signal?.reason;
  if (!(error instanceof FleetError && error.code === "aborted" && ended instanceof FleetError)) return error;
  return withDetails(ended, { changed: error.changed });
}

const callAborted = () => new FleetError("aborted", "the caller aborted the call");

/** Waits for a promise, but only until the signal fires: then rejects with `reason`. */
export async function unlessAborted<Value>(
  signal: AbortSignal | undefined,
  promise: Promise<Value>,
  reason: () => unknown = callAborted,
): Promise<Value> {
  if (!signal) return promise;
  let end = () => {};
  const aborted = new Promise<never>((_, reject) => {
    end = () => reject(reason());
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}

/** Keeps a pending timer from delaying the exit of a Node process. On other runtimes, timers are numbers. */
export const unref = (timer: unknown): void => (timer as { unref?: () => void }).unref?.();
