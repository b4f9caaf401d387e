// Runs a framework, whose name is the argument, in its own process with the Node version and packages that it needs. Commands and results go over IPC.
import { createFleetTools, fleetToolsConfigFromEnv } from "@fleetwire/tools";

const fleet = createFleetTools(fleetToolsConfigFromEnv(process.env));
let records = [];
const options = { onResult: (_, { structured }) => records.push(structured) };
const previewOf = async (name, args) => (await fleet.byName.get(name).preview(args)).text;

/**
 * Each returns a function that runs an agent on a prompt and reports the previews that its user sees in `asked`. `decide` is what the user does: "approve",
 * "deny" or "open"; `bare` means that the framework's approval is not configured. It returns the records, if the framework passes them to the application.
 */
const FRAMEWORKS = {
  "ai-sdk": async () => {
    const { openai } = await import("@ai-sdk/openai");
    const { toAiSdkTools } = await import("@fleetwire/tools/ai-sdk");
    const { generateText, isStepCount } = await import("ai");
    const { tools, toolApproval } = toAiSdkTools(fleet, options);
    return async ({ prompt, decide, bare, asked, signal }) => {
      const messages = [{ role: "user", content: prompt }];
      const common = { model: openai("gpt-5"), messages, tools, stopWhen: isStepCount(3), abortSignal: signal, maxRetries: 0 };
      for (;;) {
        const { content, responseMessages, steps } = await generateText({ ...common, ...(!bare && { toolApproval }) });
        const isFirst = messages.length === 1;
        messages.push(...responseMessages);
        const requests = content.filter(({ type }) => type === "tool-approval-request");
        asked.push(...requests.map(({ reason }) => reason));
        if (requests.length === 0 && isFirst) return steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output.structured));
        if (requests.length === 0 || decide === "open") return undefined;
        const approved = decide === "approve";
        const replies = requests.map(({ approvalId }) => ({ type: "tool-approval-response", approvalId, approved }));
        messages.push({ role: "tool", content: replies });
      }
    };
  },
  anthropic: async () => {
    const { default: Anthropic } = await import("@anthropic-ai/sdk");
    const { ToolError } = await import("@anthropic-ai/sdk/lib/tools/ToolError");
    const { toAnthropicTools } = await import("@fleetwire/tools/anthropic");
    const client = new Anthropic({ maxRetries: 0 });
    const tools = toAnthropicTools(fleet, { ToolError, ...options });
    return async ({ prompt, signal }) => {
      const messages = [{ role: "user", content: prompt }];
      await client.beta.messages.toolRunner({ model: "claude-sonnet-4-5", max_tokens: 1024, messages, tools }, { signal });
    };
  },
  genkit: async () => {
    const { toGenkitTools } = await import("@fleetwire/tools/genkit");
    const { openAI } = await import("@genkit-ai/compat-oai/openai");
    const { genkit: stableGenkit } = await import("genkit");
    const { genkit } = await import("genkit/beta");
    (await import("genkit/logging")).logger.setLogLevel("error");
    const settings = { plugins: [openAI()], model: openAI.model("gpt-5") };
    const agentOf = (ai) => ({ ai, tools: toGenkitTools(fleet, { ai, ...options }) });
    const [asking, notAsking] = [agentOf(genkit(settings)), agentOf(stableGenkit(settings))];
    return async ({ prompt, decide, bare, asked, signal }) => {
      const { ai, tools } = bare ? notAsking : asking;
      const cancelled = { abortSignal: signal, context: { abortSignal: signal } };
      let response = await ai.generate({ prompt, tools, ...cancelled });
      while (response.interrupts.length > 0) {
        asked.push(...response.interrupts.map(({ metadata }) => metadata.interrupt.preview));
        if (decide === "open") return;
        const restart = response.interrupts.map((part) => {
          const restarted = tools.find(({ __action }) => __action.name === part.toolRequest.name);
          return restarted.restart(part, { approved: decide === "approve" });
        });
        response = await ai.generate({ messages: response.messages, tools, resume: { restart }, ...cancelled });
      }
    };
  },
  langchain: async () => {
    const { toLangChainTools } = await import("@fleetwire/tools/langchain");
    const { DynamicStructuredTool } = await import("@langchain/core/tools");
    const { Command, interrupt, MemorySaver } = await import("@langchain/langgraph");
    const { ChatOpenAI } = await import("@langchain/openai");
    const { createAgent } = await import("langchain");
    const model = new ChatOpenAI({ model: "gpt-5", maxRetries: 0 });
    const agentWith = (approval) => {
      const tools = toLangChainTools(fleet, { DynamicStructuredTool, ...approval, ...options });
      return createAgent({ model, tools, checkpointer: new MemorySaver() });
    };
    const [asking, notAsking] = [agentWith({ interrupt }), agentWith({})];
    let threads = 0;
    return async ({ prompt, decide, bare, asked, signal }) => {
      const agent = bare ? notAsking : asking;
      const config = { configurable: { thread_id: String(++threads) }, signal };
      let state = await agent.invoke({ messages: [{ role: "user", content: prompt }] }, config);
      while (state.__interrupt__?.length > 0) {
        const { actionRequests } = state.__interrupt__[0].value;
        asked.push(...actionRequests.map(({ description }) => description));
        if (decide === "open") return undefined;
        const type = decide === "approve" ? "approve" : "reject";
        state = await agent.invoke(new Command({ resume: { decisions: [{ type }] } }), config);
      }
      return state.messages.flatMap(({ artifact }) => artifact ?? []);
    };
  },
  mastra: async () => {
    const { toMastraTools } = await import("@fleetwire/tools/mastra");
    const { Mastra } = await import("@mastra/core");
    const { Agent } = await import("@mastra/core/agent");
    const { InMemoryStore } = await import("@mastra/core/storage");
    const { createTool } = await import("@mastra/core/tools");
    const { instructions } = fleet;
    const tools = toMastraTools(fleet, { createTool, ...options });
    const dispatch = new Agent({ id: "dispatch", name: "Dispatch", instructions, model: "openai/gpt-5", tools });
    const agent = new Mastra({ agents: { dispatch }, storage: new InMemoryStore(), logger: false }).getAgent("dispatch");
    return async ({ prompt, decide, asked, signal }) => {
      let result = await agent.generate(prompt, { abortSignal: signal, maxRetries: 0 });
      while (result.finishReason === "suspended") {
        const { toolCallId, toolName, args } = result.suspendPayload;
        asked.push(await previewOf(toolName, args));
        if (decide === "open") return;
        const call = { runId: result.runId, toolCallId };
        result = decide === "approve" ? await agent.approveToolCallGenerate(call) : await agent.declineToolCallGenerate(call);
      }
    };
  },
  "openai-agents": async () => {
    const { toOpenAIAgentsTools } = await import("@fleetwire/tools/openai-agents");
    const { Agent, run, setTracingDisabled } = await import("@openai/agents");
    setTracingDisabled(true);
    const { instructions } = fleet;
    const agent = new Agent({ name: "Dispatch", model: "gpt-5", instructions, tools: toOpenAIAgentsTools(fleet, options) });
    return async ({ prompt, decide, asked, signal }) => {
      let result = await run(agent, prompt, { signal });
      while (result.interruptions.length > 0) {
        for (const item of result.interruptions) {
          asked.push(await previewOf(item.name, JSON.parse(item.arguments)));
          if (decide === "open") return;
          if (decide === "approve") result.state.approve(item);
          else result.state.reject(item);
        }
        result = await run(agent, result.state, { signal });
      }
    };
  },
  "tanstack-ai": async () => {
    const { toTanStackTools } = await import("@fleetwire/tools/tanstack-ai");
    const { chat } = await import("@tanstack/ai");
    const { openaiText } = await import("@tanstack/ai-openai");
    const { tools, middleware } = toTanStackTools(fleet, options);
    return async ({ prompt, decide, bare, asked, aborting }) => {
      const used = { tools, middleware: bare ? [] : [middleware] };
      const common = { adapter: openaiText("gpt-5"), ...used, abortController: aborting, threadId: "dispatch" };
      let messages = [{ role: "user", content: prompt }];
      let resumed = {};
      for (;;) {
        let finished;
        for await (const chunk of chat({ ...common, messages, ...resumed })) {
          if (chunk.type === "MESSAGES_SNAPSHOT") ({ messages } = chunk);
          if (chunk.type === "RUN_ERROR") throw new Error(chunk.message);
          if (chunk.type === "RUN_FINISHED") finished = chunk;
        }
        const interrupts = finished?.outcome?.interrupts ?? [];
        if (interrupts.length === 0) return;
        const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls);
        for (const { toolCallId } of interrupts) {
          const { function: called } = calls.find(({ id }) => id === toolCallId);
          asked.push(await previewOf(called.name, JSON.parse(called.arguments)));
        }
        if (decide === "open") return;
        const payload = { approved: decide === "approve" };
        const resume = interrupts.map(({ id: interruptId }) => ({ interruptId, status: "resolved", payload }));
        resumed = { resume, parentRunId: finished.runId };
      }
    };
  },
};

const converse = await FRAMEWORKS[process.argv[2]]();
let aborting;
process.on("message", async ({ prompt, decide, bare, abort }) => {
  if (abort) return aborting.abort();
  aborting = new AbortController();
  records = [];
  const asked = [];
  try {
    const native = await converse({ prompt, decide, bare, asked, aborting, signal: aborting.signal });
    process.send({ asked, records: native ?? records });
  } catch (error) {
    process.send({ asked, records, thrown: [error?.message ?? error, error?.cause ?? ""].join(": ") });
  }
});
process.on("disconnect", () => process.exit(0));
process.send({ ready: true });
