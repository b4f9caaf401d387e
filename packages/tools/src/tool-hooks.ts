import type { FleetErrorCode } from "@fleetwire/core";
import type { WriteEvent } from "./tool.ts";

/** A completed call. Holds nothing of its arguments or result. */
export interface CallEvent {
  tool: string;
  /** Milliseconds from call to result. */
  ms: number;
  /** The size of the result, estimated as characters / 4; 0 for a question. */
  tokens: number;
  /** `question` if the result asks the user, otherwise `ok` or the error code. */
  outcome: "ok" | "question" | FleetErrorCode | "internal";
}

/** Hooks for logging. Errors thrown by a hook are ignored: logging never fails a call. */
export interface ToolHooks {
  /** Called when a call has completed. */
  onCall?: ((event: CallEvent) => void) | undefined;
  /** Called before a write is sent and again with its outcome, so that a job number survives its caller. */
  onWrite?: ((event: WriteEvent) => void) | undefined;
}

/** Wraps a hook so that its errors are ignored: after a creation they would hide what was created. */
export function guarded<Args extends unknown[]>(hook: ((...args: Args) => unknown) | undefined): (...args: Args) => void {
  return (...args) => {
    try {
      const returned = hook?.(...args);
      if (returned instanceof Promise) returned.catch(() => {});
    } catch {}
  };
}
