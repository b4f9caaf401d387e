import { FleetError, parseInput } from "@fleetwire/core";
import { prototypeKeyIn } from "./arguments/prototype-key.ts";
import { repairedArguments } from "./arguments/repair-arguments.ts";
import { endOf } from "./call-time.ts";
import { hideKnownNames } from "./fleet/driver-names.ts";
import { toFailure } from "./results/failure.ts";
import { NameQuestion, questionResult } from "./results/name-question.ts";
import { marked } from "./results/sandbox-mark.ts";
import { resultTokens, safeResult, type ToolFailure, type ToolQuestion, type ToolResult } from "./results/tool-result.ts";
import type { Tool, ToolContext } from "./tool.ts";
import { runWrite } from "./writes/run-write.ts";

function checkedArguments(tool: Tool, args: unknown): Record<string, unknown> {
  const named = prototypeKeyIn(args);
  if (named !== undefined)
    throw new FleetError("input", `${tool.name}: ${named}: is no field of ${tool.name}`, { advice: "Call again without it" });
  const given = repairedArguments(tool.input, args ?? {});
  try {
    parseInput(tool, given);
  } catch (error) {
    if (!(error instanceof FleetError)) throw error;
    const fields = Object.keys(tool.inputSchema["properties"] as object).join(", ");
    throw new FleetError(error.code, error.message, { advice: `Call again with these mended; ${tool.name} takes ${fields}` });
  }
  // As they were given: the client parses anew.
  return given as Record<string, unknown>;
}

async function resultOf(tool: Tool, args: unknown, context: ToolContext): Promise<ToolResult | ToolFailure | ToolQuestion> {
  const { settings } = context;
  try {
    const checked = checkedArguments(tool, args);
    // What a write did is told whatever its size: it was made to fit as far as it can.
    if (tool.effect !== "read") return await runWrite(tool, checked, context);
    const result = await tool.run(checked, context);
    if (resultTokens(result) <= settings.maxResultTokens) return result;
    throw new FleetError("contract", `${tool.name}: the answer does not fit FLEET_MAX_RESULT_TOKENS`, {
      advice: "Ask for less, or raise the budget",
    });
  } catch (error) {
    if (error instanceof NameQuestion) return questionResult(error.unsure, tool.effect, settings.maxResultTokens);
    const failure = toFailure(endOf(error, context.callOptions.signal), settings.maxResultTokens, tool.effect);
    return { error: hideKnownNames(failure.error, context) };
  }
}

/** Runs a tool from raw arguments to a result that fits the budget and says whether it is the sandbox's. Never throws: whatever fails becomes words for the model. */
export async function runTool(tool: Tool, args: unknown, context: ToolContext): Promise<ToolResult | ToolFailure | ToolQuestion> {
  return safeResult(marked(await resultOf(tool, args, context), context.settings));
}
