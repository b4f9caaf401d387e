import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { askUser, drive } from "./drive.mjs";

drive(async ({ server, revision, elicits }) => {
  const client = new Client(
    { name: "test-host", version: "1.0.0" },
    { versionNegotiation: { mode: revision === "older" ? "legacy" : { pin: revision } }, capabilities: elicits ? { elicitation: {} } : {} },
  );
  if (elicits) client.setRequestHandler("elicitation/create", ({ params }) => askUser(params.message));
  await client.connect(server.url ? new StreamableHTTPClientTransport(new URL(server.url)) : new StdioClientTransport(server));
  // The client validates structured content only against listed output schemas.
  await client.listTools();
  return {
    revision: client.getNegotiatedProtocolVersion(),
    call: (name, args) => client.callTool({ name, arguments: args }),
    close: () => client.close(),
  };
});
