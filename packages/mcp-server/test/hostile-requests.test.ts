import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { messageIn, tokenServer } from "./callers-under-test.ts";
import { exchange, httpUnderTest, older, type RawRequest, raw, rawCall, requestBytes } from "./http-under-test.ts";

const OPEN = "see packages/mcp-server/src/http/handler.ts, guard.ts and serve-http.ts";

const HEADERS = ["Host: localhost", "Content-Type: application/json", "Accept: application/json, text/event-stream"];

/** A request as bytes. `{token}` stands for a valid token. */
const post = (headers: readonly string[], body: string | Buffer, line = "POST /mcp HTTP/1.1") =>
  requestBytes(line, [...HEADERS, ...headers], body);

const sized = (body: string | Buffer, ...headers: string[]) => post([...headers, `Content-Length: ${Buffer.byteLength(body)}`], body);
const chunked = (chunks: string, ...headers: string[]) => post([...headers, "Transfer-Encoding: chunked"], chunks);
const message = (fields: object) => JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", ...fields });
const PING = message({});
const call = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;

const BOMB = gzipSync(Buffer.alloc(50_000_000, " "));
const AUTH = "Authorization: Bearer {token}";
const DEEP = 100_000;
const nested = "[".repeat(DEEP) + "]".repeat(DEEP);

type Row = [name: string, bytes: Buffer, status: number, text: RegExp];

/** Refused before the body is read. */
const strangers: Row[] = [
  ["a compressed bomb", sized(BOMB, "Content-Encoding: gzip"), 401, /invalid_token/],
  ["10 GB announced", post(["Content-Length: 10000000000"], "{"), 401, /invalid_token/],
  ["10 MB sent", sized(" ".repeat(10_000_000)), 401, /invalid_token/],
  ["a body that never ends", post(["Content-Length: 100"], "{"), 401, /invalid_token/],
  ["no valid chunk", chunked("zz\r\n"), 400, /not valid HTTP/],
  ["a body that is no JSON", sized("truck 12"), 401, /invalid_token/],
  ["two tokens", sized(PING, AUTH, AUTH), 401, /invalid_token/],
  ["a token in the URL", post(["Content-Length: 2"], "{}", "POST /mcp?access_token={token} HTTP/1.1"), 401, /invalid_token/],
];

const bodies: Row[] = [
  ["in chunks", chunked(`${Buffer.byteLength(PING).toString(16)}\r\n${PING}\r\n0\r\n\r\n`), 200, /"result":\{\}/],
  ["after an interim response", sized(PING, "Expect: 100-continue"), 200, /"result":\{\}/],
  ["with a byte order mark", sized(`\uFEFF${PING}`), 200, /"result":\{\}/],
  ["that expects something else", sized(PING, "Expect: 200-ok"), 417, /^0\s*$/],
  ["compressed, of 50 MB", sized(BOMB, "Content-Encoding: gzip"), 415, /Content-Encoding is not supported/],
  ["compressed otherwise", sized(PING, "Content-Encoding: br, identity"), 415, /Content-Encoding is not supported/],
  ["as it is, in other words", sized(PING, "Content-Encoding: Identity"), 200, /"result":\{\}/],
  ["compressed for the transfer", post(["Transfer-Encoding: gzip, chunked"], "1\r\n{\r\n0\r\n\r\n"), 400, /not valid JSON/],
  ["of 10 GB, as announced", post(["Content-Length: 10000000000"], "{"), 413, /must not exceed 1048576 bytes/],
  ["of 10 MB in chunks", chunked(`989680\r\n${" ".repeat(10_000_000)}\r\n0\r\n\r\n`), 413, /must not exceed 1048576 bytes/],
  ["that stops", post(["Content-Length: 100"], "{"), 408, /did not arrive in time/],
  ["whose chunks stop", chunked("5\r\n{"), 408, /did not arrive in time/],
  ["with no valid chunk", chunked("zz\r\n{}\r\n"), 400, /not valid HTTP/],
  ["with two lengths", post(["Content-Length: 5", "Content-Length: 6"], "{}"), 400, /not valid HTTP/],
  ["with a length and chunks", chunked("0\r\n\r\n", "Content-Length: 5"), 400, /not valid HTTP/],
  ["that is empty, in chunks", chunked("0\r\n\r\n"), 400, /not valid JSON/],
  ["in UTF-16", sized(Buffer.from(PING, "utf16le")), 400, /not valid JSON/],
  ["nested 400,000 deep without an end", sized("[".repeat(400_000)), 400, /not valid JSON/],
];

const messages: Row[] = [
  ["null", sized("null"), 400, /not a valid JSON-RPC message/],
  ["a number", sized("1e999"), 400, /not a valid JSON-RPC message/],
  ["an empty batch", sized("[]"), 400, /empty JSON-RPC batch/],
  ["a batch in a batch", sized("[[]]"), 400, /invalid message/],
  ["nested deeply", sized(nested), 400, /invalid message/],
  ["of JSON-RPC 1.0", sized(message({ jsonrpc: "1.0" })), 400, /not a valid JSON-RPC message/],
  ["with a fraction as id", sized(message({ id: 1.5 })), 400, /not a valid JSON-RPC message/],
  ["with an infinite id", sized('{"jsonrpc":"2.0","id":1e999,"method":"ping"}'), 400, /not a valid JSON-RPC message/],
  ["with a number as method", sized(message({ method: 1 })), 400, /not a valid JSON-RPC message/],
  ["with params that are a list", sized(message({ params: [] })), 400, /not a valid JSON-RPC message/],
  ["with an unknown method", sized(message({ method: "fleet/sell" })), 200, /-32601.*Method not found/],
  ["in an unknown revision", sized(PING, "MCP-Protocol-Version: 2099-01-01"), 400, /protocol revision 2099-01-01/],
  ["in the current revision without its envelope", sized(PING, "MCP-Protocol-Version: 2026-07-28"), 400, /2026-07-28/],
  ["calling a tool named __proto__", sized(call('{"name":"__proto__","arguments":{}}')), 200, /-32602/],
  ["calling a tool named constructor", sized(call('{"name":"constructor","arguments":{}}')), 200, /-32602/],
  ["with __proto__ as params", sized(call('{"__proto__":{"name":"create_job"}}')), 200, /-32602/],
  ["with deeply nested arguments", sized(call(`{"name":"create_job","arguments":{"notes":${nested}}}`)), 200, /nested too deeply/],
  [
    "subscribing to what is no vehicle",
    sized(message({ method: "resources/read", params: { uri: "fleet://vehicle/%zz" } })),
    200,
    /no vehicle matches/,
  ],
];

const targets: Row[] = [
  ["another Host", post(["Content-Length: 2"], "{}", "POST /mcp HTTP/1.1\r\nHost: evil.example.com"), 400, /exactly one host/],
  ["an unknown method", post([], "", "BREW /mcp HTTP/1.1"), 400, /not valid HTTP/],
  ["another version of HTTP", post([], "", "POST /mcp HTTP/3.0"), 400, /not valid HTTP/],
  ["a malformed path", post([], "", "POST /%zz HTTP/1.1"), 404, /MCP is served at \/mcp/],
  ["an empty segment", post([], "", "POST //mcp HTTP/1.1"), 404, /MCP is served at \/mcp/],
  ["a NUL in a header", sized(PING, "X: a\0b"), 400, /not valid HTTP/],
  ["a header of two lines", sized(PING, "X: a\r\n b"), 400, /not valid HTTP/],
  ["lines that end without CR", Buffer.from("POST /mcp HTTP/1.1\nHost: localhost\n\n"), 400, /not valid HTTP/],
  ["TLS", Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]), 400, /not valid HTTP/],
  ["HTTP/2", Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), 400, /not valid HTTP/],
  ["no Host", Buffer.from("POST /mcp HTTP/1.0\r\n\r\n"), 400, /Invalid Host header/],
  ["a target with its own host", post([], "", "POST http://fleet.example.com/mcp HTTP/1.1"), 400, /Invalid request target: send a path/],
  ["headers that are too long", post([`X: ${"x".repeat(20_000)}`], ""), 431, /"jsonrpc":"2.0"/],
  ["an Upgrade", sized(PING, "Connection: Upgrade", "Upgrade: websocket"), 200, /"result":\{\}/],
];

async function check(rows: readonly Row[], isKnown: boolean): Promise<void> {
  const { http, log, call, service, tokens } = await tokenServer({ limits: { headersMs: 200, requestMs: 400 } });
  const token = tokens.dispatch;
  const authorized = (bytes: Buffer) => {
    const text = bytes.toString("latin1").replaceAll("{token}", token);
    return Buffer.from(isKnown ? text.replace(/\r\nHost: localhost/, `$&\r\n${AUTH.replace("{token}", token)}`) : text, "latin1");
  };
  for (const [name, bytes, status, text] of rows) {
    const response = await exchange(http.url, authorized(bytes));
    expect({ name, status: response.status, body: response.body }, OPEN).toEqual({ name, status, body: expect.stringMatching(text) });
    if (bytes.includes("Content-Encoding: gzip") && isKnown) expect(response.head).toMatch(/^accept-encoding: identity$/im);
  }
  // CONNECT gets no response: Node closes the connection.
  expect((await exchange(http.url, authorized(post([], "", "CONNECT localhost:80 HTTP/1.1")))).status).toBeUndefined();
  // One request reads a vehicle.
  expect(service.received.filter(({ operation }) => operation !== "listLivePositions")).toEqual([]);
  // The server still serves, and has logged nothing that it should not.
  expect(messageIn((await call("list_live_positions", {}, token)).text).result.isError).toBeFalsy();
  expect(JSON.stringify(log)).not.toContain(token);
  expect(log.filter(({ status }) => typeof status === "number" && status >= 500)).toEqual([]);
}

describe("a server with authorization refuses, in bounded time and space,", () => {
  it(`callers without a token, whatever they send: ${strangers.length} requests`, () => check(strangers, false));
  it(`what callers with a token send as a body: ${bodies.length} requests`, () => check(bodies, true));
  it(`what they send as a message: ${messages.length} requests`, () => check(messages, true));
  it(`what they send as a target or header: ${targets.length} requests`, () => check(targets, true));
});

describe("a server on this machine", () => {
  const ping = older("ping");
  const create = (id = 1) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "create_job", arguments: { address: "Lyon" } } });
  const batch = (...all: object[]) => JSON.stringify(all);
  const many = <Value>(count: number, one: (at: number) => Value) => Array.from({ length: count }, (_, at) => one(at));
  const named = (name: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_job","arguments":{"address":"x","${name}":{"a":1}}}}`;

  async function send({ path = "/mcp", headers, ...request }: RawRequest & { path?: string }) {
    const { http, service } = await httpUnderTest();
    const body = request.method === "GET" ? "" : ping.body;
    const response = await raw(new URL(path, http.url).href, { body, ...request, headers: { ...ping.headers, ...headers } });
    expect(service.received).toEqual([]);
    return response;
  }

  it.each<[string, Record<string, string>]>([
    ["127.0.0.1", {}],
    ["localhost, any port", { host: "localhost:9" }],
    ["any address of 127.0.0.0/8", { host: "127.0.0.2:4020" }],
    ["a page at such an address", { origin: "http://127.1.2.3:80" }],
    ["::1", { host: "[::1]:4020" }],
    ["a page of this machine", { origin: "http://localhost:6274" }],
  ])("serves requests from %s", async (_, headers) => {
    const response = await send({ headers, path: "/mcp?x=1" });
    expect([response.status, response.text]).toEqual([200, expect.stringContaining('"result":{}')]);
  });

  it.each([
    ["2130706433", 403],
    ["fleet.example.com", 403],
    ["127.0.0.1.example.com", 403],
    ["[::2]", 403],
    ["127.0.0.1.2", 403],
    ["a b", 400],
    ["x@localhost", 400],
    ["x:y@127.0.0.1", 400],
    ["localhost/x", 400],
    ["localhost?x", 400],
    ["localhost#x", 400],
    ["localhost:x", 400],
    ["localhost:4020:1", 400],
    ["%6cocalhost", 400],
  ])("refuses the Host %s, before any other check", async (host, expected) => {
    const { status, text } = await send({ headers: { host }, path: "/other", method: "GET" });
    expect([status, text]).toEqual([expected, expect.stringMatching(/Host/)]);
  });

  it.each(["ftp://127.0.0.1", "http://x@localhost", "https://fleet.example.com", "http://localhost.example.com", "null"])(
    "refuses the Origin %s",
    async (origin) => {
      const { status, text } = await send({ headers: { origin } });
      expect([status, text]).toEqual([403, expect.stringMatching(/Origin/)]);
    },
  );

  const LATIN = Buffer.from(JSON.stringify({ ...JSON.parse(ping.body), x: "Caf\xe9" }), "latin1");
  const FIELDS = Object.fromEntries(many(60_000, (at) => [`f${at}`, 1]));
  const TOO_MANY = /more than 10000 fields in one object; nothing was done\./;
  it.each<[string, RawRequest & { path?: string }, number, RegExp]>([
    ["the root", { path: "/" }, 404, /\/mcp/],
    ["another path", { path: "/mcp/more" }, 404, /\/mcp/],
    ["another path in other letters", { path: "/MCP/" }, 404, /\/mcp/],
    ["two slashes at its end", { path: "/mcp//" }, 404, /\/mcp/],
    ...["GET", "DELETE", "PUT", "OPTIONS"].map((method): [string, RawRequest, number, RegExp] => [method, { method }, 405, /POST/]),
    ["another content type", { headers: { "content-type": "text/plain" } }, 415, /Content-Type/],
    ["no JSON", { body: "truck 12" }, 400, /JSON/],
    ["a body that is not UTF-8", { body: LATIN }, 400, /UTF-8/],
    ["two calls in a batch", { body: batch(create(1), create(2)) }, 400, /at most one tools\/call; nothing was done/],
    ["a hundred calls in a batch", { body: batch(...many(100, create)) }, 400, /one tools\/call/],
    ["eleven messages in a batch", { body: batch(...many(11, (id) => ({ jsonrpc: "2.0", id, method: "ping" }))) }, 400, /10 messages/],
    ["an argument named __proto__ in a batch", { body: `[${named("__proto__")}]` }, 400, /__proto__ is not an argument/],
    ["a body of more than 1 MiB", { body: " ".repeat(1_048_577) }, 413, /1048576/],
    ["60,000 fields in arguments", rawCall("summarize_fleet", FIELDS), 400, TOO_MANY],
    ["60,000 fields in _meta", older("tools/call", { name: "summarize_fleet", _meta: FIELDS }), 400, TOO_MANY],
    ["60,000 fields in parameters", older("tools/call", { name: "summarize_fleet", ...FIELDS }), 400, TOO_MANY],
  ])("refuses %s", async (_, change, expected, message) => {
    const { status, text, headers } = await send(change);
    const allow = expected === 405 ? "POST" : undefined;
    expect([status, text, headers["allow"]]).toEqual([expected, expect.stringMatching(message), allow]);
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: "2.0", error: { code: expect.any(Number) } });
    // No page may read a response.
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it.each(["__proto__", "constructor", "prototype"])("refuses an argument named %s by its name", async (name) => {
    const { text } = await send({ body: named(name) });
    expect(text).toMatch(/"id":1/);
    expect(text).toMatch(name === "__proto__" ? /__proto__ is not an argument/ : new RegExp(`${name}: is not a field of create_job`));
  });

  it("serves a batch of one call and its notifications, which hosts of 2025-03-26 may send, without a session", async () => {
    const { http } = await httpUnderTest({ listLivePositions: () => ({ body: [] }) });
    const call = { ...create(), params: { name: "list_live_positions", arguments: {} } };
    const body = batch({ jsonrpc: "2.0", method: "notifications/initialized" }, call, { jsonrpc: "2.0", id: 2, method: "ping" });
    const { status, headers, text } = await raw(http.url, { headers: ping.headers, body });
    expect([status, headers["mcp-session-id"]]).toEqual([200, undefined]);
    for (const part of ["0 of 0 vehicles", '"id":2']) expect(text).toContain(part);
  });
});
