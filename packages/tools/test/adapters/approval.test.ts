import { describe, expect, it } from "vitest";
import { toAiSdkTools } from "../../src/adapters/ai-sdk.ts";
import { toGenkitTools } from "../../src/adapters/genkit.ts";
import { type LangChainInterrupt, toLangChainTools } from "../../src/adapters/langchain.ts";
import { toMastraTools } from "../../src/adapters/mastra.ts";
import { toOpenAIAgentsTools } from "../../src/adapters/openai-agents.ts";
import { toTanStackTools } from "../../src/adapters/tanstack-ai.ts";
import { fleetUnderTest, JOB } from "../fleet-under-test.ts";

// The frameworks themselves are in tests/frameworks. These are the states of theirs that must not send anything.

type Part = Readonly<Record<string, unknown>>;

const request = (more: Part = {}): Part => ({ type: "tool-approval-request", approvalId: "a1", toolCallId: "call_0", ...more });
const response = (more: Part = {}): Part => ({ type: "tool-approval-response", approvalId: "a1", approved: true, ...more });
const conversation = (asked: Part[], replied: Part[]) => [
  { role: "assistant", content: asked },
  { role: "tool", content: replied },
];

describe("AI SDK: a write is sent only if the conversation ends with its approval (src/adapters/ai-sdk.ts)", () => {
  it.each<[string, { role: string; content: unknown }[], number]>([
    ["approved", conversation([request()], [response()]), 1],
    ["nothing asked", [], 0],
    ["not answered", [{ role: "assistant", content: [request()] }], 0],
    ["denied", conversation([request()], [response({ approved: false })]), 0],
    ["approved and denied", conversation([request()], [response(), response({ approved: false })]), 0],
    ["approved in words", conversation([request()], [response({ approved: "yes" })]), 0],
    ["approved by a rule instead of a user", conversation([request({ isAutomatic: true })], [response()]), 0],
    ["another call approved", conversation([request({ toolCallId: "call_1" })], [response()]), 0],
    ["another request approved", conversation([request()], [response({ approvalId: "a2" })]), 0],
    ["no ids on either side", conversation([request({ approvalId: undefined })], [response({ approvalId: undefined })]), 0],
    ["ids that are null", conversation([request({ approvalId: null })], [response({ approvalId: null })]), 0],
    ["ids that are empty", conversation([request({ approvalId: "" })], [response({ approvalId: "" })]), 0],
    ["an id that another call has too", conversation([request(), request({ toolCallId: "call_1" })], [response()]), 0],
    ["a user who writes an approval", [{ role: "user", content: [request(), response()] }], 0],
    [
      "a user who replies in the place of the framework",
      [
        { role: "assistant", content: [request()] },
        { role: "user", content: [response()] },
      ],
      0,
    ],
    ["approved earlier", [...conversation([request()], [response()]), { role: "user", content: "Again" }], 0],
  ])("%s", async (_, messages, sent) => {
    const { tools: fleet, writes } = await fleetUnderTest();
    const { tools } = toAiSdkTools(fleet);
    for await (const _ of tools["create_job"]?.execute(JOB, { toolCallId: "call_0", messages }) ?? []);
    expect(writes()).toHaveLength(sent);
  });
});

describe("OpenAI Agents: a write is sent only if the run's context says so (src/adapters/openai-agents.ts)", () => {
  it.each<[string, boolean | undefined, { callId: string } | undefined, number]>([
    ["approved", true, { callId: "call_0" }, 1],
    ["rejected", false, { callId: "call_0" }, 0],
    ["open", undefined, { callId: "call_0" }, 0],
    ["a call without an id", true, undefined, 0],
    ["a call with an empty id", true, { callId: "" }, 0],
  ])("%s", async (_, decision, toolCall, sent) => {
    const { tools: fleet, writes } = await fleetUnderTest();
    const tool = toOpenAIAgentsTools(fleet).find(({ name }) => name === "create_job");
    await tool?.invoke({ isToolApproved: () => decision }, JSON.stringify(JOB), toolCall && { toolCall });
    expect(writes()).toHaveLength(sent);
  });
});

describe("TanStack AI: a write is sent only if chat() ran it after asking (src/adapters/tanstack-ai.ts)", () => {
  it.each<[string, (tool: object) => { tool: object; args: object } | undefined, number]>([
    ["approved", (tool) => ({ tool, args: JOB }), 1],
    ["in code mode", () => undefined, 0],
    ["other arguments approved", (tool) => ({ tool, args: { ...JOB } }), 0],
    ["the tool changed to ask nobody", (tool) => ({ tool: Object.assign(tool, { needsApproval: false }), args: JOB }), 0],
    ["a copy of the tool that asks nobody", (tool) => ({ tool: { ...tool, needsApproval: false }, args: JOB }), 0],
  ])("%s", async (_, hooked, sent) => {
    const { tools: fleet, writes } = await fleetUnderTest();
    const { tools, middleware } = toTanStackTools(fleet);
    const tool = tools.find(({ name }) => name === "create_job");
    const call = tool && hooked(tool);
    if (call) middleware.onBeforeToolCall({}, call);
    await tool?.execute(JOB);
    // An approval is used up by its call.
    await tool?.execute(JOB);
    expect(writes()).toHaveLength(sent);
  });
});

describe("Mastra: a write is sent only by an agent, which asks before it (src/adapters/mastra.ts)", () => {
  it.each([
    ["in an agent", { agent: { toolCallId: "call_0" } }, 1],
    ["in a workflow", {}, 0],
    ["on its own", undefined, 0],
  ])("%s", async (_, context, sent) => {
    const { tools: fleet, writes } = await fleetUnderTest();
    const tool = toMastraTools(fleet, { createTool: (options) => options })["create_job"];
    expect(tool?.requireApproval(JOB)).toBe(true);
    await tool?.execute(JOB, context);
    expect(writes()).toHaveLength(sent);
  });
});

describe("LangChain: a write is sent only if the graph is resumed with one approval (src/adapters/langchain.ts)", () => {
  class Captured {
    readonly fields: ConstructorParameters<Parameters<typeof toLangChainTools>[1]["DynamicStructuredTool"]>[0];
    constructor(fields: Captured["fields"]) {
      this.fields = fields;
    }
  }

  it.each<[string, unknown, number]>([
    ["approved", { decisions: [{ type: "approve" }] }, 1],
    ["rejected", { decisions: [{ type: "reject" }] }, 0],
    ["edited", { decisions: [{ type: "edit", editedAction: { name: "create_job", args: {} } }] }, 0],
    ["several decisions", { decisions: [{ type: "approve" }, { type: "reject" }] }, 0],
    ["no decision", { decisions: [] }, 0],
    ["another form", "approve", 0],
    ["nothing", undefined, 0],
  ])("%s", async (_, resumed, sent) => {
    const { tools: fleet, writes } = await fleetUnderTest();
    const asked: string[] = [];
    const interrupt = ({ actionRequests: [action] }: LangChainInterrupt) => {
      asked.push(action?.description ?? "");
      return resumed;
    };
    const tools = toLangChainTools(fleet, { DynamicStructuredTool: Captured, interrupt });
    const [text] = (await tools.find(({ fields }) => fields.name === "create_job")?.fields.func(JOB)) ?? [];
    expect({ asked, text, writes: writes().length }).toEqual({
      asked: [expect.stringContaining("Create job:")],
      text: expect.stringContaining(sent ? "Job created" : "The user declined: nothing was sent"),
      writes: sent,
    });
  });
});

describe("Genkit: a write is sent only if it is restarted as approved (src/adapters/genkit.ts)", () => {
  it.each<[string, boolean | Record<string, unknown> | null | undefined, "beta" | "stable", number]>([
    ["approved", { approved: true }, "beta", 1],
    ["restarted with nothing", null, "beta", 0],
    ["declined", { approved: false }, "beta", 0],
    ["not asked yet", undefined, "beta", 0],
    ["restarted without an answer", true, "beta", 0],
    ["approved in words", { approved: "yes" }, "beta", 0],
    ["without interrupts", undefined, "stable", 0],
  ])("%s", async (_, resumed, apiStability, sent) => {
    const { tools: fleet, writes } = await fleetUnderTest();
    const interrupt = (): never => {
      throw new Error("interrupted");
    };
    const options = { context: {}, interrupt, ...(resumed !== undefined && { resumed }) };
    const defineTool: Parameters<typeof toGenkitTools>[1]["ai"]["defineTool"] = ({ name }, run) => ({ name, run: () => run(JOB, options) });
    const tools = toGenkitTools(fleet, { ai: { apiStability, defineTool } }) as { name: string; run: () => Promise<string> }[];
    await tools
      .find(({ name }) => name === "create_job")
      ?.run()
      .catch(() => {});
    expect(writes()).toHaveLength(sent);
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
    const { tools, another } = await fleetUnderTest();
    expect(tools.byName.get(name)?.needsApproval(args)).toBe(expected);
    expect(another({ confirm: "never" }).byName.get(name)?.needsApproval(args)).toBe(false);
  });
});

describe("idempotencyKey", () => {
  const runs = (fleet: Parameters<typeof toOpenAIAgentsTools>[0], options: Parameters<typeof toOpenAIAgentsTools>[1]) => {
    const tool = toOpenAIAgentsTools(fleet, options).find(({ name }) => name === "create_job");
    return (args: object, callId: string) => tool?.invoke({ isToolApproved: () => true }, JSON.stringify(args), { toolCall: { callId } });
  };

  it("makes a resumed run, in this process or another, create its job only once", async () => {
    const { tools, another, writes, jobs } = await fleetUnderTest();
    const before = (await jobs()).length;
    const idempotencyKey = ({ callId }: { callId: string | undefined }) => `run-7/${callId}`;
    const created = await runs(tools, { idempotencyKey })(JOB, "call_0");
    expect(await runs(tools, { idempotencyKey })(JOB, "call_0")).toContain("nothing was sent this time");
    expect(await runs(another(), { idempotencyKey })(JOB, "call_0")).toContain(/FW-\w{8}-\w{10}/.exec(created ?? "")?.[0]);
    expect([(await jobs()).length - before, writes()[0]]).toEqual([1, "POST 200"]);
  });

  it("is rejected if it was used for other arguments, as a call's id without a run would be", async () => {
    const { tools, writes } = await fleetUnderTest();
    const run = runs(tools, { idempotencyKey: ({ callId }) => callId });
    await run(JOB, "call_0");
    expect(await run({ ...JOB, notes: "another" }, "call_0")).toContain("already used with another tool or other arguments");
    expect(writes()).toEqual(["POST 200"]);
  });

  it("is passed the arguments without null, so that a key may depend on them", async () => {
    const { tools } = await fleetUnderTest();
    const seen: unknown[] = [];
    await runs(tools, { idempotencyKey: (call) => void seen.push(call) })({ ...JOB, notes: null }, "call_0");
    expect(seen).toEqual([{ tool: "create_job", args: JOB, callId: "call_0" }]);
  });
});
