/** Maximum size in bytes of a message from a host, over either transport; far more than any tool call needs. */
export const MAX_MESSAGE_BYTES = 1_048_576;

/** How long calls in flight may continue after shutdown begins or the host disconnects, so that writes can log their outcomes. */
export const SHUTDOWN_GRACE_MS = 2_000;

/** How long aborted calls have to log their outcomes. */
export const ABORT_GRACE_MS = 100;

/** Returns whether the promise is fulfilled before the timeout. Rejects if the promise rejects. */
export async function settlesWithin(milliseconds: number, promise: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false);
  });
  try {
    return await Promise.race([promise.then(() => true), timedOut]);
  } finally {
    clearTimeout(timer);
  }
}
