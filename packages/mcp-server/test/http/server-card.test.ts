import { createFetchHandler, serverConfigFromEnv } from "@fleetwire/mcp-server/fetch";
import { describe, expect, it, onTestFinished } from "vitest";
import { CANARY, environmentOf } from "../server-under-test.ts";

const PUBLIC_URL = new URL("https://fleet.example.com/mcp");
const ORIGIN = "https://assistant.example.com";

/** A server of one of two customers, without a token. */
function server() {
  const fleets = ["north", "south"].map((name) => ({
    name,
    callers: [name],
    config: serverConfigFromEnv({ ...environmentOf("http://127.0.0.1:9"), FLEET_CUSTOMER_ID: `${name}customer` }),
  }));
  const issuer = new URL("http://127.0.0.1:9");
  const handler = createFetchHandler({ callers: { issuer, publicUrl: PUBLIC_URL }, fleets, version: "1.2.3", origins: [ORIGIN] });
  onTestFinished(() => handler.close());
  return (path: string, init: RequestInit = {}) => handler.fetch(new Request(new URL(path, PUBLIC_URL), init));
}

const CARD = {
  name: "com.example.fleet/fleetwire",
  title: "Fleetwire",
  version: "1.2.3",
  remotes: [{ type: "streamable-http", url: PUBLIC_URL.href }],
};
const CATALOG = {
  entries: [
    {
      identifier: "urn:air:fleet.example.com:mcp:fleetwire",
      type: "application/mcp-server-card+json",
      url: "https://fleet.example.com/mcp/server-card",
    },
  ],
};

const DOCUMENTS: [string, string, object][] = [
  ["/mcp/server-card", "application/mcp-server-card+json", CARD],
  ["/.well-known/mcp/server-card.json", "application/mcp-server-card+json", CARD],
  ["/.well-known/ai-catalog.json", "application/ai-catalog+json", CATALOG],
];

describe.each(DOCUMENTS)("%s", (path, type, expected) => {
  it("says where the server is, without a token, and nothing about customers or tools", async () => {
    const response = await server()(path);
    const text = await response.text();
    expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
    expect(JSON.parse(text)).toMatchObject(expected);
    for (const word of ["north", "south", "customer", "127.0.0.1", CANARY, "locate_vehicle", "create_job"])
      expect(text).not.toContain(word);
  });

  it("is cached, and can be read by listed web pages only", async () => {
    const get = server();
    const first = await get(path, { headers: { origin: ORIGIN } });
    expect(Object.fromEntries(first.headers)).toMatchObject({
      "cache-control": "public, max-age=3600",
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "etag",
    });
    const again = await get(path, { headers: { "if-none-match": first.headers.get("etag") ?? "" } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    expect((await get(path, { headers: { origin: "https://elsewhere.example.com" } })).status).toBe(403);
    expect((await get(path, { headers: { host: "elsewhere.example.com" } })).status).toBe(403);
  });

  it("is not served without a public URL, which is never derived from a request", async () => {
    const callers = async () => ({ id: "dispatch", clientId: "host", scopes: ["fleet:read"], expiresAt: 9e12, tenants: [] });
    const fleets = serverConfigFromEnv(environmentOf("http://127.0.0.1:9"));
    const handler = createFetchHandler({ callers, fleets, hosts: [PUBLIC_URL.hostname], version: "1.2.3" });
    onTestFinished(() => handler.close());
    expect((await handler.fetch(new Request(new URL(path, PUBLIC_URL)))).status).toBe(404);
  });

  it("is only read", async () => {
    expect((await server()(path, { method: "POST", body: "{}" })).status).toBe(404);
  });
});
