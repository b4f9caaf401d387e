import type { Effect, Operation } from "@fleetwire/core";
import type { FailureRecord } from "./results/tool-result.ts";
import type { Answer, Reply, ReportProgress } from "./tool.ts";
import type { JsonSchema, ToolSchema } from "./tool-schema.ts";

/** Safety hints, derived from the tool's effect. */
export interface ToolAnnotations {
  /** Changes nothing. */
  readOnly: boolean;
  /** May overwrite or remove something. */
  destructive: boolean;
  /** Repeating a call has no further effect. */
  idempotent: boolean;
  /** Reaches beyond the program, to the fleet's service. */
  openWorld: boolean;
}

/** Everything about a tool that needs no client. */
export interface ToolDescription {
  /** For example `locate_vehicle`: lower case, and under 64 characters including any prefix a host adds. */
  name: string;
  /** Unlisted names that also call it: the name of its operation, and former names. */
  aliases: readonly string[];
  /** Shown to users. */
  title: string;
  /** Shown to a model. */
  description: string;
  /** `read` changes nothing, `update` is safe to repeat, `create` makes another one each time. */
  effect: Effect;
  annotations: ToolAnnotations;
  /** The operations of the fleet interface that it calls. */
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

/** A question to the user, with state to pass back along with the answer. */
export interface Question {
  /** Every field of the request, one per line, in full. */
  text: string;
  /** Signed and opaque. */
  state: string;
}

/** The result of a call, as text for a model and as a record for a program. Each suffices alone. */
export type FleetToolResult =
  | {
      ok: true;
      text: string;
      /**
       * `result` is set unless the call simply succeeded: `ambiguous` and `notFound` (ask the user), or `confirmationNeeded`, `declined`
       * and the like (nothing was sent).
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

/** How the caller asks its user about a write: during the call, or between two calls. */
export interface Elicitation {
  /** Asks the user while the call waits; this time does not count towards the timeout. Without it, the result holds the question. */
  ask?: (question: Question) => Promise<Answer>;
  /** The answer to the question of an earlier call with the same arguments. */
  reply?: Reply;
}

/** Options of one call. */
export interface ExecuteOptions {
  /** Aborts the call. A write already in flight still completes, so that its outcome is known. */
  signal?: AbortSignal | undefined;
  /**
   * Whether the user approved this call, so that a write is sent. Only set it from your framework's own approval. Otherwise a write returns
   * its preview and a confirmation token to pass back as the argument `confirmation` (unless the setting `confirm` is `never`, or {@link
   * elicitation} is set).
   */
  approved?: boolean | undefined;
  /**
   * Identifies this call for good: repeating it with the same key and arguments creates no second job. The job number is derived from
   * customer, tool, arguments and key, unless the arguments or a `confirmation` already hold one. Reusing a key for another call is refused
   * while this process remembers the key (the last 1,000), and so is a key when the service numbers jobs, which could not prevent a second
   * one.
   */
  idempotencyKey?: string | undefined;
  /** Milliseconds until the call is ended. @default {@link FleetToolsOptions.callTimeout} */
  timeout?: number | undefined;
  /** Lets a write ask the user. */
  elicitation?: Elicitation | undefined;
  /** Called with the progress of a call that needs several requests. */
  progress?: ReportProgress | undefined;
  /** Whether the result reached its caller. If not, the outcome of a write is kept for the next identical call. */
  delivered?: (() => Promise<boolean>) | undefined;
}

/** A tool that a model can call. */
export interface FleetTool extends ToolDescription {
  /**
   * What to show in an approval dialog, as `text`: every field of a write (one per line, also in `structured.preview`), one line for a
   * read. Changes nothing. Shows a job number if an `idempotencyKey` or the arguments determine it. Never throws.
   */
  preview: (args: unknown, options?: Pick<ExecuteOptions, "signal" | "idempotencyKey" | "timeout">) => Promise<FleetToolResult>;
  /** Runs the tool with raw arguments, as written by a model. Never throws: a failure is a result that is not `ok`. */
  execute: (args: unknown, options?: ExecuteOptions) => Promise<FleetToolResult>;
}
