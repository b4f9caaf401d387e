import { MCPClient } from "@mastra/mcp";
import { askUser, drive } from "./drive.mjs";

drive(async ({ server, revision, elicits }) => {
  const mcp = new MCPClient({
    id: "test-host",
    servers: {
      fleetwire: {
        ...(server.url ? { url: new URL(server.url) } : server),
        protocolVersion: revision === "older" ? "legacy" : revision,
        ...(elicits && { inputRequests: async ({ params }) => askUser(params.message) }),
      },
    },
  });
  const tools = await mcp.listTools();
  return {
    revision: mcp.getServerProtocolVersions().fleetwire,
    call: (name, args) => tools[`fleetwire_${name}`].execute(args, {}),
    close: () => mcp.disconnect(),
  };
});
