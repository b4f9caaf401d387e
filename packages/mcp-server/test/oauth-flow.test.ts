import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  Client,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import Provider from "oidc-provider";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../tests/vitest/free-port.ts";
import { fleetService, type Script } from "../../tools/test/served-fleet.ts";
import { served } from "./callers-under-test.ts";
import { environmentOf, textOf } from "./server-under-test.ts";

const REDIRECT = "http://127.0.0.1:9/callback";
const CLIENT = { client_id: "host" };

/** A real authorization server (oidc-provider), whose only user agrees to everything. */
async function authorizationServer(consoleRedirect = REDIRECT) {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    // Registered beforehand: a client that registers itself is limited to the scopes of its first request, so could never be granted more.
    clients: [
      [CLIENT.client_id, REDIRECT],
      ["console", consoleRedirect],
    ].map(([client_id = "", redirect = ""]) => ({
      client_id,
      redirect_uris: [redirect],
      grant_types: ["authorization_code"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      application_type: "native",
    })),
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_, resource) => ({ scope: "fleet:read fleet:write", audience: resource, accessTokenFormat: "jwt" }),
      },
    },
    scopes: ["fleet:read", "fleet:write"],
    findAccount: async (_, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    // The user logs in and grants what is asked for, as their browser is sent to the page that would ask.
    loadExistingGrant: async (context) => {
      const { oidc } = context;
      const grant = new oidc.provider.Grant({ clientId: oidc.client?.clientId as string, accountId: oidc.session?.accountId as string });
      const scopes = String(oidc.params?.["scope"] ?? "");
      grant.addOIDCScope(scopes);
      grant.addResourceScope(String(oidc.params?.["resource"]), scopes);
      await grant.save();
      return grant;
    },
  });
  const handle = provider.callback();
  server.on("request", async (request, response) => {
    if (!request.url?.startsWith("/interaction/")) return handle(request, response);
    await provider.interactionFinished(request, response, { login: { accountId: "dispatcher-7" }, consent: {} });
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return issuer;
}

/** Follows the redirects that a user's browser would, with its cookies, and returns what they bring back to the host. */
async function browse(url: URL, redirect = REDIRECT): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let next = url;
  for (let hop = 0; hop < 10; hop++) {
    const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") };
    const response = await fetch(next, { redirect: "manual", headers });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    if (location === null) throw new Error(`the authorization server shows a page: ${response.status} ${await response.text()}`);
    next = new URL(location, next);
    if (next.href.startsWith(redirect)) return next.searchParams;
  }
  throw new Error("too many redirects");
}

/** A host that keeps what it gets in memory, and whose user's browser goes wherever it is sent. `asked` is where, in order. */
function oauthHost() {
  const kept: { tokens?: OAuthTokens; verifier: string } = { verifier: "" };
  const asked: URL[] = [];
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: "host", redirect_uris: [REDIRECT] },
    clientInformation: () => CLIENT,
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (url) => void asked.push(url),
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier,
  };
  return { provider, asked };
}

/** A server whose port, which is part of its public URL, is chosen first. */
async function serverOf(script: Script, more: Record<string, string> = {}) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const issuer = await authorizationServer(`${url}/console/callback`);
  const service = await fleetService({ listLivePositions: () => ({ body: [{ assetId: "v12", assetName: "Truck 12" }] }), ...script });
  const oauth = { FLEET_CALLER_AUTH: "oauth", FLEET_OAUTH_ISSUER: issuer, FLEET_PUBLIC_URL: `${url}/mcp`, ...more };
  const { log } = await served({ ...environmentOf(service.origin), ...oauth }, {}, port);
  return { url, service, log };
}

it("a host finds the authorization server, gets a token for fleet:read, and asks for more when it is needed", async () => {
  const { url: origin, service, log } = await serverOf({ createJob: ({ body }) => ({ body: { job: { ...body, jobId: "j1" } } }) });
  const url = new URL(`${origin}/mcp`);
  const host = oauthHost();
  const connected = async () => {
    const transport = new StreamableHTTPClientTransport(url, { authProvider: host.provider });
    const client = new Client({ name: "host", version: "1" });
    onTestFinished(() => client.close());
    return { client, transport, connecting: client.connect(transport) };
  };
  const refused = await connected();
  await expect(refused.connecting).rejects.toThrow(UnauthorizedError);
  const [first] = host.asked;
  expect(first?.searchParams.get("scope")).toBe("fleet:read");
  expect(first?.searchParams.get("resource")).toBe(url.href);
  await refused.transport.finishAuth(await browse(first as URL));

  const { client, transport, connecting } = await connected();
  await connecting;
  const tools = async () => (await client.listTools()).tools.map(({ name }) => name);
  expect(await tools()).toContain("locate_vehicle");
  expect(await tools()).not.toContain("create_job");
  expect(textOf(await client.callTool({ name: "locate_vehicle", arguments: { query: "truck 12" } }))).toMatch(/^Truck 12/);

  const job = { name: "create_job", arguments: { address: "Quai Perrache 10, Lyon" } };
  await expect(client.callTool(job)).rejects.toThrow();
  expect(service.of("createJob")).toEqual([]);
  const asked = host.asked.at(-1) as URL;
  expect(asked.searchParams.get("scope")).toBe("fleet:read fleet:write");
  await transport.finishAuth(await browse(asked));
  expect(textOf(await client.callTool(job))).toMatch(/^Job created/);
  expect(service.of("createJob")).toHaveLength(1);
  expect(await tools()).toContain("create_job");

  const written = log.filter(({ msg }) => msg === "sending" || msg === "sent");
  expect(written).toMatchObject([
    { caller: "dispatcher-7", customer: "c42", tool: "create_job", fields: { address: "(withheld)" } },
    { caller: "dispatcher-7", customer: "c42", tool: "create_job", outcome: "created" },
  ]);
});

describe("the console with OAuth", () => {
  const cookieIn = (response: Response) => response.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");

  async function consoleAt() {
    const { url } = await serverOf({}, { FLEET_CONSOLE_CLIENT_ID: "console" });
    const redirect = `${url}/console/callback`;
    const get = (path: string, cookies: string[] = []) =>
      fetch(url + path, { redirect: "manual", headers: { cookie: cookies.join("; ") } });
    const begun = await get("/console/authorize");
    const page = new URL(begun.headers.get("location") ?? "");
    return { get, begun, page, redirect };
  }

  it("signs its user in with PKCE, for reading only, and shows the fleet", async () => {
    const { get, begun, page, redirect } = await consoleAt();
    const asked = { client_id: "console", code_challenge_method: "S256", redirect_uri: redirect, scope: "fleet:read" };
    expect(Object.fromEntries(page.searchParams)).toMatchObject(asked);
    expect(begun.headers.getSetCookie()).toEqual([expect.stringMatching(/; Path=\/console\/callback; HttpOnly; SameSite=Lax$/)]);
    const reply = await browse(page, redirect);
    const finished = await get(`/console/callback?${reply}`, cookieIn(begun));
    expect([finished.status, finished.headers.get("location")]).toEqual([303, "/console"]);
    const session = cookieIn(finished).filter((cookie) => cookie.startsWith("fleetwire-session="));
    expect(await (await get("/console/api/fleet", session)).text()).toContain("Truck 12");
    expect(await (await get("/console/api/about", session)).json()).toMatchObject({ account: { name: "dispatcher-7" } });
  });

  it.each<[string, Record<string, string>, cookies?: false]>([
    ["that another browser began", {}, false],
    ["with another state", { state: "other" }],
    ["of another issuer", { iss: "https://evil.example" }],
    ["with another code", { code: "canary-other" }],
    ["that failed", { code: "", error: "<b>no</b>" }],
  ])("does not finish a sign-in %s", async (_, changes, cookies) => {
    const { get, begun, page, redirect } = await consoleAt();
    const reply = new URLSearchParams({ ...Object.fromEntries(await browse(page, redirect)), ...changes });
    if (reply.get("code") === "") reply.delete("code");
    const refused = await get(`/console/callback?${reply}`, cookies === false ? [] : cookieIn(begun));
    expect([refused.status, cookieIn(refused).filter((cookie) => cookie.includes("session"))]).toEqual([400, []]);
    expect(await refused.text()).not.toMatch(/evil|canary|<b>no/);
  });
});
