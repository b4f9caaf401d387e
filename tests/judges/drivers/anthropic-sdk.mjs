import Anthropic from "@anthropic-ai/sdk";
import { mcpTools } from "@anthropic-ai/sdk/helpers/beta/mcp";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { drive } from "./drive.mjs";

/** A scripted Messages API: the model makes one call and stores what it sees of the result. */
function scripted(name, input) {
  const shown = [];
  const fetch = async (_, { body }) => {
    const last = JSON.parse(body).messages.at(-1).content;
    const results = Array.isArray(last) ? last.filter(({ type }) => type === "tool_result") : [];
    shown.push(...results);
    const content = results.length > 0 ? [{ type: "text", text: "done" }] : [{ type: "tool_use", id: "toolu_1", name, input }];
    const stop_reason = results.length > 0 ? "end_turn" : "tool_use";
    const message = { id: "msg_1", type: "message", role: "assistant", model: "scripted", content, stop_reason, stop_sequence: null };
    return Response.json({ ...message, usage: { input_tokens: 1, output_tokens: 1 } });
  };
  return { anthropic: new Anthropic({ apiKey: "canary-key", fetch }), shown };
}

drive(async ({ server, revision }) => {
  const mode = revision === "older" ? "legacy" : { pin: revision };
  const client = new Client({ name: "test-host", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(server.url ? new StreamableHTTPClientTransport(new URL(server.url)) : new StdioClientTransport(server));
  const { tools } = await client.listTools();
  return {
    revision: client.getNegotiatedProtocolVersion(),
    call: async (name, args) => {
      const { anthropic, shown } = scripted(name, args);
      const messages = [{ role: "user", content: "go" }];
      await anthropic.beta.messages.toolRunner({ model: "scripted", max_tokens: 100, messages, tools: mcpTools(tools, client) });
      const [result] = shown;
      if (result?.is_error) throw new Error(JSON.stringify(result.content));
      return result;
    },
    close: () => client.close(),
  };
});
