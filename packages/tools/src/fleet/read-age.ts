import { resultTokens, type ToolResult } from "../results/tool-result.ts";
import type { ReadTool, ToolContext } from "../tool.ts";
import type { SharedCallOptions } from "./shared-reads.ts";

const aged = ({ text, structured }: ToolResult, seconds: number): ToolResult => ({
  text: `${text}\nRead ${seconds} s ago.`,
  structured: { ...structured, readSecondsAgo: seconds },
});

/** A tool that says of what it read when that was some seconds ago, for another question. */
export function tellingAge(tool: ReadTool): ReadTool {
  const run = async (args: Record<string, unknown>, context: ToolContext) => {
    const { settings } = context;
    let oldest = 0;
    const callOptions: SharedCallOptions = {
      ...context.callOptions,
      onRead: (age) => {
        oldest = Math.max(oldest, age);
      },
    };
    const result = await tool.run(args, { ...context, callOptions });
    const seconds = Math.round(oldest / 1000);
    const told = seconds > 0 ? aged(result, seconds) : result;
    if (resultTokens(told) <= settings.maxResultTokens) return told;
    // Once more in less room; what it reads is at hand.
    const room = settings.maxResultTokens - (resultTokens(told) - resultTokens(result));
    const shorter = aged(await tool.run(args, { ...context, callOptions, settings: { ...settings, maxResultTokens: room } }), seconds);
    return resultTokens(shorter) <= settings.maxResultTokens ? shorter : result;
  };
  const { properties, ...schema } = tool.outputSchema as { properties: Record<string, unknown> };
  const readSecondsAgo = { type: "integer", description: "Age of what was read; absent where it was read anew" };
  return { ...tool, outputSchema: { ...schema, properties: { ...properties, readSecondsAgo } }, run };
}
