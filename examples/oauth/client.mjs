// A host in a terminal: finds the authorization server, registers, signs you in, and calls one tool.
// node client.mjs https://fleet.example.com/mcp locate_vehicle '{"query": "truck 12"}'
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";

const [url = "http://127.0.0.1:4020/mcp", name = "locate_vehicle", json = '{"query": "truck 12"}'] = process.argv.slice(2);

// The browser brings the reply of the authorization server here.
const callback = createServer();
callback.listen(0, "127.0.0.1");
await once(callback, "listening");
const redirectUrl = `http://127.0.0.1:${callback.address().port}/callback`;

async function reply(state) {
  for await (const [request, response] of callbacks()) {
    const { pathname, searchParams } = new URL(request.url, redirectUrl);
    const isExpected = pathname === "/callback" && searchParams.get("state") === state;
    response.writeHead(isExpected ? 200 : 404).end(isExpected ? "Signed in. You can close this page." : "");
    if (isExpected) return searchParams;
  }
}

async function* callbacks() {
  for (;;) yield await once(callback, "request");
}

const saved = {};
const host = {
  redirectUrl,
  // The address of a document that describes this client; without one, it registers itself.
  clientMetadataUrl: process.env.CLIENT_METADATA_URL,
  clientMetadata: {
    client_name: "Terminal",
    redirect_uris: [redirectUrl],
    application_type: "native",
    grant_types: ["authorization_code"],
  },
  state: () => {
    saved.state = randomUUID();
    return saved.state;
  },
  clientInformation: () => saved.client,
  saveClientInformation: (client) => {
    saved.client = client;
    console.log(`registered as ${client.client_id}`);
  },
  tokens: () => saved.tokens,
  saveTokens: (tokens) => {
    saved.tokens = tokens;
    console.log(`signed in for ${tokens.scope}`);
  },
  codeVerifier: () => saved.verifier,
  saveCodeVerifier: (verifier) => {
    saved.verifier = verifier;
  },
  // Binds the reply to the authorization server that was asked.
  discoveryState: () => saved.discovery,
  saveDiscoveryState: (state) => {
    saved.discovery = state;
  },
  redirectToAuthorization: (page) => {
    saved.reply = reply(saved.state);
    console.log(`open ${page}`);
  },
};

const open = () => new StreamableHTTPClientTransport(new URL(url), { authProvider: host });

/** Signs the user in if the server asks for it: once to connect, once more if the tool needs another scope. */
async function authorized(transport, work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    await transport().finishAuth(await saved.reply);
    return work();
  }
}

try {
  let transport;
  const client = new Client({ name: "terminal", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  await authorized(
    () => transport,
    () => {
      transport = open();
      return client.connect(transport);
    },
  );
  const { content } = await authorized(
    () => transport,
    () => client.callTool({ name, arguments: JSON.parse(json) }),
  );
  for (const { text } of content) console.log(text);
  await client.close();
} catch (error) {
  console.error(`${error.name}: ${error.message}`);
  process.exitCode = 1;
}
callback.close();
callback.closeAllConnections();
