import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport } from "@ai-sdk/mcp/mcp-stdio";
import { generateText, isStepCount } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { askUser, drive } from "./drive.mjs";

const turn = (content, reason) => ({
  content: [content],
  finishReason: { unified: reason, raw: reason },
  usage: { inputTokens: { total: 1, noCache: 1 }, outputTokens: { total: 1, text: 1 } },
  warnings: [],
});

/** A model that makes one call and stores what it sees of the result. */
function scripted(toolName, args) {
  const shown = [];
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const results = prompt.filter(({ role }) => role === "tool").flatMap(({ content }) => content);
      shown.push(...results.map(({ output }) => output));
      if (results.length > 0) return turn({ type: "text", text: "done" }, "stop");
      return turn({ type: "tool-call", toolCallId: "1", toolName, input: JSON.stringify(args) }, "tool-calls");
    },
  });
  return { model, shown };
}

drive(async ({ server, revision, elicits }) => {
  const client = await createMCPClient({
    transport: server.url ? { type: "http", url: server.url } : new Experimental_StdioMCPTransport(server),
    protocolVersionDiscovery: revision !== "older",
    capabilities: elicits ? { elicitation: {} } : {},
  });
  if (elicits) {
    const { ElicitationRequestSchema } = await import("@ai-sdk/mcp");
    client.onElicitationRequest(ElicitationRequestSchema, ({ params }) => askUser(params.message));
  }
  const tools = await client.tools();
  return {
    revision: client.initializeResult.protocolVersion,
    call: async (name, args) => {
      const { model, shown } = scripted(name, args);
      await generateText({ model, tools, prompt: "go", stopWhen: isStepCount(3) });
      const [output] = shown;
      if (output?.type?.startsWith("error")) throw new Error(JSON.stringify(output.value));
      return output;
    },
    close: () => client.close(),
  };
});
