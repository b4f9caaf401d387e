import { FleetError } from "@fleetwire/core";
import { plainText } from "./results/cell.ts";
import { toFailure } from "./results/failure.ts";
import { resultTokens, type ToolFailure, type ToolResult } from "./results/tool-result.ts";
import type { Tool, ToolContext } from "./tool.ts";

const ISSUES_NAMED = 5;

function checkedArguments(tool: Tool, args: unknown): Record<string, unknown> {
  const parsed = tool.input.safeParse(args ?? {});
  // As they were given: parsing would put the members of a sort order in another order, and the client parses anew.
  if (parsed.success) return (args ?? {}) as Record<string, unknown>;
  const named = parsed.error.issues
    .slice(0, ISSUES_NAMED)
    .map(({ path, message }) => (path.length > 0 ? `${path.join(".")}: ${message}` : message));
  throw new FleetError("input", `${tool.name}: ${plainText(named.join("; "), 500)}`, {
    advice: `Call again with these mended; ${tool.name} takes ${Object.keys(tool.inputSchema["properties"] as object).join(", ")}`,
  });
}

/** Runs a tool from raw arguments to a result that fits the budget. Never throws: whatever fails becomes words for the model. */
export async function runTool(tool: Tool, args: unknown, context: ToolContext): Promise<ToolResult | ToolFailure> {
  const { settings } = context;
  try {
    const checked = checkedArguments(tool, args);
    if (settings.confirm === "always" && tool.effect !== "read") {
      throw new FleetError(
        "config",
        `${tool.name}: FLEET_CONFIRM=always asks for a confirmation, which this version cannot obtain; nothing was sent`,
        {
          advice: "Tell the person: writes need FLEET_CONFIRM=auto, with the host's own approval of the call",
        },
      );
    }
    const result = await tool.run(checked, context);
    if (resultTokens(result) <= settings.maxResultTokens) return result;
    throw new FleetError("contract", `${tool.name}: the answer does not fit FLEET_MAX_RESULT_TOKENS`, {
      advice: "Ask for less, or raise the budget",
    });
  } catch (error) {
    return toFailure(error, settings.maxResultTokens);
  }
}
