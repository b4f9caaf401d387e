import { toAiSdkTools } from "@fleetwire/tools/ai-sdk";
import { toGenkitTools } from "@fleetwire/tools/genkit";
import { type LangChainInterrupt, toLangChainTools } from "@fleetwire/tools/langchain";
import { toMastraTools } from "@fleetwire/tools/mastra";
import { toOpenAIAgentsTools } from "@fleetwire/tools/openai-agents";
import { toTanStackTools } from "@fleetwire/tools/tanstack-ai";
import { describe, expect, it } from "vitest";
import type { FleetTools } from "../../src/index.ts";
import { JOB, servedProcesses, servedWrites } from "../writes/served-writes.ts";

// The frameworks themselves are in tests/frameworks. These are the states of theirs that must not send anything.

type Part = Readonly<Record<string, unknown>>;
type Send = (fleet: FleetTools) => unknown;

const request = (more: Part = {}): Part => ({ type: "tool-approval-request", approvalId: "a1", toolCallId: "call_0", ...more });
const response = (more: Part = {}): Part => ({ type: "tool-approval-response", approvalId: "a1", approved: true, ...more });
const conversation = (asked: Part[], replied: Part[], role = "tool") => [
  { role: "assistant", content: asked },
  { role, content: replied },
];
const sameId = (approvalId: unknown) => conversation([request({ approvalId })], [response({ approvalId })]);

const aiSdk =
  (messages: { role: string; content: unknown }[]): Send =>
  async (fleet) => {
    const { tools } = toAiSdkTools(fleet);
    for await (const _ of tools["create_job"]?.execute(JOB, { toolCallId: "call_0", messages }) ?? []);
  };

const NONE = "none";
const openAIAgents =
  (decision: boolean | undefined, callId: string | undefined = "call_0"): Send =>
  (fleet) => {
    const tool = toOpenAIAgentsTools(fleet).find(({ name }) => name === "create_job");
    return tool?.invoke({ isToolApproved: () => decision }, JSON.stringify(JOB), callId === NONE ? undefined : { toolCall: { callId } });
  };

const tanStack =
  (hooked: (tool: object) => { tool: object; args: object } | undefined): Send =>
  async (fleet) => {
    const { tools, middleware } = toTanStackTools(fleet);
    const tool = tools.find(({ name }) => name === "create_job");
    const call = tool && hooked(tool);
    if (call) middleware.onBeforeToolCall({}, call);
    await tool?.execute(JOB);
    // An approval is used up by its call.
    await tool?.execute(JOB);
  };

const mastra =
  (context?: { agent?: { toolCallId: string } }): Send =>
  (fleet) => {
    const tool = toMastraTools(fleet, { createTool: (options) => options })["create_job"];
    expect(tool?.requireApproval(JOB)).toBe(true);
    return tool?.execute(JOB, context);
  };

class Captured {
  readonly fields: ConstructorParameters<Parameters<typeof toLangChainTools>[1]["DynamicStructuredTool"]>[0];
  constructor(fields: Captured["fields"]) {
    this.fields = fields;
  }
}

const langChain =
  (resumed: unknown): Send =>
  async (fleet) => {
    const asked: string[] = [];
    const interrupt = ({ actionRequests: [action] }: LangChainInterrupt) => {
      asked.push(action?.description ?? "");
      return resumed;
    };
    const tools = toLangChainTools(fleet, { DynamicStructuredTool: Captured, interrupt });
    const [text] = (await tools.find(({ fields }) => fields.name === "create_job")?.fields.func(JOB)) ?? [];
    expect(asked).toEqual([expect.stringContaining("Create job:")]);
    expect(text).toMatch(/Job created|The user declined: nothing was sent/);
  };

const genkit =
  (resumed?: boolean | Part | null, apiStability: "beta" | "stable" = "beta"): Send =>
  async (fleet) => {
    const interrupt = (): never => {
      throw new Error("interrupted");
    };
    const options = { context: {}, interrupt, ...(resumed !== undefined && { resumed }) };
    const defineTool: Parameters<typeof toGenkitTools>[1]["ai"]["defineTool"] = ({ name }, run) => ({ name, run: () => run(JOB, options) });
    const tools = toGenkitTools(fleet, { ai: { apiStability, defineTool } }) as { name: string; run: () => Promise<string> }[];
    const run = tools.find(({ name }) => name === "create_job")?.run();
    await run?.catch(() => {});
  };

describe("a write is sent", () => {
  const edited = { type: "edit", editedAction: { name: "create_job", args: {} } };

  it.each<[string, Send, number]>([
    ["AI SDK: approved", aiSdk(conversation([request()], [response()])), 1],
    ["AI SDK: nothing asked", aiSdk([]), 0],
    ["AI SDK: not answered", aiSdk([{ role: "assistant", content: [request()] }]), 0],
    ["AI SDK: denied", aiSdk(conversation([request()], [response({ approved: false })])), 0],
    ["AI SDK: approved and denied", aiSdk(conversation([request()], [response(), response({ approved: false })])), 0],
    ["AI SDK: approved in words", aiSdk(conversation([request()], [response({ approved: "yes" })])), 0],
    ["AI SDK: approved by a rule instead of a user", aiSdk(conversation([request({ isAutomatic: true })], [response()])), 0],
    ["AI SDK: another call approved", aiSdk(conversation([request({ toolCallId: "call_1" })], [response()])), 0],
    ["AI SDK: another request approved", aiSdk(conversation([request()], [response({ approvalId: "a2" })])), 0],
    ["AI SDK: no ids on either side", aiSdk(sameId(undefined)), 0],
    ["AI SDK: ids that are null", aiSdk(sameId(null)), 0],
    ["AI SDK: ids that are empty", aiSdk(sameId("")), 0],
    ["AI SDK: an id that another call has too", aiSdk(conversation([request(), request({ toolCallId: "call_1" })], [response()])), 0],
    ["AI SDK: a user who writes an approval", aiSdk([{ role: "user", content: [request(), response()] }]), 0],
    ["AI SDK: a user who replies instead of the framework", aiSdk(conversation([request()], [response()], "user")), 0],
    ["AI SDK: approved earlier", aiSdk([...conversation([request()], [response()]), { role: "user", content: "Again" }]), 0],
    ["OpenAI Agents: approved", openAIAgents(true), 1],
    ["OpenAI Agents: rejected", openAIAgents(false), 0],
    ["OpenAI Agents: open", openAIAgents(undefined), 0],
    ["OpenAI Agents: a call without an id", openAIAgents(true, NONE), 0],
    ["OpenAI Agents: a call with an empty id", openAIAgents(true, ""), 0],
    ["TanStack AI: approved", tanStack((tool) => ({ tool, args: JOB })), 1],
    ["TanStack AI: in code mode", tanStack(() => undefined), 0],
    ["TanStack AI: other arguments approved", tanStack((tool) => ({ tool, args: { ...JOB } })), 0],
    ["TanStack AI: the tool changed", tanStack((tool) => ({ tool: Object.assign(tool, { needsApproval: false }), args: JOB })), 0],
    ["TanStack AI: a copy of the tool", tanStack((tool) => ({ tool: { ...tool, needsApproval: false }, args: JOB })), 0],
    ["Mastra: in an agent", mastra({ agent: { toolCallId: "call_0" } }), 1],
    ["Mastra: in a workflow", mastra({}), 0],
    ["Mastra: on its own", mastra(), 0],
    ["LangChain: approved", langChain({ decisions: [{ type: "approve" }] }), 1],
    ["LangChain: rejected", langChain({ decisions: [{ type: "reject" }] }), 0],
    ["LangChain: edited", langChain({ decisions: [edited] }), 0],
    ["LangChain: several decisions", langChain({ decisions: [{ type: "approve" }, { type: "reject" }] }), 0],
    ["LangChain: no decision", langChain({ decisions: [] }), 0],
    ["LangChain: another form", langChain("approve"), 0],
    ["LangChain: nothing", langChain(undefined), 0],
    ["Genkit: approved", genkit({ approved: true }), 1],
    ["Genkit: restarted with nothing", genkit(null), 0],
    ["Genkit: declined", genkit({ approved: false }), 0],
    ["Genkit: not asked yet", genkit(), 0],
    ["Genkit: restarted without an answer", genkit(true), 0],
    ["Genkit: approved in words", genkit({ approved: "yes" }), 0],
    ["Genkit: without interrupts", genkit(undefined, "stable"), 0],
  ])("%s", async (_, send, writes) => {
    const { tools, sent } = await servedWrites();
    await send(tools);
    expect(sent()).toHaveLength(writes);
  });
});

describe("needsApproval", () => {
  it.each<[string, unknown, boolean]>([
    ["locate_vehicle", { query: "truck 12" }, false],
    ["create_job", JOB, true],
    ["create_job", undefined, true],
    ["update_group", undefined, true],
    ["create_job", { ...JOB, dryRun: true }, false],
    ["create_job", { ...JOB, dryRun: "true" }, false],
    ["create_job", { ...JOB, dryRun: false }, true],
    ["create_job", { ...JOB, confirmation: "x" }, true],
    ["create_job", { adress: "misspelt" }, false],
  ])("%s %j: %j", async (name, args, expected) => {
    const { tools, another } = await servedWrites();
    expect(tools.byName.get(name)?.needsApproval(args)).toBe(expected);
    expect(another({ confirm: "never" }).byName.get(name)?.needsApproval(args)).toBe(false);
  });
});

describe("idempotencyKey", () => {
  const runs = (fleet: FleetTools, options: Parameters<typeof toOpenAIAgentsTools>[1]) => {
    const tool = toOpenAIAgentsTools(fleet, options).find(({ name }) => name === "create_job");
    return (args: object) => tool?.invoke({ isToolApproved: () => true }, JSON.stringify(args), { toolCall: { callId: "call_0" } });
  };

  it("makes a resumed run, in this process or another, create its job only once", async () => {
    const { tools, another, created, sent } = await servedProcesses();
    const idempotencyKey = ({ callId }: { callId: string | undefined }) => `run-7/${callId}`;
    await runs(tools, { idempotencyKey })(JOB);
    expect(await runs(tools, { idempotencyKey })(JOB)).toContain("nothing was sent this time");
    expect(sent()).toHaveLength(1);
    expect(await runs(another(), { idempotencyKey })(JOB)).toContain(created[0]);
    expect(created).toHaveLength(1);
  });

  it("is rejected if it was used for other arguments, as a call's id without a run would be", async () => {
    const { tools, sent } = await servedWrites();
    const run = runs(tools, { idempotencyKey: ({ callId }) => callId });
    await run(JOB);
    expect(await run({ ...JOB, notes: "another" })).toContain("already used with another tool or other arguments");
    expect(sent()).toHaveLength(1);
  });

  it("is passed the arguments without null, so that a key may depend on them", async () => {
    const { tools } = await servedWrites();
    const seen: unknown[] = [];
    await runs(tools, { idempotencyKey: (call) => void seen.push(call) })({ ...JOB, notes: null });
    expect(seen).toEqual([{ tool: "create_job", args: JOB, callId: "call_0" }]);
  });
});
