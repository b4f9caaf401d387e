import { toLangChainTools } from "@fleetwire/tools/langchain";
import { DynamicStructuredTool } from "@langchain/core/tools";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";
import { drive } from "./drive.mjs";

drive((fleet, options) => {
  const model = new ChatOpenAI({ model: "gpt-5", maxRetries: 0 });
  const agentWith = (approval) =>
    createAgent({
      model,
      tools: toLangChainTools(fleet, { DynamicStructuredTool, ...approval, ...options }),
      checkpointer: new MemorySaver(),
    });
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
});
