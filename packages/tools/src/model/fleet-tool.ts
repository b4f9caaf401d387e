import type { Effect, FleetErrorCode, Operation, TraceContext } from "@fleetwire/core";
import type { Answer, Reply, ReportProgress, WriteEvent } from "./tool.ts";
import type { FailureRecord } from "./tool-result.ts";
import type { JsonSchema, ToolSchema } from "./tool-schema.ts";

/** A completed call, without its arguments and result. */
export interface CallEvent {
  tool: string;
  /** Duration of the call in milliseconds. */
  ms: number;
  /** The size of the result in tokens, estimated as characters / 4 when this property is read; 0 for a question. */
  tokens: number;
  /** `question` if the result asks the user, `stale` if it is from an old view because the service fails, otherwise `ok` or the error code. */
  outcome: "ok" | "stale" | "question" | FleetErrorCode | "internal";
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

/** Safety hints, derived from the tool's effect. */
export interface ToolAnnotations {
  /** Changes nothing. */
  readOnly: boolean;
  /** May overwrite or remove something. */
  destructive: boolean;
  /** Repeating a call has no further effect. */
  idempotent: boolean;
  /** Calls an external service. */
  openWorld: boolean;
}

/** Everything about a tool that is known without a client. */
export interface ToolDescription {
  /** For example `locate_vehicle`. Lowercase, and short enough to stay under 64 characters with a prefix added by a host. */
  name: string;
  /** Unlisted names that also call the tool: its operation's name and former names. */
  aliases: readonly string[];
  /** Shown to users. */
  title: string;
  /** Shown to a model. */
  description: string;
  /** `read` changes nothing, `update` is safe to repeat, `create` creates something new each time. */
  effect: Effect;
  annotations: ToolAnnotations;
  /** The operations of the fleet interface that the tool calls. */
  operations: readonly Operation[];
  /** Validates arguments as {@link FleetTool.execute} does. */
  inputSchema: ToolSchema;
  /** The arguments as shown to a model. */
  inputJsonSchema: JsonSchema;
  /** Validates the record of an `ok` result. Additional fields from the service are allowed. */
  outputSchema: ToolSchema;
  /** {@link outputSchema} as JSON Schema. */
  outputJsonSchema: JsonSchema;
}

/** A question for the user, with state to pass back along with the answer. */
export interface Question {
  /** Every field of the request in full, one per line. */
  text: string;
  /** Signed and opaque. */
  state: string;
}

/** The result of a call, as text for a model and as a record for a program. Each is complete without the other. */
export type FleetToolResult =
  | {
      ok: true;
      text: string;
      /**
       * The record. Its `result` says why a call did not do what was asked: with `ambiguous` and `notFound`, ask the user; with
       * `confirmationNeeded`, `declined` and similar values, nothing was sent.
       */
      structured: Record<string, unknown>;
      /** Show this to the user, then call again with {@link Elicitation.reply}. Set only if the call passed `elicitation`. */
      question?: Question;
    }
  | {
      ok: false;
      /** What happened, whether anything changed, and what to do next. */
      text: string;
      structured: { error: FailureRecord; sandbox?: true };
    };

/** How the user is asked about a write: during the call, or between two calls. */
export interface Elicitation {
  /** Asks the user while the call waits. The wait does not count towards the timeout. If not set, the result holds the question. */
  ask?: (question: Question) => Promise<Answer>;
  /** The reply to the question from an earlier call with the same arguments. */
  reply?: Reply;
}

/** Options of one call. Its hooks replace those of the tools, for a program that logs on whose behalf each call was made. */
export interface ExecuteOptions extends ToolHooks {
  /** Cancels the call. A write that is already in flight still completes, so that its outcome is known. */
  signal?: AbortSignal | undefined;
  /**
   * Whether the user has approved this call, so that a write is sent. Set it only from your framework's own approval. If it is not set, a
   * write returns its preview and a confirmation token to pass back as the argument `confirmation`, unless the setting `confirm` is `never`
   * or {@link elicitation} is set.
   */
  approved?: boolean | undefined;
  /**
   * Identifies this call permanently: repeating it with the same key and arguments creates no second job. The job number is derived from
   * the customer, tool, arguments and key, unless the arguments or a `confirmation` already contain one. The process remembers the last
   * 1,000 keys and rejects a remembered key with another tool or other arguments. If the service numbers jobs, a key could not prevent a
   * second job and is rejected.
   */
  idempotencyKey?: string | undefined;
  /** Timeout of the call in milliseconds. @default {@link FleetToolsOptions.callTimeout} */
  timeout?: number | undefined;
  /** The trace that the call belongs to, for the requests that it causes; not for reads of the whole fleet, which calls share. Ignored unless well-formed. */
  trace?: TraceContext | undefined;
  /** Lets a write ask the user for approval. */
  elicitation?: Elicitation | undefined;
  /** Called with the progress of a call that needs several requests. */
  progress?: ReportProgress | undefined;
  /** Identifies the caller, if several share these tools: each has rules of its own. @default all are the same caller */
  callerId?: string | undefined;
  /** Returns whether this process was paused since it received the call, while another one with the same write store may have sent it. A write is then refused. */
  wasPaused?: (() => boolean) | undefined;
}

/** A tool that a model can call. */
export interface FleetTool extends ToolDescription {
  /**
   * Returns, as `text`, what to show in an approval dialog: every field of a write, one per line (also in `structured.preview`), or one
   * line for a read. Shows a job number if the arguments contain it or an `idempotencyKey` determines it. Changes nothing and never throws.
   */
  preview: (args: unknown, options?: Pick<ExecuteOptions, "signal" | "idempotencyKey" | "timeout">) => Promise<FleetToolResult>;
  /**
   * Whether the user has to approve a call with these arguments before it is sent: a write with valid arguments, unless it is a dry run or
   * the setting `confirm` is `never`. Without arguments, whether any call may need approval.
   */
  needsApproval: (args?: unknown) => boolean;
  /** Runs the tool with raw arguments, as a model writes them. Never throws: if it fails, `ok` is false. */
  execute: (args: unknown, options?: ExecuteOptions) => Promise<FleetToolResult>;
}
