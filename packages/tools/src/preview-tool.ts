import { checkedArguments } from "./arguments/checked-arguments.ts";
import type { ReadTool } from "./fleet/fleet-context.ts";
import type { ToolFailure, ToolQuestion, ToolResult } from "./model/tool-result.ts";
import { failureOf, finalizeResult, runTool } from "./run-tool.ts";
import { visibleJson } from "./text/visible-text.ts";
import type { Tool, ToolContext } from "./writes/write-tool.ts";

const MAX_LENGTH = 1_000;

/** Describes a read in one line. */
function statement(tool: ReadTool, args: unknown): ToolResult {
  const given = Object.entries(checkedArguments(tool, args)).map(([name, value]) => `${name}: ${visibleJson(value)}`);
  const line = `${tool.title} (read-only)${given.length > 0 ? `: ${given.join(", ")}` : ""}`;
  const text = line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
  return { text, structured: { result: "preview", preview: [text] } };
}

/** What an approval dialog shows for a call: every field of a write, or one line for a read. */
export async function previewTool(tool: Tool, args: unknown, context: ToolContext): Promise<ToolResult | ToolFailure | ToolQuestion> {
  if (tool.effect !== "read") return runTool(tool, args, { ...context, previewOnly: true });
  try {
    return finalizeResult(statement(tool, args), context);
  } catch (error) {
    return finalizeResult(failureOf(error, tool.effect, context), context);
  }
}
