import { FleetError } from "@fleetwire/core";

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
