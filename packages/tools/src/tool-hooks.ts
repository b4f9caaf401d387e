import { type FleetErrorCode, parseTraceContext, type TraceContext } from "@fleetwire/core";
import { traceIdOf } from "@fleetwire/core/internal";
import { resultTokens } from "./results/token-budget.ts";
import type { ToolFailure, ToolQuestion, ToolResult } from "./results/tool-result.ts";
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
  /** The trace id, if the call has a trace. */
  trace?: string;
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

const outcomeOf = (outcome: ToolResult | ToolFailure | ToolQuestion): CallEvent["outcome"] =>
  "error" in outcome ? outcome.structured.error.code : "ask" in outcome ? "question" : "ok";

/** Returns a function that starts the report of a call, to the call's own hook if it has one. What it returns ends the report. */
export function callReporter(shared: ToolHooks["onCall"]) {
  return (tool: string, given: (Pick<ToolHooks, "onCall"> & { trace?: TraceContext | undefined }) | null | undefined) => {
    const startedAt = performance.now();
    const trace = parseTraceContext(given?.trace?.traceparent);
    return (outcome: ToolResult | ToolFailure | ToolQuestion): void =>
      guarded(given?.onCall ?? shared)({
        tool,
        ms: Math.round(performance.now() - startedAt),
        get tokens() {
          return "ask" in outcome ? 0 : resultTokens(outcome);
        },
        outcome: outcomeOf(outcome),
        ...(trace && { trace: traceIdOf(trace) }),
      });
  };
}
