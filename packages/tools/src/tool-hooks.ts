import type { FleetErrorCode } from "@fleetwire/core";
import type { WriteEvent } from "./tool.ts";

/** A call of a tool that ended. It holds nothing of arguments or results. */
export interface CallEvent {
  tool: string;
  /** Milliseconds from the call to its result. */
  ms: number;
  /** The size of the result, estimated as characters / 4; 0 of a question. */
  tokens: number;
  /** `question` where the result is a question to the user, else `ok` or the code of the failure. */
  outcome: "ok" | "question" | FleetErrorCode | "internal";
}

/** Called with what tools do, for a log. What a hook throws is ignored: a call never fails for its log. */
export interface ToolHooks {
  /** Called when a call has ended. */
  onCall?: ((event: CallEvent) => void) | undefined;
  /** Called before a write goes out and once its outcome is known, so that the number of a job is not lost with its caller. */
  onWrite?: ((event: WriteEvent) => void) | undefined;
}

/** A hook whose failures are its own: after a creation they would hide what was made. */
export function guarded<Args extends unknown[]>(hook: ((...args: Args) => unknown) | undefined): (...args: Args) => void {
  return (...args) => {
    try {
      const returned = hook?.(...args);
      if (returned instanceof Promise) returned.catch(() => {});
    } catch {}
  };
}
