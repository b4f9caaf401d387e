import type { Effect, FleetConfig, FleetErrorCode, Operation } from "@fleetwire/core";
import type * as z from "zod";
import type { FleetToolsSettings } from "./settings.ts";

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

/** The settings that tools use. */
export type ToolSettings = Omit<FleetToolsSettings, Exclude<keyof FleetConfig, "customerId" | "jobNumbers"> | "sealKey">;

/** The user's answer; `notAsked` if the question could not be shown. */
export type Answer = "yes" | "declined" | "cancelled" | "notAsked";

/** The reply to a question, with the `state` that came with the question. */
export interface Reply {
  answer: Answer;
  state: string | undefined;
}

/** A write that is about to be sent, or its outcome. Log both, so that the job number is not lost if the caller is gone. */
export interface WriteEvent {
  tool: string;
  /** The job number in the request, or the one that the service assigned. */
  jobNumber?: string | undefined;
  /** What is sent, by field, for an audit: ids, times, numbers and documented words; any other value is `(withheld)`. */
  fields: Readonly<Record<string, unknown>>;
  /** Not set before the request is sent. `created`, `inferred` and `updated` mean success; anything else is an error code. */
  outcome?: string;
}

/** Reports the progress of a call that needs several requests; `total` is undefined if the service does not state it. */
export type ReportProgress = (done: number, total: number | undefined, message: string) => void;

/** What reads and writes have in common. */
export interface ToolTexts {
  name: string;
  effect: Effect;
  /** Unlisted names that also call the tool: former names, and the operation's name in the OpenAPI document. */
  aliases?: readonly string[];
  title: string;
  description: string;
  /** The operations that the tool calls. It is available only if all their servers are configured. */
  operations: readonly Operation[];
  /** Validates the arguments, unlisted ones included. */
  input: z.ZodObject;
  inputSchema: Record<string, unknown>;
  outputSchema: Record<string, unknown>;
}
