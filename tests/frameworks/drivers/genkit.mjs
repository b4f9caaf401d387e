import { toGenkitTools } from "@fleetwire/tools/genkit";
import { openAI } from "@genkit-ai/compat-oai/openai";
import { genkit as stableGenkit } from "genkit";
import { genkit } from "genkit/beta";
import { logger } from "genkit/logging";
import { drive } from "./drive.mjs";

logger.setLogLevel("error");

drive((fleet, options) => {
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
});
