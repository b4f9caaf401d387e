// Runs one MCP client in its own process, with the Node and packages that it needs. Its name is the argument; commands and results go over IPC.

/** The user's reply to every question until it is changed, and the questions since the last call. */
const user = { reply: { action: "cancel" }, questions: [] };

/** The elicitation handler. */
const askUser = ({ params }) => {
  user.questions.push(params.message);
  return user.reply;
};

const INFO = { name: "test-host", version: "1.0.0" };
const named = (tools, wanted) => tools.find(({ name }) => name === wanted);

async function official({ server, revision, elicits }) {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const mode = revision === "older" ? "legacy" : { pin: revision };
  const client = new Client(INFO, { versionNegotiation: { mode }, capabilities: elicits ? { elicitation: {} } : {} });
  if (elicits) client.setRequestHandler("elicitation/create", askUser);
  await client.connect(server.url ? new StreamableHTTPClientTransport(new URL(server.url)) : new StdioClientTransport(server));
  // The client validates structured content only against listed output schemas.
  return { client, tools: (await client.listTools()).tools };
}

/** Each connects and returns `call(tool, args)`, which calls like its model would, and `close()`. */
const CLIENTS = {
  "sdk-v2": async (how) => {
    const { client } = await official(how);
    return { call: (name, args) => client.callTool({ name, arguments: args }), close: () => client.close() };
  },
  "sdk-v1": async ({ server, elicits, sdk }) => {
    const load = (path) => import(`${sdk}/${path}`);
    const { Client } = await load("client/index.js");
    const client = new Client(INFO, { capabilities: elicits ? { elicitation: {} } : {} });
    if (elicits) client.setRequestHandler((await load("types.js")).ElicitRequestSchema, askUser);
    const { StreamableHTTPClientTransport } = server.url ? await load("client/streamableHttp.js") : {};
    const { StdioClientTransport } = await load("client/stdio.js");
    await client.connect(server.url ? new StreamableHTTPClientTransport(new URL(server.url)) : new StdioClientTransport(server));
    await client.listTools();
    return { call: (name, args) => client.callTool({ name, arguments: args }), close: () => client.close() };
  },
  adk: async ({ server }) => {
    const { MCPToolset } = await import("@google/adk");
    const { url } = server;
    const toolset = new MCPToolset(
      url ? { type: "StreamableHTTPConnectionParams", url } : { type: "StdioConnectionParams", serverParams: server },
    );
    const tools = await toolset.getTools();
    return { call: (name, args) => named(tools, name).runAsync({ args, toolContext: {} }), close: () => toolset.close() };
  },
  "ai-sdk": async ({ server, revision, elicits }) => {
    const { createMCPClient, ElicitationRequestSchema } = await import("@ai-sdk/mcp");
    const { Experimental_StdioMCPTransport } = await import("@ai-sdk/mcp/mcp-stdio");
    const client = await createMCPClient({
      transport: server.url ? { type: "http", url: server.url } : new Experimental_StdioMCPTransport(server),
      protocolVersionDiscovery: revision !== "older",
      capabilities: elicits ? { elicitation: {} } : {},
    });
    if (elicits) client.onElicitationRequest(ElicitationRequestSchema, askUser);
    const tools = await client.tools();
    return { call: (name, args) => tools[name].execute(args, { toolCallId: "1", messages: [] }), close: () => client.close() };
  },
  anthropic: async (how) => {
    const { mcpTools } = await import("@anthropic-ai/sdk/helpers/beta/mcp");
    const { client, tools } = await official(how);
    return { call: (name, args) => named(mcpTools(tools, client), name).run(args), close: () => client.close() };
  },
  genkit: async ({ server }) => {
    const { genkit } = await import("genkit");
    const { createMcpHost } = await import("@genkit-ai/mcp");
    const host = createMcpHost({ name: "test-host", mcpServers: { fleetwire: server } });
    await host.ready();
    const tools = await host.getActiveTools(genkit({}));
    return { call: (name, args) => tools.find(({ __action }) => __action.name.endsWith(name))(args), close: () => host.close() };
  },
  langchain: async ({ server }) => {
    const { MultiServerMCPClient } = await import("@langchain/mcp-adapters");
    const connection = server.url ? { transport: "http", url: server.url } : { transport: "stdio", ...server };
    const client = new MultiServerMCPClient({ mcpServers: { fleetwire: connection } });
    const tools = await client.getTools();
    const call = async (name, args) => {
      const { content, artifact } = await named(tools, name).invoke({ type: "tool_call", id: "1", name, args });
      return { content, artifact };
    };
    return { call, close: () => client.close() };
  },
  mastra: async ({ server, revision, elicits }) => {
    const { MCPClient } = await import("@mastra/mcp");
    const at = server.url ? { url: new URL(server.url) } : server;
    const asked = elicits && { inputRequests: async (request) => askUser(request) };
    const mcp = new MCPClient({
      id: "test-host",
      servers: { fleetwire: { ...at, protocolVersion: revision === "older" ? "legacy" : revision, ...asked } },
    });
    const tools = await mcp.listTools();
    return { call: (name, args) => tools[`fleetwire_${name}`].execute(args, {}), close: () => mcp.disconnect() };
  },
  "openai-agents": async ({ server }) => {
    const { Agent, getAllMcpTools, MCPServerStdio, MCPServerStreamableHttp, RunContext } = await import("@openai/agents");
    const { url } = server;
    const mcp = url ? new MCPServerStreamableHttp({ name: "fleetwire", url }) : new MCPServerStdio({ name: "fleetwire", ...server });
    await mcp.connect();
    const runContext = new RunContext();
    const tools = await getAllMcpTools({ mcpServers: [mcp], runContext, agent: new Agent({ name: "test-host" }) });
    return { call: (name, args) => named(tools, name).invoke(runContext, JSON.stringify(args)), close: () => mcp.close() };
  },
};

let session;

async function attempt(work) {
  user.questions = [];
  try {
    const seen = await work();
    return { seen: typeof seen === "string" ? seen : (JSON.stringify(seen) ?? ""), thrown: false, questions: user.questions };
  } catch (error) {
    return { seen: [error?.message ?? error, error?.cause ?? ""].join(": "), thrown: true, questions: user.questions };
  }
}

const COMMANDS = {
  open: async (how) => {
    session = await CLIENTS[process.argv[2]](how);
  },
  call: ({ tool, args }) => session.call(tool, args),
  close: () => session?.close(),
  reply: (reply) => {
    user.reply = reply;
  },
};
process.on("message", async ({ id, command, value }) => process.send({ id, ...(await attempt(() => COMMANDS[command](value))) }));
process.on("disconnect", () => process.exit(0));
