import { Agent, MCPServerStdio, MCPServerStreamableHttp, Runner, setTracingDisabled, Usage } from "@openai/agents";
import { drive } from "./drive.mjs";

setTracingDisabled(true);

/** A model that makes one call and stores what it sees of the result. */
function scripted(name, args) {
  const shown = [];
  const getResponse = async ({ input }) => {
    const results = Array.isArray(input) ? input.filter(({ type }) => type === "function_call_result") : [];
    shown.push(...results.map(({ output }) => output));
    const message = { type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text: "done" }] };
    const call = { type: "function_call", callId: "1", name, arguments: JSON.stringify(args), status: "completed" };
    return { usage: new Usage(), output: [results.length > 0 ? message : call] };
  };
  return { model: { getResponse }, shown };
}

drive(async ({ server }) => {
  const mcp = server.url
    ? new MCPServerStreamableHttp({ name: "fleetwire", url: server.url })
    : new MCPServerStdio({ name: "fleetwire", ...server });
  await mcp.connect();
  return {
    call: async (name, args) => {
      const { model, shown } = scripted(name, args);
      await new Runner().run(new Agent({ name: "test-host", model, mcpServers: [mcp] }), "go");
      return shown[0];
    },
    close: () => mcp.close(),
  };
});
