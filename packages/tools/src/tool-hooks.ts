import type { FleetErrorCode } from "@fleetwire/core";
import type { WriteEvent } from "./tool.ts";

/** A completed call, without its arguments and result. */
export interface CallEvent {
  tool: string;
  /** Duration of the call in milliseconds. */
  ms: number;
  /** The size of the result in tokens, estimated as characters / 4 when this property is read; 0 for a question. */
  tokens: number;
  /** `question` if the result asks the user, otherwise `ok` or the error code. */
  outcome: "ok" | "question" | FleetErrorCode | "internal";
}

/** Hooks for logging. Errors thrown by a hook are ignored: logging never fails a call. */
export interface ToolHooks {
  /** Called after each call. */
  onCall?: ((event: CallEvent) => void) | undefined;
  /** Called before a write is sent and again with its outcome, so that the job number is not lost if the caller is gone. */
  onWrite?: ((event: WriteEvent) => void) | undefined;
}

/** Wraps a hook so that its errors are ignored. Otherwise, an error after a job was created would hide the job. */
export function guarded<Args extends unknown[]>(hook: ((...args: Args) => unknown) | undefined): (...args: Args) => void {
  return (...args) => {
    try {
      const returned = hook?.(...args);
      if (returned instanceof Promise) returned.catch(() => {});
    } catch {}
  };
}
