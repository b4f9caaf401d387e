import { parseTraceContext, type TraceContext } from "@fleetwire/core";
import { traceIdOf } from "@fleetwire/core/internal";
import type { CallEvent, ToolHooks } from "./model/fleet-tool.ts";
import type { ToolFailure, ToolQuestion, ToolResult } from "./model/tool-result.ts";
import { resultTokens } from "./text/token-budget.ts";

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
