/** The largest message a host may send over either transport, in bytes: far more than any tool call needs. */
export const MAX_MESSAGE_BYTES = 1_048_576;

/** How long calls in flight may continue after a shutdown begins or the host disconnects, so that writes can log their outcome. */
export const SHUTDOWN_GRACE_MS = 2_000;

/** How long aborted calls have to log how they ended. */
export const ABORT_GRACE_MS = 100;

/** Whether a promise is fulfilled in time. A rejection is passed on. */
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
