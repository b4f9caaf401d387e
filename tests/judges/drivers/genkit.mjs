import { createMcpHost } from "@genkit-ai/mcp";
import { genkit } from "genkit";
import { logger } from "genkit/logging";
import { drive } from "./drive.mjs";

logger.setLogLevel("error");

drive(async ({ server }) => {
  const ai = genkit({});
  const host = createMcpHost({ name: "test-host", mcpServers: { fleetwire: server } });
  await host.ready();
  const tools = await host.getActiveTools(ai);
  let wanted;
  let shown;
  const model = ai.defineModel({ name: "scripted", supports: { tools: true, multiturn: true } }, async ({ messages, tools: offered }) => {
    const { role, content } = messages.at(-1);
    if (role === "tool") {
      shown = content.map(({ toolResponse }) => toolResponse.output);
      return { message: { role: "model", content: [{ text: "done" }] }, finishReason: "stop" };
    }
    const { name } = offered.find((tool) => tool.name.endsWith(wanted.name));
    return { message: { role: "model", content: [{ toolRequest: { ref: "1", name, input: wanted.input } }] }, finishReason: "stop" };
  });
  return {
    call: async (name, input) => {
      wanted = { name, input };
      shown = undefined;
      await ai.generate({ model, prompt: "go", tools });
      return shown;
    },
    close: () => host.close(),
  };
});
