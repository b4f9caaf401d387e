import { type Effect, FleetError, type FleetErrorCode } from "@fleetwire/core";
import { withDetails } from "@fleetwire/core/internal";
import { checkedArguments } from "./arguments/checked-arguments.ts";
import type { ReadTool } from "./fleet/fleet-context.ts";
import type { ToolFailure, ToolQuestion, ToolResult } from "./model/tool-result.ts";
import { NameQuestion, questionResult } from "./names/name-question.ts";
import { deadlineErrorOf } from "./runtime/call-deadline.ts";
import { ageTokens, withAge } from "./text/data-age.ts";
import { toFailure } from "./text/failure.ts";
import { marked } from "./text/sandbox-mark.ts";
import { resultTokens } from "./text/token-budget.ts";
import { safeResult } from "./text/visible-text.ts";
import { runWrite } from "./writes/run-write.ts";
import type { Tool, ToolContext } from "./writes/write-tool.ts";

/** Converts an error of a call to a failure, with text for a model and a code for programs. Names are hidden only in what the service says. */
export function failureOf(error: unknown, effect: Effect, context: ToolContext, args?: unknown): ToolFailure {
  const failure = deadlineErrorOf(error, context.callOptions.signal);
  const { quotation } = failure instanceof FleetError ? failure : {};
  const shown =
    quotation === undefined ? failure : withDetails(failure as FleetError, { quotation: context.privacy.text(quotation, args) });
  return toFailure(shown, context.settings.maxResultTokens, effect);
}

/** Prepares a result to leave the process: marks it if it comes from the sandbox, and makes unsafe invisible characters visible. */
export function finalizeResult<Result extends ToolResult | ToolFailure | ToolQuestion>(result: Result, { settings }: ToolContext): Result {
  return safeResult(marked(result, settings));
}

/** Runs a read once, then renders its result, with room for a line that states the age of the data. */
async function readResult(tool: ReadTool, args: Record<string, unknown>, context: ToolContext): Promise<ToolResult> {
  const { callOptions, settings } = context;
  const budget = settings.maxResultTokens;
  let oldest = 0;
  let failure: FleetErrorCode | undefined;
  const onRead = (age: number, failed?: FleetErrorCode) => {
    oldest = Math.max(oldest, age);
    failure ??= failed;
  };
  const render = await tool.run(args, { ...context, callOptions: { ...callOptions, onRead } });
  const seconds = Math.round(oldest / 1000);
  if (seconds > 0 || failure !== undefined) {
    const age = { seconds, failure };
    const left = budget - ageTokens(age);
    const result = render(left);
    if (resultTokens(result) <= left) return withAge(result, age);
  }
  const result = render(budget);
  if (resultTokens(result) <= budget) return result;
  throw new FleetError("contract", `${tool.name}: the result does not fit FLEET_MAX_RESULT_TOKENS`, {
    advice: "Request less, or raise the budget",
  });
}

async function resultOf(tool: Tool, args: unknown, context: ToolContext): Promise<ToolResult | ToolFailure | ToolQuestion> {
  const { settings } = context;
  try {
    const checked = checkedArguments(tool, args);
    // A write's result is always returned: it has already been cut as far as possible.
    return tool.effect === "read" ? await readResult(tool, checked, context) : await runWrite(tool, checked, context);
  } catch (error) {
    if (error instanceof NameQuestion) return questionResult(error.unresolved, tool.effect)(settings.maxResultTokens);
    return failureOf(error, tool.effect, context, args);
  }
}

/**
 * Runs a tool with raw arguments. A read's result fits the budget, and any result from the sandbox is marked. Never throws: a failure is
 * returned as text for the model.
 */
export async function runTool(tool: Tool, args: unknown, context: ToolContext): Promise<ToolResult | ToolFailure | ToolQuestion> {
  return finalizeResult(await resultOf(tool, args, context), context);
}
