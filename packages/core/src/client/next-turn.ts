/** Calls a function in the next turn of the event loop, once pending input has been handled. */
export function nextTurn(run: () => void): void {
  const { setImmediate } = globalThis as { setImmediate?: (run: () => void) => unknown };
  try {
    // Next.js has one on the edge too, which throws.
    if (setImmediate) return void setImmediate(run);
  } catch {
    // As in a runtime that has none.
  }
  setTimeout(run, 0);
}
