/** Calls a hook and ignores its errors: an error thrown after a creation would hide the result. */
export function notify<Args extends unknown[]>(hook: ((...args: Args) => unknown) | undefined, ...args: Args): void {
  try {
    const result = hook?.(...args);
    // The type allows async hooks, and an unhandled rejection would end a Node process.
    if (result instanceof Promise) result.catch(() => {});
  } catch {}
}
