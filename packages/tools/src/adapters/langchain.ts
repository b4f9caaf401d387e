import type { FleetTool } from "../model/fleet-tool.ts";
import {
  type AdaptedTools,
  type AdapterOptions,
  type CallContext,
  declinedCall,
  lenientSchema,
  previewToApprove,
  runCall,
} from "./adapted-call.ts";

/** What LangChain passes to a tool: only the parts that are used. */
interface RunnableConfig {
  signal?: AbortSignal;
  toolCall?: { id?: string };
  writer?: (chunk: unknown) => void;
}

type TextAndRecord = [text: string, record: Record<string, unknown>];

interface ToolFields {
  name: string;
  description: string;
  schema: Record<string, unknown>;
  responseFormat: "content_and_artifact";
  func: (input: unknown, runManager?: unknown, config?: RunnableConfig) => Promise<TextAndRecord>;
}

/** What a graph is interrupted with, in the format of LangChain's human-in-the-loop middleware. */
export interface LangChainInterrupt {
  actionRequests: { name: string; args: Record<string, unknown>; description: string }[];
  reviewConfigs: { actionName: string; allowedDecisions: ("approve" | "reject")[] }[];
}

export interface LangChainOptions<Tool> extends AdapterOptions {
  /** The class of that name in `@langchain/core/tools`. */
  DynamicStructuredTool: new (
    fields: ToolFields,
  ) => Tool;
  /**
   * The function of that name in `@langchain/langgraph`. A write then interrupts the graph, which needs a checkpointer. Resume it with
   * `new Command({ resume: { decisions: [{ type: "approve" }] } })`, or `"reject"`.
   * @default none: a write returns its preview and a confirmation token to the model
   */
  interrupt?: ((value: LangChainInterrupt) => unknown) | undefined;
}

/** Whether the graph was resumed with exactly one decision, an approval. */
function approves(resumed: unknown): boolean {
  const { decisions } = (resumed ?? {}) as { decisions?: unknown };
  return Array.isArray(decisions) && decisions.length === 1 && decisions[0]?.type === "approve";
}

/**
 * Returns the tools for LangChain, version 1 or later. A tool message has the text as its content and the record as its artifact.
 *
 * @example
 * ```ts
 * const agent = createAgent({ model, tools: toLangChainTools(fleet, { DynamicStructuredTool, interrupt }), checkpointer });
 * ```
 */
export function toLangChainTools<Tool>(
  fleet: AdaptedTools,
  { DynamicStructuredTool, interrupt, ...options }: LangChainOptions<Tool>,
): Tool[] {
  async function run(tool: FleetTool, input: unknown, context: CallContext) {
    const description = interrupt && (await previewToApprove(tool, input, context, options));
    if (description === undefined) return runCall(tool, input, context, options);
    const { name } = tool;
    // Throws until the graph is resumed, then returns the value it was resumed with.
    const resumed = interrupt?.({
      actionRequests: [{ name, args: input as Record<string, unknown>, description }],
      reviewConfigs: [{ actionName: name, allowedDecisions: ["approve", "reject"] }],
    });
    return approves(resumed) ? runCall(tool, input, { ...context, approved: true }, options) : declinedCall(tool, input);
  }
  return fleet.tools.map(
    (tool) =>
      new DynamicStructuredTool({
        name: tool.name,
        description: tool.description,
        schema: { ...lenientSchema(tool) },
        responseFormat: "content_and_artifact",
        func: async (input, _, config) => {
          const { text, structured } = await run(tool, input, {
            callId: config?.toolCall?.id,
            signal: config?.signal,
            progress: (progress) => config?.writer?.({ tool: tool.name, ...progress }),
          });
          return [text, structured];
        },
      }),
  );
}
