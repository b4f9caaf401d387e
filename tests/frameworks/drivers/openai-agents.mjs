import { toOpenAIAgentsTools } from "@fleetwire/tools/openai-agents";
import { Agent, run, setTracingDisabled } from "@openai/agents";
import { drive } from "./drive.mjs";

setTracingDisabled(true);

drive((fleet, options) => {
  const agent = new Agent({
    name: "Dispatch",
    model: "gpt-5",
    instructions: fleet.instructions,
    tools: toOpenAIAgentsTools(fleet, options),
  });
  return async ({ prompt, decide, asked, signal }) => {
    let result = await run(agent, prompt, { signal });
    while (result.interruptions.length > 0) {
      for (const item of result.interruptions) {
        const { text } = await fleet.byName.get(item.name).preview(JSON.parse(item.arguments));
        asked.push(text);
        if (decide === "open") return;
        if (decide === "approve") result.state.approve(item);
        else result.state.reject(item);
      }
      result = await run(agent, result.state, { signal });
    }
  };
});
