import { type Effect, FleetError } from "@fleetwire/core";
import { checkedArguments } from "./arguments/checked-arguments.ts";
import { deadlineErrorOf } from "./call-deadline.ts";
import { resultTokens } from "./results/budget.ts";
import { ageTokens, withAge } from "./results/data-age.ts";
import { toFailure } from "./results/failure.ts";
import { NameQuestion, questionResult } from "./results/name-question.ts";
import { marked } from "./results/sandbox-mark.ts";
import { safeResult, type ToolFailure, type ToolQuestion, type ToolResult } from "./results/tool-result.ts";
import type { ReadTool, Tool, ToolContext } from "./tool.ts";
import { runWrite } from "./writes/run-write.ts";

/** What failed, in words for a model and a code for a program. */
export function failureOf(error: unknown, effect: Effect, context: ToolContext): ToolFailure {
  const failure = toFailure(deadlineErrorOf(error, context.callOptions.signal), context.settings.maxResultTokens, effect);
  return { ...failure, error: context.privacy.text(failure.error) };
}

/** A result as it leaves: it says whether it is the sandbox's, and nothing in it acts unseen. */
export function finalizeResult<Result extends ToolResult | ToolFailure | ToolQuestion>(result: Result, { settings }: ToolContext): Result {
  return safeResult(marked(result, settings));
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
    const result = withAge(render(budget - ageTokens(seconds)), seconds);
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
    // What a write did is text whatever its size: it was made to fit as far as it can.
    return tool.effect === "read" ? await readResult(tool, checked, context) : await runWrite(tool, checked, context);
  } catch (error) {
    if (error instanceof NameQuestion) return questionResult(error.unresolved, tool.effect)(settings.maxResultTokens);
    return failureOf(error, tool.effect, context);
  }
}

/** Runs a tool from raw arguments to a result that fits the budget and says whether it is the sandbox's. Never throws: whatever fails becomes words for the model. */
export async function runTool(tool: Tool, args: unknown, context: ToolContext): Promise<ToolResult | ToolFailure | ToolQuestion> {
  return finalizeResult(await resultOf(tool, args, context), context);
}
