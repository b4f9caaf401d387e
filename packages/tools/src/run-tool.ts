import { FleetError, parseInput } from "@fleetwire/core";
import { prototypeKeyIn } from "./arguments/prototype-key.ts";
import { repairedArguments } from "./arguments/repair-arguments.ts";
import { endOf } from "./call-time.ts";
import { hideKnownNames } from "./fleet/driver-names.ts";
import { toFailure } from "./results/failure.ts";
import { NameQuestion, questionResult } from "./results/name-question.ts";
import { aged, ageTokens } from "./results/read-age.ts";
import { marked } from "./results/sandbox-mark.ts";
import { resultTokens, safeResult, type ToolFailure, type ToolQuestion, type ToolResult } from "./results/tool-result.ts";
import type { ReadTool, Tool, ToolContext } from "./tool.ts";
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

/** Runs a tool that reads, once; its result is rendered in the room that the age of what it read leaves. */
async function readResult(tool: ReadTool, args: Record<string, unknown>, context: ToolContext): Promise<ToolResult> {
  const { callOptions, settings } = context;
  const budget = settings.maxResultTokens;
  let oldest = 0;
  const onRead = (age: number) => {
    oldest = Math.max(oldest, age);
  };
  const render = await tool.run(args, { ...context, callOptions: { ...callOptions, onRead } });
  const seconds = Math.round(oldest / 1000);
  if (seconds > 0) {
    const result = aged(render(budget - ageTokens(seconds)), seconds);
    if (resultTokens(result) <= budget) return result;
  }
  const result = render(budget);
  if (resultTokens(result) <= budget) return result;
  throw new FleetError("contract", `${tool.name}: the answer does not fit FLEET_MAX_RESULT_TOKENS`, {
    advice: "Ask for less, or raise the budget",
  });
}

async function resultOf(tool: Tool, args: unknown, context: ToolContext): Promise<ToolResult | ToolFailure | ToolQuestion> {
  const { settings } = context;
  try {
    const checked = checkedArguments(tool, args);
    // What a write did is told whatever its size: it was made to fit as far as it can.
    return tool.effect === "read" ? await readResult(tool, checked, context) : await runWrite(tool, checked, context);
  } catch (error) {
    if (error instanceof NameQuestion) return questionResult(error.unsure, tool.effect)(settings.maxResultTokens);
    const failure = toFailure(endOf(error, context.callOptions.signal), settings.maxResultTokens, tool.effect);
    return { error: hideKnownNames(failure.error, context) };
  }
}

/** Runs a tool from raw arguments to a result that fits the budget and says whether it is the sandbox's. Never throws: whatever fails becomes words for the model. */
export async function runTool(tool: Tool, args: unknown, context: ToolContext): Promise<ToolResult | ToolFailure | ToolQuestion> {
  return safeResult(marked(await resultOf(tool, args, context), context.settings));
}
