import { toMastraTools } from "@fleetwire/tools/mastra";
import { Mastra } from "@mastra/core";
import { Agent } from "@mastra/core/agent";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import { drive } from "./drive.mjs";

drive((fleet, options) => {
  const dispatch = new Agent({
    id: "dispatch",
    name: "Dispatch",
    instructions: fleet.instructions,
    model: "openai/gpt-5",
    tools: toMastraTools(fleet, { createTool, ...options }),
  });
  const agent = new Mastra({ agents: { dispatch }, storage: new InMemoryStore(), logger: false }).getAgent("dispatch");
  return async ({ prompt, decide, asked, signal }) => {
    let result = await agent.generate(prompt, { abortSignal: signal, maxRetries: 0 });
    while (result.finishReason === "suspended") {
      const { toolCallId, toolName, args } = result.suspendPayload;
      const { text } = await fleet.byName.get(toolName).preview(args);
      asked.push(text);
      if (decide === "open") return;
      const call = { runId: result.runId, toolCallId };
      result = decide === "approve" ? await agent.approveToolCallGenerate(call) : await agent.declineToolCallGenerate(call);
    }
  };
});
