import type { FleetTool } from "../model/fleet-tool.ts";
import { type AdaptedTools, type AdapterOptions, adaptTools, parsedArguments } from "./adapted-call.ts";
import { parametersOf } from "./json-schema-tools.ts";

/** What the Agents SDK passes to a tool: only the parts that are used. */
interface RunContext {
  isToolApproved: (call: { toolName: string; callId: string }) => boolean | undefined;
}
interface CallDetails {
  signal?: AbortSignal;
  toolCall?: { callId: string };
}

interface Parameters<AdditionalProperties extends boolean> {
  type: "object";
  properties: Record<string, never>;
  required: string[];
  additionalProperties: AdditionalProperties;
}

/** A function tool for `new Agent({ tools })`. */
export interface OpenAIAgentsTool {
  type: "function";
  name: string;
  description: string;
  parameters: Parameters<true> | Parameters<false>;
  strict: boolean;
  needsApproval: (context: RunContext, input: unknown, callId?: string) => Promise<boolean>;
  isEnabled: () => Promise<boolean>;
  invoke: (context: RunContext, input: string, details?: CallDetails) => Promise<string>;
}

/** The SDK passes an empty string for a call without arguments. */
const parsed = (input: unknown) => parsedArguments(input === "" ? "{}" : input);

function functionOf(tool: FleetTool, isStrict: boolean): Pick<OpenAIAgentsTool, "parameters" | "strict"> {
  const { parameters, strict } = parametersOf(tool, isStrict);
  const { properties = {}, required = [] } = parameters as Partial<Parameters<true>>;
  return { parameters: { type: "object", properties, required, additionalProperties: !strict } as Parameters<true>, strict };
}

/**
 * Returns the tools for the OpenAI Agents SDK, version 0.20 or later. A write interrupts the run until the application approves or rejects
 * it; show the user `fleet.byName.get(name)?.preview(args)`.
 *
 * @param options.strict Uses strict parameters. @default false
 *
 * @example
 * ```ts
 * const agent = new Agent({ name: "Dispatch", instructions: fleet.instructions, tools: toOpenAIAgentsTools(fleet) });
 * ```
 */
export function toOpenAIAgentsTools(
  fleet: AdaptedTools,
  { strict = false, ...options }: AdapterOptions & { strict?: boolean } = {},
): OpenAIAgentsTool[] {
  return adaptTools(fleet, options, ({ name, description, run, previewToApprove }, tool) => ({
    type: "function",
    name,
    description,
    ...functionOf(tool, strict),
    needsApproval: async (_, input, callId) => (await previewToApprove(parsed(input), { callId })) !== undefined,
    isEnabled: async () => true,
    invoke: async (context, input, details) => {
      const callId = details?.toolCall?.callId;
      const approved = callId !== undefined && callId !== "" && context.isToolApproved({ toolName: name, callId }) === true;
      return (await run(parsed(input), { callId, signal: details?.signal, approved })).text;
    },
  }));
}
