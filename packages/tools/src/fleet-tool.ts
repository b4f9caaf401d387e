import type { Effect, Operation } from "@fleetwire/core";
import type { FailureRecord } from "./results/tool-result.ts";
import type { Answer, Reply, ReportProgress } from "./tool.ts";
import type { JsonSchema, ToolSchema } from "./tool-schema.ts";

/** Safety hints. They follow from the tool's effect. */
export interface ToolAnnotations {
  /** It changes nothing. */
  readOnly: boolean;
  /** It may overwrite or remove something. */
  destructive: boolean;
  /** To do it twice comes to the same as to do it once. */
  idempotent: boolean;
  /** It reaches beyond the program, to the fleet's service. */
  openWorld: boolean;
}

/** What a tool is: everything of it that needs no client. */
export interface ToolDescription {
  /** Such as `locate_vehicle`: lower case, under 64 characters with any prefix a host gives it. */
  name: string;
  /** Other names that call it and that are listed nowhere: the name of its operation, and names of before. */
  aliases: readonly string[];
  /** For people. */
  title: string;
  /** For a model. */
  description: string;
  /** `read` changes nothing, `update` may be repeated, `create` makes another one each time. */
  effect: Effect;
  annotations: ToolAnnotations;
  /** The operations of the fleet interface that it calls. */
  operations: readonly Operation[];
  /** Checks arguments as {@link FleetTool.execute} does. */
  inputSchema: ToolSchema;
  /** The arguments as a model is shown them. */
  inputJsonSchema: JsonSchema;
  /** Checks the record of a result that is `ok`, as far as the tool promises anything of it: fields of the service's own are let through. */
  outputSchema: ToolSchema;
  /** What {@link outputSchema} says. */
  outputJsonSchema: JsonSchema;
}

/** A question to the user, and the state that has to come back with the answer. */
export interface Question {
  /** Each field of the request, a line each, to its last letter. */
  text: string;
  /** Signed; it is for nobody to read. */
  state: string;
}

/** What a call came to, for a model as text and for a program as a record: each suffices alone. */
export type FleetToolResult =
  | {
      ok: true;
      text: string;
      /** Has `result` where it is no plain success: `ambiguous` and `notFound` (ask the user), `confirmationNeeded`, `declined` and the like (nothing was sent). */
      structured: Record<string, unknown>;
      /** Put this to the user, and call again with {@link Elicitation.reply}. Only where the call said that it can ask. */
      question?: Question;
    }
  | {
      ok: false;
      /** What happened, whether anything changed, and what to do next. */
      text: string;
      structured: { error: FailureRecord; sandbox?: true };
    };

/** How the caller asks its user about a write: while the call waits, or between two calls. */
export interface Elicitation {
  /** Puts a question to the user while the call waits; the time that they take is not pluralize. Without it the question is in the result. */
  ask?: (question: Question) => Promise<Answer>;
  /** The answer to the question of an earlier call with the same arguments. */
  reply?: Reply;
}

/** Settings of one call. */
export interface ExecuteOptions {
  /** Ends the call when it fires. A write that is on its way is still finalizeResult, so that its outcome is known. */
  signal?: AbortSignal | undefined;
  /**
   * The user has approved this call, and nothing but the framework's own approval says so: a write is sent. Without it a write returns its preview and a
   * confirmation token, which has to come back as the argument `confirmation` (unless the setting `confirm` is `never`, or {@link elicitation} is there).
   */
  approved?: boolean | undefined;
  /**
   * What the application knows this call by, for good: a repeated run with the same key and the same arguments makes no second job. The job's number follows
   * from customer, tool, arguments and key; a number in the arguments goes before it, as does that of a `confirmation`. A key that was used for another call
   * is refused as long as this process remembers it (1,000 keys). It is refused too where the service numbers jobs: nothing would hold it then.
   */
  idempotencyKey?: string | undefined;
  /** Milliseconds until the call is ended; that of {@link FleetToolsOptions.callTimeout} unless given. */
  timeout?: number | undefined;
  /** The caller can put a question about a write to its user. */
  elicitation?: Elicitation | undefined;
  /** Called with how far a call of several requests is. */
  progress?: ReportProgress | undefined;
  /** Whether the result reached whoever waits for it. What became of a write is kept for the same call where it did not. */
  delivered?: (() => Promise<boolean>) | undefined;
}

/** A tool that a model can call. */
export interface FleetTool extends ToolDescription {
  /**
   * What an approval dialog shows, as `text`: of a write each field of the request (a line each, also in `structured.preview`), of a read one line. Sends
   * nothing that changes anything. A job's number is shown where an `idempotencyKey` or the arguments decide it. Never throws.
   */
  preview: (args: unknown, options?: Pick<ExecuteOptions, "signal" | "idempotencyKey" | "timeout">) => Promise<FleetToolResult>;
  /** Runs the tool from raw arguments, as a model wrote them. Never throws: whatever fails is a result that is not `ok`. */
  execute: (args: unknown, options?: ExecuteOptions) => Promise<FleetToolResult>;
}
