import type { FleetErrorCode } from "@fleetwire/core";

/** Text for a model and a record for programs, each complete without the other. */
export interface ToolResult {
  text: string;
  structured: Record<string, unknown>;
}

/** Renders a result within a token budget. */
export type Render = (budget: number) => ToolResult;

/** A machine-readable failure. */
export interface FailureRecord {
  /** The kind of failure; `internal` means a bug in Fleetwire itself. */
  code: FleetErrorCode | "internal";
  /** Whether the call may have changed anything at the service. */
  changed: "no" | "unknown";
  /** The job number used, if creating a job failed. */
  jobNumber?: string;
  /** The HTTP status, if there was a response. */
  status?: number;
  /** Milliseconds that the service asks clients to wait before they retry. */
  retryAfter?: number;
}

/** A failure in words, including the next step. */
export interface ToolFailure {
  error: string;
  structured: { error: FailureRecord };
}

/** A question for the user, with state to pass back along with the reply. */
export interface ToolQuestion {
  ask: string;
  state: string;
}
