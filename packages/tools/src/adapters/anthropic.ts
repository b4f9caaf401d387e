import type { JsonSchema } from "../model/fleet-tool.ts";
import { type AdaptedTools, type AdapterOptions, adaptTools } from "./adapted-call.ts";

/** What the SDK's tool runners pass to a tool: only the parts that are used. */
interface RunContext {
  toolUse: { id: string };
  signal?: AbortSignal | null | undefined;
}

/** A tool for `client.beta.messages.toolRunner`. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: JsonSchema & { type: "object" };
  parse: (input: unknown) => unknown;
  /** Throws a `ToolError` if the call failed, which the runner returns to the model as an error. */
  run: (input: unknown, context?: RunContext) => Promise<string>;
}

/**
 * Returns the tools for the Anthropic SDK's tool runner, version 1.12 or later. The runner has no approval, so a write returns its preview
 * and a confirmation token, which the model passes back once the user agrees.
 *
 * @param options.ToolError The class of that name in `@anthropic-ai/sdk/lib/tools/ToolError`.
 *
 * @example
 * ```ts
 * const tools = toAnthropicTools(fleet, { ToolError });
 * const answer = await client.beta.messages.toolRunner({ model, max_tokens: 1024, messages, tools });
 * ```
 */
export function toAnthropicTools(
  fleet: AdaptedTools,
  { ToolError, ...options }: AdapterOptions & { ToolError: new (text: string) => Error },
): AnthropicTool[] {
  return adaptTools(fleet, options, ({ name, description, run }, { inputJsonSchema }) => ({
    name,
    description,
    input_schema: { ...structuredClone(inputJsonSchema), type: "object" },
    parse: (input) => input,
    run: async (input, context) => {
      const { ok, text } = await run(input, { callId: context?.toolUse.id, signal: context?.signal });
      if (!ok) throw new ToolError(text);
      return text;
    },
  }));
}
