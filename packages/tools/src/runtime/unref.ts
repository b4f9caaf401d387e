/** Keeps a pending timer from delaying the exit of a Node process. On other runtimes, timers are numbers. */
export const unref = (timer: unknown): void => (timer as { unref?: () => void }).unref?.();
