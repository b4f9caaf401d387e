import type { FleetToolResult, ToolSchema } from "../model/fleet-tool.ts";
import { type AdaptedTools, type AdapterOptions, adaptTools, type Progress } from "./adapted-call.ts";

/** What the AI SDK passes to a tool: only the parts that are used. */
interface ExecutionOptions {
  toolCallId: string;
  messages: readonly { role: string; content: unknown }[];
  abortSignal?: AbortSignal | undefined;
}

/** A tool's output: its progress while it runs, then its result, of which the model sees the text. */
export type AiSdkOutput = { progress: Progress } | FleetToolResult;

/** A tool for `generateText`, `streamText` and `ToolLoopAgent`. */
export interface AiSdkTool {
  description: string;
  inputSchema: ToolSchema;
  execute: (input: unknown, options: ExecutionOptions) => AsyncIterable<AiSdkOutput>;
  toModelOutput: (options: { output: AiSdkOutput }) => { type: "text" | "error-text"; value: string };
}

/** Asks for the user's approval, with the preview as the reason; undefined if a call needs none. */
export type AiSdkApproval = (
  input: unknown,
  options: { toolCallId: string },
) => Promise<{ type: "user-approval"; reason: string } | undefined>;

const isPart = (part: unknown): part is Readonly<Record<string, unknown>> => typeof part === "object" && part !== null;
const isName = (value: unknown) => typeof value === "string" && value !== "";
const partsOf = (content: unknown): Readonly<Record<string, unknown>>[] => (Array.isArray(content) ? content.filter(isPart) : []);

/** Whether the conversation ends with the user's approval of a call. */
function isApproved(toolCallId: string, messages: ExecutionOptions["messages"]): boolean {
  const last = messages.at(-1);
  if (last?.role !== "tool") return false;
  const requests = messages
    .flatMap(({ role, content }) => (role === "assistant" ? partsOf(content) : []))
    .filter((part) => part["type"] === "tool-approval-request" && isName(part["toolCallId"]) && isName(part["approvalId"]));
  const own = requests.filter((part) => part["toolCallId"] === toolCallId && part["isAutomatic"] !== true);
  // An id that another call's request has too does not say which of them the user approved.
  const ids = own
    .map(({ approvalId }) => approvalId)
    .filter((id) => requests.every((part) => part["approvalId"] !== id || own.includes(part)));
  const responses = partsOf(last.content).filter(({ type }) => type === "tool-approval-response");
  const replies = responses.filter(({ approvalId }) => ids.includes(approvalId));
  return replies.length > 0 && replies.every(({ approved }) => approved === true);
}

/** Runs a call and yields its progress as reported, then the result. */
async function* withProgress(run: (report: (progress: Progress) => void) => Promise<FleetToolResult>): AsyncGenerator<AiSdkOutput, void> {
  const waiting: Progress[] = [];
  let wake = () => {};
  let settled = false;
  const running = run((progress) => {
    waiting.push(progress);
    wake();
  });
  const settle = () => {
    settled = true;
    wake();
  };
  running.then(settle, settle);
  while (!settled || waiting.length > 0) {
    const progress = waiting.shift();
    if (progress !== undefined) yield { progress };
    else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
  yield await running;
}

/**
 * Returns the tools for the AI SDK, version 7 or later, and the `toolApproval` that asks the user about each write. Pass both; without
 * `toolApproval`, a write returns its preview and a confirmation token to the model.
 *
 * @example
 * ```ts
 * const { text } = await generateText({ model, prompt, ...toAiSdkTools(fleet), stopWhen: isStepCount(5) });
 * ```
 */
export function toAiSdkTools(
  fleet: AdaptedTools,
  options: AdapterOptions = {},
): { tools: Record<string, AiSdkTool>; toolApproval: Record<string, AiSdkApproval> } {
  const adapted = adaptTools(fleet, options, ({ name, description, inputSchema, run }): [string, AiSdkTool] => [
    name,
    {
      description,
      inputSchema,
      execute: (input, { toolCallId, messages, abortSignal }) => {
        const context = { callId: toolCallId, signal: abortSignal, approved: isApproved(toolCallId, messages) };
        return withProgress((progress) => run(input, { ...context, progress }));
      },
      toModelOutput: ({ output }) =>
        "progress" in output
          ? { type: "text", value: output.progress.message }
          : { type: output.ok ? "text" : "error-text", value: output.text },
    },
  ]);
  const approvals = adaptTools(fleet, options, ({ name, previewToApprove }, { effect }): [string, AiSdkApproval][] => {
    if (effect === "read") return [];
    const ask: AiSdkApproval = async (input, { toolCallId }) => {
      const reason = await previewToApprove(input, { callId: toolCallId });
      return reason === undefined ? undefined : { type: "user-approval", reason };
    };
    return [[name, ask]];
  });
  return { tools: Object.fromEntries(adapted), toolApproval: Object.fromEntries(approvals.flat()) };
}
