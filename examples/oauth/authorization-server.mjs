// An authorization server for a fleet's MCP server. Accounts, keys and registrations are in memory, so it is for trying the path, not for a company.
import { createHash, generateKeyPairSync, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import Provider, { errors } from "oidc-provider";

const { ISSUER = "http://127.0.0.1:4030", RESOURCE = "http://127.0.0.1:4020/mcp", PORT = "4030" } = process.env;
const PASSWORD = process.env.PASSWORD ?? randomBytes(12).toString("base64url");
const SCOPES = { "fleet:read": "see the fleet", "fleet:write": "create jobs and change groups" };

const accounts = new Map([
  ["mia", { tenant: "north", scopes: ["fleet:read", "fleet:write"] }],
  ["noah", { tenant: "south", scopes: ["fleet:read"] }],
]);

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

const provider = new Provider(ISSUER, {
  jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", alg: "RS256" }] },
  cookies: { keys: [randomBytes(32).toString("base64url")] },
  responseTypes: ["code"],
  pkce: { required: () => true },
  issueRefreshToken: (_, client) => client.grantTypeAllowed("refresh_token"),
  ttl: { AccessToken: 600, Grant: 86_400, Interaction: 600, RefreshToken: 86_400, Session: 3_600 },
  // A host that registers itself states the scopes of its first request only, and may need more later.
  extraClientMetadata: {
    properties: ["granted_scopes"],
    validator: (_, __, ___, metadata) => {
      delete metadata.scope;
    },
  },
  features: {
    devInteractions: { enabled: false },
    clientIdMetadataDocument: { enabled: true, ack: "draft-02" },
    // Deprecated in favour of client id metadata documents, for hosts that have none.
    registration: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => RESOURCE,
      useGrantedResource: () => true,
      getResourceServerInfo: (_, resource) => {
        if (resource !== RESOURCE) throw new errors.InvalidTarget();
        return { scope: Object.keys(SCOPES).join(" "), audience: RESOURCE, accessTokenFormat: "jwt" };
      },
    },
  },
  extraTokenClaims: (_, { accountId }) => ({ tenant: accounts.get(accountId)?.tenant }),
  findAccount: (_, accountId) => (accounts.has(accountId) ? { accountId, claims: () => ({ sub: accountId }) } : undefined),
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
});
// The proxy that terminates TLS says so in X-Forwarded-Proto.
provider.proxy = ISSUER.startsWith("https:");

const hash = (value) => createHash("sha256").update(value).digest();
const escaped = (value) => String(value).replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const requestedIn = ({ scope = "" }) => scope.split(" ").filter((name) => Object.hasOwn(SCOPES, name));

/** The only page: who asks for what, on whose behalf. A client chooses its own name, so the page also shows where the reply goes. */
const page = (params, client, problem = "") => `<!doctype html><html lang="en"><title>Sign in</title>
<h1>Sign in to your fleet</h1><p><b>${escaped(client.clientName ?? client.clientId)}</b> (${escaped(new URL(params.redirect_uri).host)}) asks to:</p>
<ul>${requestedIn(params)
  .map((name) => `<li>${SCOPES[name]}`)
  .join("")}</ul><p role="alert">${problem}</p><form method="post">
<p><label>Name <input name="name" autocomplete="username" required></label>
<p><label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<p><button>Allow</button> <button name="cancel" value="1" formnovalidate>Cancel</button></form></html>`;

async function interact(request, response) {
  const { params } = await provider.interactionDetails(request, response);
  const client = await provider.Client.find(params.client_id);
  const show = (status, problem) =>
    response
      .writeHead(status, {
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-store",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      })
      .end(page(params, client, problem));
  if (request.method !== "POST") return show(200);
  const form = new URLSearchParams(await text(request));
  if (form.has("cancel")) return provider.interactionFinished(request, response, { error: "access_denied" });
  const accountId = form.get("name") ?? "";
  const account = accounts.get(accountId);
  if (!account || !timingSafeEqual(hash(form.get("password") ?? ""), hash(PASSWORD))) return show(401, "Wrong name or password");
  const grant = new provider.Grant({ accountId, clientId: client.clientId });
  grant.addOIDCScope("openid offline_access");
  for (const name of requestedIn(params)) {
    if (account.scopes.includes(name)) grant.addResourceScope(RESOURCE, name);
    else grant.rejectResourceScope(RESOURCE, name);
  }
  return provider.interactionFinished(request, response, { login: { accountId }, consent: { grantId: await grant.save() } });
}

const handle = provider.callback();
const server = createServer((request, response) => {
  if (!request.url.startsWith("/interaction/")) return handle(request, response);
  return interact(request, response).catch(() => response.writeHead(400).end("This sign-in has expired. Start again in your host."));
});
server.listen(Number(PORT), "127.0.0.1", () => {
  console.log(`authorization server for ${RESOURCE} at ${ISSUER}`);
  if (!process.env.PASSWORD) console.log(`sign in as ${[...accounts.keys()].join(" or ")} with the password ${PASSWORD}`);
});
