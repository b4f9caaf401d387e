import type { FleetErrorCode } from "@fleetwire/core";
import { safeLines, safeValue } from "./visible-text.ts";

/** Text for reading and a record for programs: each suffices alone. */
export interface ToolResult {
  text: string;
  structured: Record<string, unknown>;
}

/** A result that is computed and still has to be fitted into a budget, in tokens. */
export type Render = (budget: number) => ToolResult;

/** What a program may read of a failure. */
export interface FailureRecord {
  /** In which way it failed; `internal` where Fleetwire itself did. */
  code: FleetErrorCode | "internal";
  /** Whether the call may have changed something at the service. */
  changed: "no" | "unknown";
  /** The number that a failed job creation carried. */
  jobNumber?: string;
  /** HTTP status, where a response came. */
  status?: number;
  /** Milliseconds after which the service asked to be tried again. */
  retryAfter?: number;
}

/** A failure, in words that name the next step. */
export interface ToolFailure {
  error: string;
  structured: { error: FailureRecord };
}

/** A question to the user, and the state that has to come back with the reply. */
export interface ToolQuestion {
  ask: string;
  state: string;
}

/** A result as it leaves the process, to a host or a terminal: nothing in it acts unseen (results/visible-text.ts). */
export function safeResult<Result extends ToolResult | Pick<ToolFailure, "error"> | ToolQuestion>(result: Result): Result {
  const safe = Object.entries(result).map(([part, value]) => [
    part,
    // A record has no lines of its own; what else there is was made of lines.
    typeof value === "string" ? safeLines(value) : safeValue(value),
  ]);
  return Object.fromEntries(safe) as Result;
}
