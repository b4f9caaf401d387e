import type { FleetErrorCode } from "@fleetwire/core";
import { safeLines, safeValue } from "./visible-text.ts";

/** Text to read and a record for programs; each suffices alone. */
export interface ToolResult {
  text: string;
  structured: Record<string, unknown>;
}

/** Renders a computed result within a budget in tokens. */
export type Render = (budget: number) => ToolResult;

/** A failure as a program reads it. */
export interface FailureRecord {
  /** The kind of failure; `internal` for a fault in Fleetwire itself. */
  code: FleetErrorCode | "internal";
  /** Whether the call may have changed something at the service. */
  changed: "no" | "unknown";
  /** The job number of a failed creation. */
  jobNumber?: string;
  /** HTTP status, if there was a response. */
  status?: number;
  /** Milliseconds after which the service asks to be retried. */
  retryAfter?: number;
}

/** A failure in words, including the next step. */
export interface ToolFailure {
  error: string;
  structured: { error: FailureRecord };
}

/** A question to the user, with state to pass back along with the reply. */
export interface ToolQuestion {
  ask: string;
  state: string;
}

/** Prepares a result for a host or terminal: no invisible characters remain (results/visible-text.ts). */
export function safeResult<Result extends ToolResult | Pick<ToolFailure, "error"> | ToolQuestion>(result: Result): Result {
  const safe = Object.entries(result).map(([part, value]) => [
    part,
    // Line breaks are only expected in text, never in the values of a record.
    typeof value === "string" ? safeLines(value) : safeValue(value),
  ]);
  return Object.fromEntries(safe) as Result;
}
