/** The largest message of a host, in bytes, over either transport: far more than any call of a tool needs. */
export const LARGEST_MESSAGE = 1_048_576;

/** For how long calls in flight may go on once the process is asked to end, or its host is gone: a write's outcome is worth the wait. */
export const GRACE_MS = 2_000;

/** After that calls are aborted, and this is left for them to log how they ended. */
export const LAST_WORDS_MS = 100;

/** Waits for something, but never longer than this; whether it came. */
export async function within(milliseconds: number, awaited: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false);
  });
  try {
    return await Promise.race([awaited.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
