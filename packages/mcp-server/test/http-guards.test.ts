import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { httpUnderTest, raw, rawCall } from "./http-under-test.ts";

const PING = {
  headers: { accept: "application/json, text/event-stream" },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
};

const CALL = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "create_job", arguments: { address: "Quai Perrache 10, Lyon" } },
};

const batch = (...messages: object[]) => JSON.stringify(messages);

const named = (name: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_job","arguments":{"address":"x","${name}":{"a":1}}}}`;

type Change = { path?: string; method?: string; headers?: Record<string, string>; body?: string | Buffer };

async function send({ path = "/mcp", method, headers, body = PING.body }: Change) {
  const { http, service } = await httpUnderTest();
  const response = await raw(new URL(path, http.url).href, {
    ...(method !== undefined && { method }),
    headers: { ...PING.headers, ...headers },
    body: method === "GET" || method === "HEAD" ? "" : body,
  });
  expect(service.received).toEqual([]);
  return response;
}

describe("an HTTP request", () => {
  it.each<[string, Change]>([
    ["from 127.0.0.1", {}],
    ["from localhost, any port", { headers: { host: "localhost:9" } }],
    ["from any address of 127.0.0.0/8", { headers: { host: "127.0.0.2:4020" } }],
    ["from a page at such an address", { headers: { origin: "http://127.1.2.3:80" } }],
    ["from ::1", { headers: { host: "[::1]:4020" } }],
    ["from a page of this machine", { headers: { origin: "http://localhost:6274" } }],
    ["with a query", { path: "/mcp?x=1" }],
  ])("is served %s", async (_, change) => {
    const { status, text } = await send(change);
    expect(status).toBe(200);
    expect(text).toContain('"result":{}');
  });

  it.each<[string, Change, number, RegExp]>([
    ["another Host", { headers: { host: "fleet.example.com" } }, 403, /Host/],
    ["a Host that only starts like this one", { headers: { host: "127.0.0.1.example.com" } }, 403, /Host/],
    ...[
      "a b",
      "x@localhost",
      "x:y@127.0.0.1",
      "localhost/x",
      "localhost?x",
      "localhost#x",
      "localhost:x",
      "localhost:4020:1",
      "%6cocalhost",
    ].map((host): [string, Change, number, RegExp] => [`a malformed Host: ${host}`, { headers: { host } }, 400, /Host/]),
    ["127.0.0.1 written as one number", { headers: { host: "2130706433" } }, 403, /Host/],
    ["another IPv6 address", { headers: { host: "[::2]" } }, 403, /Host/],
    ["an Origin of another scheme", { headers: { origin: "ftp://127.0.0.1" } }, 403, /Origin/],
    ["an address that only starts with 127", { headers: { host: "127.0.0.1.2" } }, 403, /Host/],
    ["an Origin with a user", { headers: { origin: "http://x@localhost" } }, 403, /Origin/],
    ["another Origin", { headers: { origin: "https://fleet.example.com" } }, 403, /Origin/],
    ["an Origin that only starts like this machine's", { headers: { origin: "http://localhost.example.com" } }, 403, /Origin/],
    ["an opaque Origin", { headers: { origin: "null" } }, 403, /Origin/],
    ["another Host, before any other check", { path: "/other", method: "GET", headers: { host: "fleet.example.com" } }, 403, /Host/],
    ["the root", { path: "/" }, 404, /\/mcp/],
    ["another path", { path: "/mcp/more" }, 404, /\/mcp/],
    ["GET", { method: "GET" }, 405, /POST/],
    ["DELETE", { method: "DELETE" }, 405, /POST/],
    ["PUT", { method: "PUT" }, 405, /POST/],
    ["OPTIONS", { method: "OPTIONS" }, 405, /POST/],
    ["another content type", { headers: { "content-type": "text/plain" } }, 415, /Content-Type/],
    ["no JSON", { body: "truck 12" }, 400, /JSON/],
    ["a body that is not UTF-8", { body: Buffer.from(JSON.stringify({ ...JSON.parse(PING.body), x: "Caf\xe9" }), "latin1") }, 400, /UTF-8/],
    ["two calls in a batch", { body: batch(CALL, { ...CALL, id: 2 }) }, 400, /at most one tools\/call; nothing was done/],
    ["a hundred calls in a batch", { body: batch(...Array.from({ length: 100 }, (_, id) => ({ ...CALL, id }))) }, 400, /one tools\/call/],
    [
      "eleven messages in a batch",
      { body: batch(...Array.from({ length: 11 }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" }))) },
      400,
      /10 messages/,
    ],
    ["an argument named __proto__ in a batch", { body: `[${named("__proto__")}]` }, 400, /__proto__ is not an argument/],
    ["a body of more than 1 MiB", { body: " ".repeat(1_048_577) }, 413, /1048576/],
    ["a body of more than 1 MiB in chunks", { headers: { "transfer-encoding": "chunked" }, body: " ".repeat(1_048_577) }, 413, /1048576/],
  ])("is refused: %s", async (_, change, expected, message) => {
    const { status, text, headers } = await send(change);
    expect({ status, text, allow: headers["allow"] }).toEqual({
      status: expected,
      text: expect.stringMatching(message),
      allow: expected === 405 ? "POST" : undefined,
    });
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: "2.0", error: { code: expect.any(Number) }, id: null });
  });

  it("never lets another origin read a response", async () => {
    const { headers } = await send({ method: "OPTIONS", headers: { origin: "http://localhost:6274" } });
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])("is served in revision %s", async (protocolVersion) => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: "raw", version: "1" } };
    const { status, text } = await send({ body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }) });
    expect(status).toBe(200);
    expect(text).toContain(`"protocolVersion":"${protocolVersion}"`);
  });

  it("is stateless: a call needs no session and receives none", async () => {
    const { http } = await httpUnderTest({ listLivePositions: () => ({ body: [] }) });
    const { status, headers, text } = await raw(http.url, rawCall("list_live_positions"));
    expect(status).toBe(200);
    expect(headers["mcp-session-id"]).toBeUndefined();
    expect(text).toContain("0 of 0 vehicles");
  });

  it.each(["__proto__", "constructor", "prototype"])("is refused by name with an argument named %s", async (name) => {
    const { text } = await send({ body: named(name) });
    expect(text).toMatch(/"id":1/);
    expect(text).toMatch(name === "__proto__" ? /__proto__ is not an argument/ : new RegExp(`${name}: is not a field of create_job`));
  });

  it.each<[string, string, number]>([
    ["two Host headers", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400],
    ["no Host", "POST /mcp HTTP/1.0\r\n\r\n", 400],
    ["a target with its own host", "POST http://fleet.example.com/mcp HTTP/1.1\r\nHost: localhost\r\n\r\n", 400],
    ["anything but HTTP", "truck 12\r\n\r\n", 400],
    ["headers that are too long", `POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431],
  ])("%s: refused with a JSON-RPC error", async (_, bytes, status) => {
    const { http } = await httpUnderTest();
    const { port } = new URL(http.url);
    const socket = connect(Number(port), "127.0.0.1").setEncoding("latin1");
    onTestFinished(() => void socket.destroy());
    socket.write(bytes);
    let received = "";
    for await (const chunk of socket) {
      received += chunk;
      if (received.endsWith("}")) break;
    }
    expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(received.slice(received.indexOf("\r\n\r\n")))).toMatchObject({ jsonrpc: "2.0", error: {}, id: null });
  });

  it("serves a batch of one call and its notifications, which hosts of 2025-03-26 may send", async () => {
    const { http } = await httpUnderTest({ listLivePositions: () => ({ body: [] }) });
    const call = { ...CALL, params: { name: "list_live_positions", arguments: {} } };
    const { status, text } = await raw(http.url, {
      headers: PING.headers,
      body: batch({ jsonrpc: "2.0", method: "notifications/initialized" }, call, { jsonrpc: "2.0", id: 2, method: "ping" }),
    });
    expect(status).toBe(200);
    expect(text).toContain("0 of 0 vehicles");
    expect(text).toContain('"id":2');
  });
});
