// The smallest server with the SDK's first version, over stdio: the same tool as minimal-server.mjs.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import * as z from "zod-4";
import { RESULT } from "./constant-result.mjs";

const server = new McpServer({ name: "minimal", version: "1.0.0" });
server.registerTool("locate_vehicle", { description: "Where a vehicle is", inputSchema: { query: z.string() } }, () => RESULT);
await server.connect(new StdioServerTransport());
