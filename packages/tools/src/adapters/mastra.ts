import type { FleetToolResult, ToolSchema } from "../model/fleet-tool.ts";
import { type AdaptedTools, type AdapterOptions, adaptTools, withoutNulls } from "./adapted-call.ts";

/** What Mastra passes to a tool: only the parts that are used. */
interface ExecutionContext {
  abortSignal?: AbortSignal;
  agent?: { toolCallId: string };
  writer?: { custom: (chunk: { type: `data-${string}`; data: unknown }) => Promise<void> };
}

interface ToolOptions {
  id: string;
  description: string;
  inputSchema: ToolSchema;
  requireApproval: (input: unknown) => boolean;
  toModelOutput: (output: unknown) => { type: "text" | "error-text" | "json"; value: unknown };
  execute: (input: unknown, context?: ExecutionContext) => Promise<unknown>;
}

/**
 * Returns the tools for Mastra, version 1.71 or later. An agent suspends before each write until `approveToolCall` or `declineToolCall` is
 * called, which needs storage; show the user `fleet.byName.get(name)?.preview(args)`. Outside an agent, for example as a step of a workflow,
 * a write returns its preview and a confirmation token.
 *
 * @param options.createTool The function of that name in `@mastra/core/tools`.
 *
 * @example
 * ```ts
 * const agent = new Agent({ id: "dispatch", name: "Dispatch", instructions, model, tools: toMastraTools(fleet, { createTool }) });
 * ```
 */
export function toMastraTools<Tool>(
  fleet: AdaptedTools,
  { createTool, ...options }: AdapterOptions & { createTool: (options: ToolOptions) => Tool },
): Record<string, Tool> {
  const adapted = adaptTools(fleet, options, ({ name, description, inputSchema, run }, { needsApproval }): [string, Tool] => [
    name,
    createTool({
      id: name,
      description,
      inputSchema,
      // Depends only on the arguments, so an agent cannot have run the call without asking.
      requireApproval: (input) => needsApproval(withoutNulls(input)),
      toModelOutput: (output) => {
        const { ok, text } = output as Partial<FleetToolResult>;
        // A hook may have replaced the result.
        return typeof text === "string" ? { type: ok ? "text" : "error-text", value: text } : { type: "json", value: output };
      },
      execute: (input, { agent, abortSignal, writer } = {}) =>
        run(input, {
          callId: agent?.toolCallId,
          signal: abortSignal,
          // Mastra does not tell tools about an approval, but its agents do not run a call before it.
          approved: agent !== undefined,
          progress: (progress) => writer?.custom({ type: "data-progress", data: { tool: name, ...progress } }),
        }),
    }),
  ]);
  return Object.fromEntries(adapted);
}
