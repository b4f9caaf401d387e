import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { drive } from "./drive.mjs";

drive(async ({ server }) => {
  const connection = server.url ? { transport: "http", url: server.url } : { transport: "stdio", ...server };
  const client = new MultiServerMCPClient({ mcpServers: { fleetwire: connection } });
  const tools = await client.getTools();
  return {
    call: async (name, args) => {
      const message = await tools.find((tool) => tool.name === name).invoke({ type: "tool_call", id: "1", name, args });
      return { content: message.content, artifact: message.artifact };
    },
    close: () => client.close(),
  };
});
