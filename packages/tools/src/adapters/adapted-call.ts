import { notify } from "@fleetwire/core/internal";
import type { FleetTools } from "../create-fleet-tools.ts";
import type { ExecuteOptions, FleetTool, FleetToolResult, ToolSchema } from "../model/fleet-tool.ts";

/** A call that a framework makes for its model. */
export interface AdaptedCall {
  /** For example `create_job`. */
  tool: string;
  /** The arguments as the model wrote them, without null values. */
  args: unknown;
  /** The framework's id of the call. Providers reuse ids such as `call_0` in every run. */
  callId: string | undefined;
}

/** Options of every adapter. */
export interface AdapterOptions {
  /**
   * Returns an idempotency key for a call, so that a resumed or repeated run creates no second job. A call's id identifies it only together
   * with a run that keeps its ids: `({ callId }) => `${runId}/${callId}``. @see ExecuteOptions.idempotencyKey
   * @default no key
   */
  idempotencyKey?: ((call: AdaptedCall) => string | undefined) | undefined;
  /** Called with the result of each call, for applications that need the record, for example to draw a map. Errors that it throws are ignored. */
  onResult?: ((call: AdaptedCall, result: FleetToolResult) => void) | undefined;
}

/** The progress of a call, as `ReportProgress` reports it. */
export interface Progress {
  done: number;
  total: number | undefined;
  message: string;
}

/** What a framework says about one call. */
export interface CallContext {
  callId: string | undefined;
  signal?: AbortSignal | null | undefined;
  /** Whether the framework shows that the user approved this call. */
  approved?: boolean | undefined;
  progress?: ((progress: Progress) => void) | undefined;
}

/** The tools of a fleet, or those of them that you pass. */
export type AdaptedTools = Pick<FleetTools, "tools">;

/** Parses arguments that a model wrote as JSON. Invalid JSON is left for the tool to explain. */
export function parsedArguments(args: unknown): unknown {
  if (typeof args !== "string") return args;
  try {
    return JSON.parse(args);
  } catch {
    return args;
  }
}

/** Drops null, which a model uses for an absent argument, as strict schemas require. */
export const withoutNulls = (args: unknown): unknown =>
  typeof args === "object" && args !== null && !Array.isArray(args)
    ? Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null))
    : args;

/** A tool as frameworks use it. */
export interface AdaptedTool extends Pick<FleetTool, "name" | "description"> {
  /** Rejects nothing, so that the model always gets the tool's own explanation of invalid arguments. */
  inputSchema: ToolSchema;
  /** A write is sent only if the context says that it was approved; otherwise its preview and a token are returned. */
  run: (raw: unknown, context: CallContext) => Promise<FleetToolResult>;
  /**
   * Returns what to show the user before a call is sent; undefined if there is nothing to approve: a read, a dry run, or a write that
   * cannot be sent, for example because several vehicles match. Such a call sends nothing even without approval, so its result can say why.
   */
  previewToApprove: (raw: unknown, context: CallContext) => Promise<string | undefined>;
  /** The result of a write that the user declined in the framework's own dialog. */
  decline: (raw: unknown) => Promise<FleetToolResult>;
}

/** Adapts each tool of a fleet to a framework. */
export function adaptTools<Adapted>(
  { tools }: AdaptedTools,
  options: AdapterOptions,
  adapt: (adapted: AdaptedTool, tool: FleetTool) => Adapted,
): Adapted[] {
  return tools.map((tool) => adapt(adaptedTool(tool, options), tool));
}

function adaptedTool(tool: FleetTool, { idempotencyKey, onResult }: AdapterOptions): AdaptedTool {
  const { name, description } = tool;
  const { "~standard": standard } = tool.inputSchema;
  const validate: ToolSchema["~standard"]["validate"] = (args) => {
    const validated = standard.validate(args);
    return validated.issues ? { value: args as Record<string, unknown> } : validated;
  };
  const prepared = (raw: unknown, { callId, signal }: CallContext) => {
    const call: AdaptedCall = { tool: name, args: withoutNulls(raw), callId };
    return { call, options: { signal: signal ?? undefined, idempotencyKey: idempotencyKey?.(call) } };
  };
  return {
    name,
    description,
    inputSchema: { "~standard": { ...standard, validate } },
    run: async (raw, context) => {
      const { call, options } = prepared(raw, context);
      const progress: ExecuteOptions["progress"] = (done, total, message) => context.progress?.({ done, total, message });
      const result = await tool.execute(call.args, { ...options, approved: context.approved === true, progress });
      notify(onResult, call, result);
      return result;
    },
    previewToApprove: async (raw, context) => {
      const { call, options } = prepared(raw, context);
      if (!tool.needsApproval(call.args)) return undefined;
      const preview = await tool.preview(call.args, options);
      return preview.ok && preview.structured["result"] === "preview" ? preview.text : undefined;
    },
    decline: (raw) => tool.execute(withoutNulls(raw), { elicitation: { reply: { answer: "declined", state: undefined } } }),
  };
}
