import { describe, expect, it } from "vitest";
import { httpUnderTest, raw, rawCall } from "./http-under-test.ts";

const PING = {
  headers: { accept: "application/json, text/event-stream" },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
};

type Change = { path?: string; method?: string; headers?: Record<string, string>; body?: string };

async function send({ path = "/mcp", method, headers, body = PING.body }: Change) {
  const { http, service } = await httpUnderTest();
  const answer = await raw(new URL(path, http.url).href, {
    ...(method !== undefined && { method }),
    headers: { ...PING.headers, ...headers },
    body: method === "GET" || method === "HEAD" ? "" : body,
  });
  expect(service.received).toEqual([]);
  return answer;
}

describe("what comes in over HTTP", () => {
  it.each<[string, Change]>([
    ["from 127.0.0.1", {}],
    ["from localhost, whatever the port", { headers: { host: "localhost:9" } }],
    ["from ::1", { headers: { host: "[::1]:4020" } }],
    ["from a page of this machine", { headers: { origin: "http://localhost:6274" } }],
    ["with a query", { path: "/mcp?x=1" }],
  ])("is answered %s", async (_, change) => {
    const { status, text } = await send(change);
    expect(status).toBe(200);
    expect(text).toContain('"result":{}');
  });

  it.each<[string, Change, number, RegExp]>([
    ["another Host", { headers: { host: "fleet.example.com" } }, 403, /Host/],
    ["a Host that only begins like this one", { headers: { host: "127.0.0.1.example.com" } }, 403, /Host/],
    ["a Host that cannot be read", { headers: { host: "a b" } }, 403, /Host/],
    ["another Origin", { headers: { origin: "https://fleet.example.com" } }, 403, /Origin/],
    ["an Origin that only begins like this machine's", { headers: { origin: "http://localhost.example.com" } }, 403, /Origin/],
    ["an opaque Origin", { headers: { origin: "null" } }, 403, /Origin/],
    ["another Host before all else", { path: "/other", method: "GET", headers: { host: "fleet.example.com" } }, 403, /Host/],
    ["the root", { path: "/" }, 404, /\/mcp/],
    ["another path", { path: "/mcp/more" }, 404, /\/mcp/],
    ["GET", { method: "GET" }, 405, /POST/],
    ["DELETE", { method: "DELETE" }, 405, /POST/],
    ["PUT", { method: "PUT" }, 405, /POST/],
    ["OPTIONS", { method: "OPTIONS" }, 405, /POST/],
    ["another content type", { headers: { "content-type": "text/plain" } }, 415, /Content-Type/],
    ["no JSON", { body: "truck 12" }, 400, /JSON/],
    ["a body of more than 1 MiB", { body: " ".repeat(1_048_577) }, 413, /1048576/],
    ["a body of more than 1 MiB in chunks", { headers: { "transfer-encoding": "chunked" }, body: " ".repeat(1_048_577) }, 413, /1048576/],
  ])("is refused: %s", async (_, change, expected, said) => {
    const { status, text, headers } = await send(change);
    expect({ status, text, allow: headers["allow"] }).toEqual({
      status: expected,
      text: expect.stringMatching(said),
      allow: expected === 405 ? "POST" : undefined,
    });
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: "2.0", error: { code: expect.any(Number) }, id: null });
  });

  it("never allows another origin to read", async () => {
    const { headers } = await send({ method: "OPTIONS", headers: { origin: "http://localhost:6274" } });
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])("is answered in revision %s", async (protocolVersion) => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: "raw", version: "1" } };
    const { status, text } = await send({ body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }) });
    expect(status).toBe(200);
    expect(text).toContain(`"protocolVersion":"${protocolVersion}"`);
  });

  it("keeps nothing between requests: a call needs no session, and is given none", async () => {
    const { http } = await httpUnderTest({ listLivePositions: () => ({ body: [] }) });
    const { status, headers, text } = await raw(http.url, rawCall("list_live_positions"));
    expect(status).toBe(200);
    expect(headers["mcp-session-id"]).toBeUndefined();
    expect(text).toContain("0 of 0 vehicles");
  });
});
