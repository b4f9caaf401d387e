// The smallest server with the current SDK: one tool with a constant result, over stdio or HTTP. What the SDK and Node cost, ours cannot be below.
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

const SHORT = { content: [{ type: "text", text: "Truck 12 is at Quai Perrache, Lyon." }], structuredContent: { result: "found" } };
const RESULT = process.env.BENCH_RESULT ? JSON.parse(process.env.BENCH_RESULT) : SHORT;

function create() {
  const server = new McpServer({ name: "minimal", version: "1.0.0" });
  const inputSchema = z.object({ query: z.string() });
  server.registerTool("locate_vehicle", { description: "Where a vehicle is", inputSchema }, () => RESULT);
  return server;
}

if (process.argv[2] === "http") {
  const { fetch } = createMcpHandler(create);
  const server = createServer(getRequestListener((request) => fetch(request), { overrideGlobalObjects: false }));
  server.listen(0, "127.0.0.1", () => console.error(`ready at http://127.0.0.1:${server.address().port}/mcp`));
} else {
  serveStdio(create);
}
