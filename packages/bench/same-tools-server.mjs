// A minimal server with the current SDK that lists the tools of fleetwire-mcp and returns a constant result of the same size, over HTTP: what the SDK and Node
// cost for tools like ours. Its parent sends the tools and the result of a call, as a host received them.
import { once } from "node:events";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";

const [{ tools, result }] = await once(process, "message");

const anything = { getValidator: () => (data) => ({ valid: true, data }) };
const schemaOf = (schema) => schema && fromJsonSchema(schema, anything);
const registered = tools.map(({ name, inputSchema, outputSchema, ...config }) => ({
  name,
  config: { ...config, inputSchema: schemaOf(inputSchema), outputSchema: schemaOf(outputSchema) },
}));

function create() {
  const server = new McpServer({ name: "minimal", version: "1.0.0" });
  for (const { name, config } of registered) server.registerTool(name, config, () => result);
  return server;
}

const { fetch } = createMcpHandler(create);
const server = createServer(getRequestListener((request) => fetch(request), { overrideGlobalObjects: false }));
server.listen(0, "127.0.0.1", () => console.error(`ready at http://127.0.0.1:${server.address().port}/mcp`));
process.once("disconnect", () => process.exit());
