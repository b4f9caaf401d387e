// Serves MCP in a worker, whose variables are the settings.
import { createFetchHandler, serverConfigFromEnv } from "@fleetwire/mcp-server/fetch";

let handler;

const tokens = { reader: ["fleet:read"], dispatch: ["fleet:read", "fleet:write"] };

async function verify(token) {
  if (!Object.hasOwn(tokens, token)) throw new Error("unknown token");
  return { id: token, clientId: "host", scopes: tokens[token], expiresAt: 9e12, tenants: [] };
}

// biome-ignore lint/style/noDefaultExport: workers export their handlers as default
export default {
  async fetch(request, env) {
    handler ??= createFetchHandler({ callers: verify, fleets: serverConfigFromEnv(env), hosts: ["127.0.0.1"], version: "1.2.3" });
    return handler.fetch(request);
  },
};
