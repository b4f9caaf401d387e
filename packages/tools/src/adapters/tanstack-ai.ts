import type { ToolSchema } from "../model/fleet-tool.ts";
import { type AdaptedTools, type AdapterOptions, adaptTools } from "./adapted-call.ts";

/** What TanStack AI passes to a tool: only the parts that are used. */
interface ExecutionContext {
  toolCallId?: string;
  abortSignal?: AbortSignal;
  emitCustomEvent?: (name: string, value: Record<string, unknown>) => void;
}

/** A server tool for `chat({ tools })`. */
export interface TanStackTool {
  __toolSide: "server";
  name: string;
  description: string;
  inputSchema: ToolSchema;
  needsApproval: boolean;
  execute: (args: unknown, context?: ExecutionContext) => Promise<string>;
}

/** Records which calls `chat` runs after their approval. */
export interface TanStackMiddleware {
  name: string;
  onBeforeToolCall: (context: unknown, call: { tool: { needsApproval?: boolean } | undefined; args: unknown }) => undefined;
}

/**
 * Returns the tools for TanStack AI, version 0.58 or later, and the middleware that recognizes approved calls. Pass both: `chat` asks the
 * user about each write, which without the middleware, or in code mode, returns its preview and a confirmation token instead.
 *
 * @example
 * ```ts
 * const { tools, middleware } = toTanStackTools(fleet);
 * const stream = chat({ adapter, messages, tools, middleware: [middleware] });
 * ```
 */
export function toTanStackTools(
  fleet: AdaptedTools,
  options: AdapterOptions = {},
): { tools: TanStackTool[]; middleware: TanStackMiddleware } {
  /** The arguments of approved calls: the same object instances that `execute` receives. */
  const approved = new WeakSet<object>();
  const tools = adaptTools(
    fleet,
    options,
    ({ name, description, inputSchema, run }, { needsApproval }): TanStackTool => ({
      __toolSide: "server",
      name,
      description,
      inputSchema,
      needsApproval: needsApproval(),
      execute: async (args, context) => {
        const { text } = await run(args, {
          callId: context?.toolCallId,
          signal: context?.abortSignal,
          approved: typeof args === "object" && args !== null && approved.delete(args),
          progress: (progress) => context?.emitCustomEvent?.("progress", { tool: name, ...progress }),
        });
        return text;
      },
    }),
  );
  const isOurs = new Set<unknown>(tools);
  return {
    tools,
    middleware: {
      name: "fleetwire-approval",
      onBeforeToolCall: (_, { tool, args }) => {
        if (tool?.needsApproval === true && isOurs.has(tool) && typeof args === "object" && args !== null) approved.add(args);
        return undefined;
      },
    },
  };
}
