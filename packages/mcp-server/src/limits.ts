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

/** Runs something with a signal that fires after the timeout, and rejects then. It holds the timer itself: a signal of AbortSignal.timeout may be collected first. */
export async function withTimeout<Result>(milliseconds: number, run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      ending.abort();
      reject(new Error("timed out"));
    }, milliseconds);
  });
  try {
    return await Promise.race([run(ending.signal), timedOut]);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads a body up to the limit; undefined if it is larger. What is left of it is not read, and not cancelled either. */
export async function readUpTo(maxBytes: number, reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Blob | undefined> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(chunks);
    size += value.length;
    if (size > maxBytes) return undefined;
    chunks.push(value as Uint8Array<ArrayBuffer>);
  }
}
