import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type FleetService, fleetService } from "../../tools/test/fleet-service.ts";
import { messageIn, type Served, served, tokensFile } from "./callers-under-test.ts";
import { exchange, requestBytes } from "./raw-connection.ts";
import { environmentOf } from "./server-under-test.ts";

const OPEN = "see packages/mcp-server/src/http/app.ts, read-body.ts and connections.ts";

interface Setup {
  server: Served;
  service: FleetService;
  token: string;
}

async function protectedServer(): Promise<Setup> {
  const service = await fleetService({ listLivePositions: () => ({ body: [] }) });
  const { file, tokens } = tokensFile({ dispatch: { scopes: ["fleet:read", "fleet:write"] } });
  const env = { ...environmentOf(service.origin), FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: file };
  return { server: await served(env, { headersMs: 1_000, requestMs: 2_000 }), service, token: tokens.dispatch };
}

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
  ["another Origin", sized(PING, "Origin: https://evil.example.com"), 403, /Invalid Origin/],
  ["a page on this machine as Origin", sized(PING, "Origin: http://localhost:6274"), 403, /Invalid Origin/],
  ["an opaque Origin", sized(PING, "Origin: null"), 403, /Invalid Origin/],
  ["an unknown method", post([], "", "BREW /mcp HTTP/1.1"), 400, /not valid HTTP/],
  ["another version of HTTP", post([], "", "POST /mcp HTTP/3.0"), 400, /not valid HTTP/],
  ["a malformed path", post([], "", "POST /%zz HTTP/1.1"), 404, /MCP is served at \/mcp/],
  ["an empty segment", post([], "", "POST //mcp HTTP/1.1"), 404, /MCP is served at \/mcp/],
  ["a NUL in a header", sized(PING, "X: a\0b"), 400, /not valid HTTP/],
  ["a header of two lines", sized(PING, "X: a\r\n b"), 400, /not valid HTTP/],
  ["lines that end without CR", Buffer.from("POST /mcp HTTP/1.1\nHost: localhost\n\n"), 400, /not valid HTTP/],
  ["TLS", Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]), 400, /not valid HTTP/],
  ["HTTP/2", Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), 400, /not valid HTTP/],
  ["an Upgrade", sized(PING, "Connection: Upgrade", "Upgrade: websocket"), 200, /"result":\{\}/],
];

async function check(rows: readonly Row[], isKnown: boolean): Promise<void> {
  const { server, service, token } = await protectedServer();
  const authorized = (bytes: Buffer) => {
    const text = bytes.toString("latin1").replaceAll("{token}", token);
    return Buffer.from(isKnown ? text.replace(/\r\nHost: localhost/, `$&\r\n${AUTH.replace("{token}", token)}`) : text, "latin1");
  };
  for (const [name, bytes, status, text] of rows) {
    const response = await exchange(server.http.url, authorized(bytes));
    expect({ name, status: response.status, body: response.body }, OPEN).toEqual({ name, status, body: expect.stringMatching(text) });
  }
  // One request reads a vehicle.
  expect(service.received.filter(({ operation }) => operation !== "listLivePositions")).toEqual([]);
  // The server still serves, and has logged nothing that it should not.
  expect(messageIn((await server.call("list_live_positions", {}, token)).text).result.isError).toBeFalsy();
  expect(JSON.stringify(server.log)).not.toContain(token);
  expect(server.log.filter(({ status }) => typeof status === "number" && status >= 500)).toEqual([]);
}

describe("a server with authorization refuses, in bounded time and space,", () => {
  it(`callers without a token, whatever they send: ${strangers.length} requests`, () => check(strangers, false));
  it(`what callers with a token send as a body: ${bodies.length} requests`, () => check(bodies, true));
  it(`what they send as a message: ${messages.length} requests`, () => check(messages, true));
  it(`what they send as a target or header: ${targets.length} requests`, () => check(targets, true));

  it("says which encoding it accepts", async () => {
    const { server, token } = await protectedServer();
    const { head } = await exchange(server.http.url, sized(BOMB, AUTH.replace("{token}", token), "Content-Encoding: gzip"));
    expect(head).toMatch(/^accept-encoding: identity$/im);
  });

  it("CONNECT, without a response: Node closes the connection", async () => {
    const { server } = await protectedServer();
    expect((await exchange(server.http.url, post([], "", "CONNECT localhost:80 HTTP/1.1"))).status).toBeUndefined();
  });
});
