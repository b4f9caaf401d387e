import { FleetError, withDetails } from "@fleetwire/core";

/** Runs a call under a signal that fires when the host ends it, or when its time is up: an answer that comes later reaches nobody. */
export async function inTime<Result>(
  milliseconds: number,
  host: AbortSignal,
  run: (signal: AbortSignal, endsAt: number) => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController();
  const pass = () => ending.abort(host.reason);
  if (host.aborted) pass();
  host.addEventListener("abort", pass, { once: true });
  const late = new FleetError("timeout", `the call was ended after ${Math.round(milliseconds / 1000)} seconds without an answer`, {
    advice: "Tell the user that the service is slow; ask for less, or try again later",
  });
  const timer = setTimeout(() => ending.abort(late), milliseconds);
  try {
    return await run(ending.signal, performance.now() + milliseconds);
  } finally {
    clearTimeout(timer);
    host.removeEventListener("abort", pass);
  }
}

/** What ended a call: its time, where that was up. What is known of a write stays as it was. */
export function endOf(error: unknown, signal: AbortSignal | undefined): unknown {
  const ended: unknown = signal?.reason;
  if (!(error instanceof FleetError && error.code === "aborted" && ended instanceof FleetError)) return error;
  return withDetails(ended, { changed: error.changed });
}
