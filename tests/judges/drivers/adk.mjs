import { MCPToolset } from "@google/adk";
import { drive } from "./drive.mjs";

drive(async ({ server }) => {
  const toolset = new MCPToolset(
    server.url ? { type: "StreamableHTTPConnectionParams", url: server.url } : { type: "StdioConnectionParams", serverParams: server },
  );
  const tools = await toolset.getTools();
  return {
    call: (name, args) => tools.find((tool) => tool.name === name).runAsync({ args, toolContext: {} }),
    close: () => toolset.close(),
  };
});
