import type { JsonSchema } from "../model/fleet-tool.ts";
import { type AdaptedTools, type AdapterOptions, adaptTools } from "./adapted-call.ts";

/** What Genkit passes to a tool: only the parts that are used. */
interface RunOptions {
  context: Record<string, unknown>;
  interrupt: (metadata: Record<string, unknown>) => never;
  resumed?: boolean | Record<string, unknown> | null;
}

interface ToolConfig {
  name: string;
  description: string;
  inputJsonSchema: JsonSchema;
}

/** An instance of Genkit: only the parts that are used. */
interface Genkit<Tool> {
  defineTool: (config: ToolConfig, run: (input: unknown, options: RunOptions) => Promise<string>) => Tool;
  apiStability: "stable" | "beta";
}

/**
 * Defines the tools in an instance of Genkit, version 1.42 or later, and returns them. A write interrupts the generation, with the preview
 * in the interrupt's metadata; resume with `tool.restart(interrupt, { approved: true })`, or `false`. Interrupts need `genkit/beta`: with
 * `genkit`, a write returns its preview and a confirmation token to the model. Genkit does not pass its signal on to tools: to cancel
 * their requests too, pass it as `context: { abortSignal }`.
 *
 * @example
 * ```ts
 * const { text } = await ai.generate({ prompt, tools: toGenkitTools(fleet, { ai }) });
 * ```
 */
export function toGenkitTools<Tool>(fleet: AdaptedTools, { ai, ...options }: AdapterOptions & { ai: Genkit<Tool> }): Tool[] {
  return adaptTools(fleet, options, ({ name, description, run, previewToApprove, decline }, { inputJsonSchema }) =>
    ai.defineTool(
      { name, description, inputJsonSchema: structuredClone(inputJsonSchema) },
      async (input, { context: { abortSignal }, interrupt, resumed }) => {
        // Genkit passes neither its own signal nor the ids of calls to tools.
        const context = { callId: undefined, signal: abortSignal instanceof AbortSignal ? abortSignal : undefined };
        const approved = typeof resumed === "object" ? resumed?.["approved"] : undefined;
        if (approved === false) return (await decline(input)).text;
        if (approved !== true && ai.apiStability === "beta") {
          const preview = await previewToApprove(input, context);
          if (preview !== undefined) interrupt({ preview });
        }
        return (await run(input, { ...context, approved: approved === true })).text;
      },
    ),
  );
}
