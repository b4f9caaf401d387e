import { type Effect, FleetError, type FleetErrorCode, parseTraceContext } from "@fleetwire/core";
import { notify, traceIdOf, withDetails } from "@fleetwire/core/internal";
import { checkedArguments } from "./arguments/checked-arguments.ts";
import type { ReadTool } from "./fleet/fleet-context.ts";
import { limitedClient } from "./fleet/request-limit.ts";
import type { ExecuteOptions, FleetTool, FleetToolResult, ToolHooks } from "./model/fleet-tool.ts";
import type { Reply } from "./model/tool.ts";
import type { ToolFailure, ToolQuestion, ToolResult } from "./model/tool-result.ts";
import { NameQuestion, questionResult } from "./names/name-question.ts";
import { deadlineErrorOf, unlessAborted, withDeadline } from "./runtime/call-deadline.ts";
import { ageTokens, type DataAge, isOutdated, withAge } from "./text/data-age.ts";
import { toFailure } from "./text/failure.ts";
import { markedRecord, markedText } from "./text/sandbox-mark.ts";
import { resultTokens } from "./text/token-budget.ts";
import { safeResult, visibleJson } from "./text/visible-text.ts";
import { runLocal } from "./writes/run-local.ts";
import { runWrite } from "./writes/run-write.ts";
import type { Tool, ToolContext } from "./writes/write-tool.ts";

type Outcome = ToolResult | ToolFailure | ToolQuestion;

/** What the calls of a fleet's tools share. */
export interface SharedContext extends ToolContext, Pick<ToolHooks, "onCall"> {
  /** Timeout of a call in milliseconds. */
  callTimeout: number;
}

/** Runs something that reads, and returns how old the oldest data is that it has read. */
async function withReadAge<Result>(
  run: (context: ToolContext) => Promise<Result>,
  context: ToolContext,
): Promise<{ result: Result; age: DataAge }> {
  let oldest = 0;
  let failure: FleetErrorCode | undefined;
  const onRead = (age: number, failed?: FleetErrorCode) => {
    oldest = Math.max(oldest, age);
    failure ??= failed;
  };
  const result = await run({ ...context, callOptions: { ...context.callOptions, onRead } });
  return { result, age: { seconds: Math.round(oldest / 1000), failure } };
}

/** Runs a read once, then renders its result, with room for a line that states the age of the data. */
async function runRead(tool: ReadTool, args: Record<string, unknown>, context: ToolContext): Promise<ToolResult> {
  const budget = context.settings.maxResultTokens;
  const { result: render, age } = await withReadAge((tracked) => tool.run(args, tracked), context);
  if (age.seconds > 0 || age.failure !== undefined) {
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

const MAX_PREVIEW_LENGTH = 1_000;

/** Describes a read in one line. */
function previewRead(tool: Tool, args: Record<string, unknown>): ToolResult {
  const fields = Object.entries(args).map(([name, value]) => `${name}: ${visibleJson(value)}`);
  const line = `${tool.title} (read-only)${fields.length > 0 ? `: ${fields.join(", ")}` : ""}`;
  const text = line.length > MAX_PREVIEW_LENGTH ? `${line.slice(0, MAX_PREVIEW_LENGTH)}…` : line;
  return { text, structured: { result: "preview", preview: [text] } };
}

/** Whether a tool changes something if it is called with these arguments. */
const isChange = (tool: Tool, args: Record<string, unknown>) => ("changes" in tool ? tool.changes(args) : tool.effect !== "read");

async function runTool(tool: Tool, raw: unknown, context: ToolContext): Promise<Outcome> {
  const args = checkedArguments(tool, raw);
  if (context.previewOnly && !isChange(tool, args)) return previewRead(tool, args);
  if (tool.effect === "read") return runRead(tool, args, context);
  // A write's result is always returned: it has already been cut as far as possible.
  return "changes" in tool ? runLocal(tool, args, context) : runWrite(tool, args, context);
}

/** Converts an error of a call to a question, or to a failure with text for a model and a code for programs. */
function outcomeOf(error: unknown, effect: Effect, { settings, callOptions, privacy }: ToolContext, args: unknown): Outcome {
  if (error instanceof NameQuestion) return questionResult(error.unresolved, effect)(settings.maxResultTokens);
  const failure = deadlineErrorOf(error, callOptions.signal);
  // Names are hidden only in what the service says.
  const shown =
    failure instanceof FleetError && failure.quotation !== undefined
      ? withDetails(failure, { quotation: privacy.text(failure.quotation, args) })
      : failure;
  return toFailure(shown, settings.maxResultTokens, effect);
}

/** Prepares an outcome to leave the process: makes unsafe invisible characters visible, and marks what comes from the sandbox. */
function resultOf(outcome: Outcome, { settings }: ToolContext): FleetToolResult {
  const safe = safeResult(outcome);
  if ("error" in safe) return { ok: false, text: markedText(safe.error, settings), structured: markedRecord(safe.structured, settings) };
  if (!("ask" in safe)) return { ok: true, text: markedText(safe.text, settings), structured: markedRecord(safe.structured, settings) };
  const text = markedText(safe.ask, settings);
  const structured = markedRecord({ result: "question", question: text }, settings);
  return { ok: true, text, structured, question: { text, state: safe.state } };
}

/** The options of any call. They, or any of them, may be null or missing. */
type CallOptions = Pick<ExecuteOptions, "signal" | "timeout" | "trace" | "onCall"> | null | undefined;

/** What a call runs: a tool with raw arguments, or a lookup for the host. */
interface Call {
  effect: Effect;
  args?: unknown;
  run: (context: ToolContext) => Promise<Outcome>;
}

/** Runs any call. Never throws: an error, even one caused by invalid options such as a bogus signal, is returned as a failure. */
async function runCall({ effect, args, run }: Call, options: CallOptions, shared: SharedContext): Promise<FleetToolResult> {
  let context: ToolContext = shared;
  const running = async () => {
    const { signal, timeout = shared.callTimeout, trace } = options ?? {};
    return withDeadline(timeout, signal, (ending, endsAt) => {
      const fleet = limitedClient(shared.fleet);
      context = { ...shared, fleet, callOptions: { signal: ending, ...(trace && { trace }) }, ...(endsAt !== undefined && { endsAt }) };
      return run(context);
    });
  };
  const outcome = await running().catch((error: unknown) => outcomeOf(error, effect, context, args));
  return resultOf(outcome, context);
}

const answerOf = ({ question, structured }: Extract<FleetToolResult, { ok: true }>) => {
  if (question) return "question";
  return isOutdated(structured) ? "stale" : "ok";
};

/** Runs a call, and reports it to its own hook if it has one, otherwise to that of the tools. */
async function reported(
  tool: string,
  options: CallOptions,
  shared: SharedContext,
  run: () => Promise<FleetToolResult>,
): Promise<FleetToolResult> {
  const startedAt = performance.now();
  const trace = parseTraceContext(options?.trace?.traceparent);
  const result = await run();
  notify(options?.onCall ?? shared.onCall, {
    tool,
    ms: Math.round(performance.now() - startedAt),
    get tokens() {
      if (!result.ok) return resultTokens({ error: result.text });
      return result.question ? 0 : resultTokens(result);
    },
    outcome: result.ok ? answerOf(result) : result.structured.error.code,
    ...(trace && { trace: traceIdOf(trace) }),
  });
  return result;
}

/** Looks something up for the host rather than the model. Reported only if it has a name. */
export function lookUp(
  run: (context: ToolContext) => Promise<ToolResult>,
  options: CallOptions,
  shared: SharedContext,
  name?: string,
): Promise<FleetToolResult> {
  const found = (lookup = run) => runCall({ effect: "read", run: lookup }, options, shared);
  if (name === undefined) return found();
  const aged = async (context: ToolContext) => {
    const { result, age } = await withReadAge(run, context);
    return age.failure === undefined ? result : withAge(result, age);
  };
  return reported(name, options, shared, () => found(aged));
}

/** Runs one of the caller's callbacks, and returns a fallback if it throws. */
async function withFallback<Value>(callback: () => Promise<Value>, fallback: Value): Promise<Value> {
  try {
    return await callback();
  } catch {
    return fallback;
  }
}

/** Adds the options of one call to what all calls share. */
const withOptions = (shared: ToolContext, { signal, elicitation, wasPaused, callerId: id, ...options }: ExecuteOptions): ToolContext => ({
  ...shared,
  canElicit: Boolean(elicitation),
  reply: elicitation?.reply,
  caller: {
    ...(id !== undefined && { id }),
    ...(signal && { signal }),
    ...(wasPaused && { wasPaused }),
  },
  approved: options.approved === true,
  idempotencyKey: options.idempotencyKey,
  progress: (...step) => notify(options.progress, ...step),
  onWrite: options.onWrite ? (event) => notify(options.onWrite, event) : shared.onWrite,
});

async function execute(tool: Tool, args: unknown, options: ExecuteOptions, shared: SharedContext): Promise<FleetToolResult> {
  const run = (reply?: Reply) => {
    const call = (context: ToolContext) => runTool(tool, args, { ...withOptions(context, options), ...(reply && { reply }) });
    return runCall({ effect: tool.effect, args, run: call }, options, shared);
  };
  const result = await run();
  const question = result.ok ? result.question : undefined;
  const ask = options.elicitation?.ask;
  if (question === undefined || ask === undefined) return result;
  // The user may never reply. The second run has a timeout of its own, so the time that the user takes does not count.
  const answer = await withFallback(() => unlessAborted(options.signal, Promise.resolve(ask(question))), "notAsked");
  return run({ answer, state: question.state });
}

/** Whether a call, once approved, changes something: not a read, a dry run or a call whose arguments are invalid. Without arguments, whether any call may. */
function maySendWrite(tool: Tool, args: unknown): boolean {
  if (tool.effect === "read") return false;
  if (args === undefined) return true;
  try {
    const checked = checkedArguments(tool, args);
    return isChange(tool, checked) && checked["dryRun"] !== true;
  } catch {
    return false;
  }
}

/** Returns the functions that call a tool. */
export function toolCalls(tool: Tool, shared: SharedContext): Pick<FleetTool, "preview" | "needsApproval" | "execute"> {
  const { effect, name } = tool;
  return {
    preview: (args, options) => {
      const run = (context: ToolContext) => runTool(tool, args, { ...context, idempotencyKey: options?.idempotencyKey, previewOnly: true });
      return runCall({ effect, args, run }, options, shared);
    },
    needsApproval: (args) => shared.settings.confirm !== "never" && maySendWrite(tool, args),
    execute: (args, options) => reported(name, options, shared, () => execute(tool, args, options ?? {}, shared)),
  };
}
