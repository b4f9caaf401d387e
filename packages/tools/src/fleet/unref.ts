/** Keeps a pending timer from delaying the exit of a Node process. On other runtimes, timers are numbers. */
export function unref(timer: unknown): void {
  if (typeof timer === "object" && timer !== null && "unref" in timer && typeof timer.unref === "function") timer.unref();
}
