import { askUser, drive } from "./drive.mjs";

drive(async ({ server, elicits, sdk }) => {
  const load = (path) => import(`${sdk}/${path}`);
  const { Client } = await load("client/index.js");
  const client = new Client({ name: "test-host", version: "1.0.0" }, { capabilities: elicits ? { elicitation: {} } : {} });
  if (elicits) {
    const { ElicitRequestSchema } = await load("types.js");
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => askUser(params.message));
  }
  if (server.url) {
    const { StreamableHTTPClientTransport } = await load("client/streamableHttp.js");
    await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
  } else {
    const { StdioClientTransport } = await load("client/stdio.js");
    await client.connect(new StdioClientTransport(server));
  }
  await client.listTools();
  return { call: (name, args) => client.callTool({ name, arguments: args }), close: () => client.close() };
});
