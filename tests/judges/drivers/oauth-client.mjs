// The client of the conformance suite's authorization scenarios: the MCP SDK's, used as in packages/mcp-server/test/oauth-flow.test.ts. The suite starts it with
// the URL of a server of its own as the last argument.
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";

const CALLBACK = "http://localhost:3000/callback";
const MAX_ATTEMPTS = 3;

const url = new URL(process.argv.at(-1));
const revision = process.env["MCP_CONFORMANCE_PROTOCOL_VERSION"] ?? "";
const context = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}");

/** A host whose user agrees to whatever page their browser is sent to. */
const provider = () => {
  let [information, tokens, verifier, reply] = [];
  if (context.client_id) information = { client_id: context.client_id, client_secret: context.client_secret };
  return {
    redirectUrl: CALLBACK,
    clientMetadata: { client_name: "host", redirect_uris: [CALLBACK], grant_types: ["authorization_code", "refresh_token"] },
    clientMetadataUrl: "https://conformance-test.local/client-metadata.json",
    clientInformation: () => information,
    saveClientInformation: (given) => {
      information = given;
    },
    tokens: () => tokens,
    saveTokens: (given) => {
      tokens = given;
    },
    saveCodeVerifier: (given) => {
      verifier = given;
    },
    codeVerifier: () => verifier,
    redirectToAuthorization: async (page) => {
      const { headers } = await fetch(page, { redirect: "manual" });
      reply = new URL(headers.get("location") ?? CALLBACK).searchParams;
    },
    reply: () => reply,
  };
};

const host = provider();
const open = () => new StreamableHTTPClientTransport(url, { authProvider: host });

/** Tries again for as long as the server wants another authorization, as a host does. */
async function authorized(transport, work) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UnauthorizedError) || attempt === MAX_ATTEMPTS) throw error;
      await transport().finishAuth(host.reply());
    }
  }
}

let transport = open();
let client;
await authorized(
  () => transport,
  async () => {
    transport = open();
    client = new Client(
      { name: "host", version: "1" },
      { versionNegotiation: { mode: revision === "2026-07-28" ? { pin: revision } : "legacy" } },
    );
    await client.connect(transport);
  },
);
const current = () => transport;
const { tools } = await authorized(current, () => client.listTools());
for (const { name } of tools) await authorized(current, () => client.callTool({ name, arguments: {} }));
await client.close();
