import { FleetError, withDetails } from "@fleetwire/core";

/** More milliseconds than a timer of a runtime counts. */
const MAX_TIMER_MS = 2 ** 31;

/**
 * Runs a call under a signal that fires when the caller ends it, or when its time is up: a result that comes later reaches nobody. `endsAt` is when that is,
 * by the clock of `performance.now`; undefined where the call has all the time it takes.
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
  const late = new FleetError("timeout", `the call was ended after ${Math.round(milliseconds / 1000)} seconds without an answer`, {
    advice: "Tell the user that the service is slow; ask for less, or try again later",
  });
  const isBounded = milliseconds < MAX_TIMER_MS;
  const timer = isBounded ? setTimeout(() => ending.abort(late), milliseconds) : undefined;
  try {
    return await run(ending.signal, isBounded ? performance.now() + milliseconds : undefined);
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener("abort", pass);
  }
}

/** What ended a call: its time, where that was up. What is known of a write stays as it was. */
export function deadlineErrorOf(error: unknown, signal: AbortSignal | undefined): unknown {
  const ended: unknown = signal?.reason;
  if (!(error instanceof FleetError && error.code === "aborted" && ended instanceof FleetError)) return error;
  return withDetails(ended, { changed: error.changed });
}
