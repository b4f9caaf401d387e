import { requestBytes, type Then } from "./raw-connection.ts";

export type TokenKind = "north" | "south" | "expired" | "nobody" | "garbage" | "unsigned" | "foreign";

export interface HostileRequest {
  bytes: Buffer;
  then: Then;
  /** Whose token it has; undefined for none. */
  token: TokenKind | undefined;
}

type Random = () => number;

/** Random numbers from 0 (inclusive) to 1 (exclusive) that depend on the seed only, by mulberry32. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const pick = <Value>(random: Random, values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;

/** The usual value, or with a certain chance one of the others. */
const mostly = <Value>(random: Random, chance: number, usual: Value, others: readonly Value[]): Value =>
  random() < chance ? pick(random, others) : usual;

const REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
const CURRENT = "2026-07-28";

const TEXTS = ["", "truck 12", "canary-body \u0000\u001b[2J", "\ud800", "‮\u{e0041}", "x".repeat(3_000), "%zz", "../../etc/passwd", "<b>&"];
const NUMBERS = ["0", "-0", "1e999", "-1", "1.5", "9007199254740993", "123456789012345678901234567890", "1e-400"];
const KEYS = ["__proto__", "constructor", "prototype", "toString", "id", "method", "params", "_meta", "arguments", "canary-key", ""];

/** JSON of any kind, as text: some of it cannot be written otherwise, such as 1e999 or __proto__. */
function anyJson(random: Random, depth = 0): string {
  const kind = random();
  if (kind < 0.02) return `${"[".repeat(2_000)}${"]".repeat(2_000)}`;
  if (kind < 0.3 || depth > 3) return JSON.stringify(pick(random, TEXTS));
  if (kind < 0.5) return pick(random, NUMBERS);
  if (kind < 0.65) return pick(random, ["null", "true", "false"]);
  const entries = Array.from({ length: Math.floor(random() * 4) }, () => anyJson(random, depth + 1));
  return kind < 0.8 ? `[${entries.join(",")}]` : `{${entries.map((entry) => `${JSON.stringify(pick(random, KEYS))}:${entry}`).join(",")}}`;
}

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": CURRENT,
  "io.modelcontextprotocol/clientInfo": { name: "fuzz", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

const CALLS: [tool: string, args: object][] = [
  ["locate_vehicle", { query: "truck 12" }],
  ["list_live_positions", { limit: 5 }],
  ["find_nearest_vehicles", { to: "45.7, 4.8" }],
  ["create_job", { address: "Lyon" }],
  ["read_map", { asked: [] }],
  ["__proto__", {}],
];

const clientInfo = { name: "fuzz", version: "1" };
const uri = "fleet://vehicle/Truck%2012";
const REQUESTS: [method: string, params: object][] = [
  ...["ping", "tools/list", "prompts/list", "resources/list", "resources/templates/list", "server/discover", "canary-method"].map(
    (method): [string, object] => [method, {}],
  ),
  ["tools/list", { cursor: "x" }],
  ["prompts/get", { name: "where_is", arguments: { vehicle: "x" } }],
  ["resources/read", { uri }],
  ["resources/read", { uri: "ui://fleetwire/map/../x" }],
  ["resources/subscribe", { uri }],
  ["completion/complete", { ref: { type: "ref/prompt", name: "where_is" }, argument: { name: "vehicle", value: "tr" } }],
  ["subscriptions/listen", { notifications: { resourceSubscriptions: [uri] } }],
  ["logging/setLevel", { level: "debug" }],
  ["notifications/cancelled", { requestId: 1 }],
  ["notifications/initialized", {}],
  ["initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo }],
  ["initialize", { protocolVersion: "canary-revision", capabilities: {}, clientInfo }],
];

interface Message {
  method: string;
  text: string;
}

/** A JSON-RPC message, often with a part of it replaced. */
function messageOf(random: Random, isCurrent: boolean): Message {
  const isCall = random() < 0.5;
  const [name, args] = pick(random, CALLS);
  const [method, params] = isCall ? (["tools/call", { name, arguments: args }] as const) : pick(random, REQUESTS);
  const _meta = mostly<object | undefined>(random, 0.2, isCurrent ? ENVELOPE : undefined, [
    ENVELOPE,
    { progressToken: 1 },
    { traceparent: "canary-trace" },
    {},
  ]);
  const id = method.startsWith("notifications/") ? {} : { id: mostly<unknown>(random, 0.1, 1, ["1", null, -1, 1.5, {}]) };
  const whole = { jsonrpc: "2.0", ...id, method, params: { ...params, ...(_meta && { _meta }) } };
  const text = JSON.stringify(whole);
  if (random() < 0.6) return { method, text };
  // Replaces one of the values.
  const values = [...text.matchAll(/:("(?:[^"\\]|\\.)*"|\d+|\{\}|\[\])/g)];
  const replaced = pick(random, values);
  const at = (replaced?.index ?? 0) + 1;
  return { method, text: text.slice(0, at) + anyJson(random) + text.slice(at + (replaced?.[1]?.length ?? 0)) };
}

function bodyOf(random: Random, isCurrent: boolean): { body: Buffer; listens: boolean } {
  const kind = random();
  const messages = Array.from({ length: kind < 0.9 ? 1 : Math.floor(random() * 13) }, () => messageOf(random, isCurrent));
  const listens = messages.some(({ method, text }) => `${method} ${text}`.includes("subscriptions/listen"));
  const [first] = messages;
  if (kind < 0.8) return { body: Buffer.from(first?.text ?? ""), listens };
  if (kind < 0.84) return { body: Buffer.from(anyJson(random)), listens: false };
  if (kind < 0.87) return { body: Buffer.from((first?.text ?? "").slice(0, Math.floor(random() * 60))), listens: false };
  if (kind < 0.9) {
    const body = Buffer.from(first?.text ?? "");
    body[Math.floor(random() * body.length)] = Math.floor(random() * 256);
    return { body, listens };
  }
  return { body: Buffer.from(`[${messages.map(({ text }) => text).join(",")}]`), listens };
}

const WELL_KNOWN = ["oauth-protected-resource/mcp", "oauth-authorization-server", "%zz", "oauth-protected-resource/../../mcp"];
const PATHS = ["/", "/mcp/", "/mcp?x=1", "//mcp", "/mcp%00", "/%zz", "/healthz", "/readyz", "/metrics", "/console"];
const METHODS = ["GET", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE", "QUERY", "BREW", "post", ""];
const HOSTS = ["evil.example.com", "", "localhost:99999", "127.0.0.1.evil.example.com", "[::1]", "a b", "localhost, evil.example.com"];
const ORIGINS = ["null", "https://evil.example.com", "http://localhost:3000", "canary-origin", "http://x@localhost"];
const CONTENT_TYPES = ["text/plain", "application/json; charset=utf-16", "application/jsonp", "", "application/json, text/plain"];
const ODD_HEADERS = `
Content-Encoding: gzip
Content-Encoding: identity
Transfer-Encoding: gzip
Expect: 100-continue
Upgrade: h2c
Connection: Upgrade, HTTP2-Settings
X-Forwarded-For: canary-address
X-Request-Id: a b
Traceparent: canary-trace
Mcp-Session-Id: __proto__
Mcp-Method: canary-method
Mcp-Name: locate_vehicle
Last-Event-Id: 1
Cookie: canary-cookie
X-Http-Method-Override: DELETE
X: ${"x".repeat(20_000)}
X: a\0b
no header`
  .trim()
  .split("\n");

function authorizationOf(random: Random, kind: TokenKind | undefined, tokens: Record<TokenKind, string>): string[] {
  if (kind === undefined)
    return mostly<string[]>(random, 0.5, [], [["Authorization: "], ["Authorization: Basic dXNlcjpjYW5hcnk="], ["Authorization: Bearer"]]);
  const line = `Authorization: ${mostly(random, 0.05, "Bearer", ["bearer", "Basic", "Token"])} ${tokens[kind]}`;
  return mostly<string[]>(random, 0.02, [line], [[line, line], [`${line}, ${line}`]]);
}

const OTHERS = ["south", undefined, "expired", "nobody", "garbage", "unsigned", "foreign"] as const;

/** A request that is somewhere between usual and hostile. */
export function hostileRequest(random: Random, tokens: Record<TokenKind, string>): HostileRequest {
  const revision = mostly<string | undefined>(random, 0.7, undefined, [...REVISIONS, CURRENT, CURRENT, "2099-01-01", "canary-revision"]);
  const { body, listens } = bodyOf(random, revision === CURRENT);
  const token = mostly<TokenKind | undefined>(random, 0.35, "north", ["south", ...OTHERS]);
  const line = `${mostly(random, 0.06, "POST", METHODS)} ${mostly(random, 0.08, "/mcp", [...PATHS, ...WELL_KNOWN.map((path) => `/.well-known/${path}`)])} ${mostly(random, 0.01, "HTTP/1.1", ["HTTP/1.0", "HTTP/2.0", ""])}`;
  const headers = [
    `Host: ${mostly(random, 0.04, "localhost", HOSTS)}`,
    `Content-Type: ${mostly(random, 0.04, "application/json", CONTENT_TYPES)}`,
    `Accept: ${mostly(random, 0.04, "application/json, text/event-stream", ["*/*", "", "text/html"])}`,
    ...(revision === undefined ? [] : [`MCP-Protocol-Version: ${revision}`]),
    ...(random() < 0.03 ? [`Origin: ${pick(random, ORIGINS)}`] : []),
    ...authorizationOf(random, token, tokens),
    ...(random() < 0.12 ? [pick(random, ODD_HEADERS)] : []),
  ];
  const framing = random();
  const then: Then = listens || framing > 0.97 || headers.some((header) => header.startsWith("Transfer-Encoding")) ? "leave" : "wait";
  if (framing < 0.08) {
    const end = body.length > 0 ? "\r\n0\r\n\r\n" : "\r\n";
    const chunks = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from(end)]);
    return { bytes: requestBytes(line, [...headers, "Transfer-Encoding: chunked"], chunks), then, token };
  }
  // Too long: the rest never comes. Too short: the rest looks like another request.
  const length = framing > 0.985 ? body.length + 10 : framing > 0.98 ? Math.max(0, body.length - 10) : body.length;
  return { bytes: requestBytes(line, [...headers, `Content-Length: ${length}`], body), then, token };
}
