import { type AdaptedTool, type AdaptedTools, type AdapterOptions, adaptTools, type CallContext } from "./adapted-call.ts";

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
  async function approvedRun({ name, run, previewToApprove, decline }: AdaptedTool, input: unknown, context: CallContext) {
    const description = interrupt && (await previewToApprove(input, context));
    if (description === undefined) return run(input, context);
    // Throws until the graph is resumed, then returns the value it was resumed with.
    const resumed = interrupt?.({
      actionRequests: [{ name, args: input as Record<string, unknown>, description }],
      reviewConfigs: [{ actionName: name, allowedDecisions: ["approve", "reject"] }],
    });
    return approves(resumed) ? run(input, { ...context, approved: true }) : decline(input);
  }
  return adaptTools(
    fleet,
    options,
    (tool) =>
      new DynamicStructuredTool({
        name: tool.name,
        description: tool.description,
        schema: { ...tool.inputSchema },
        responseFormat: "content_and_artifact",
        func: async (input, _, config) => {
          const { text, structured } = await approvedRun(tool, input, {
            callId: config?.toolCall?.id,
            signal: config?.signal,
            progress: (progress) => config?.writer?.({ tool: tool.name, ...progress }),
          });
          return [text, structured];
        },
      }),
  );
}
