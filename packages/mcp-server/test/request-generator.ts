import { requestBytes, type Then } from "./http-under-test.ts";

export type TokenKind = "north" | "south" | "expired" | "nobody" | "garbage" | "unsigned" | "foreign";

export interface HostileRequest {
  bytes: Buffer;
  then: Then;
  /** Whose token it has; undefined for none. */
  token: TokenKind | undefined;
}

type Random = () => number;

const pick = <Value>(random: Random, values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;

/** The usual value, or with a certain chance one of the others. */
const mostly = <Value>(random: Random, chance: number, usual: Value, others: readonly Value[]): Value =>
  random() < chance ? pick(random, others) : usual;

const CURRENT = "2026-07-28";
const REVISIONS = ["2024-11-05", "2025-06-18", "2025-11-25", CURRENT, CURRENT, "2099-01-01", "canary-revision"];

/** JSON that is odd, as text: some of it cannot be written otherwise, such as 1e999 or __proto__. */
const ODD = [
  ...["", "canary-body \u0000\u001b[2J", "\ud800", "‮\u{e0041}", "x".repeat(3_000), "%zz", "../../etc/passwd"].map((text) =>
    JSON.stringify(text),
  ),
  ...["null", "true", "-0", "1e999", "1.5", "123456789012345678901234567890", "[]", "{}", '[{"id":1}]'],
  ...["__proto__", "constructor", "_meta", "canary-key", ""].map((key) => `{${JSON.stringify(key)}:{"a":[1]}}`),
  `${"[".repeat(2_000)}${"]".repeat(2_000)}`,
];

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": CURRENT,
  "io.modelcontextprotocol/clientInfo": { name: "fuzz", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

const call = (name: string, args: object): [method: string, params: object] => ["tools/call", { name, arguments: args }];
const CALLS = [
  call("locate_vehicle", { query: "truck 12" }),
  call("list_live_positions", { limit: 5 }),
  call("create_job", { address: "Lyon" }),
  call("read_map", { asked: [] }),
  call("__proto__", {}),
];

const clientInfo = { name: "fuzz", version: "1" };
const uri = "fleet://vehicle/Truck%2012";
const REQUESTS: [method: string, params: object][] = [
  ...["ping", "tools/list", "prompts/list", "resources/list", "server/discover", "canary-method", "notifications/initialized"].map(
    (method): [string, object] => [method, {}],
  ),
  ["prompts/get", { name: "where_is", arguments: { vehicle: "x" } }],
  ["resources/read", { uri }],
  ["resources/read", { uri: "ui://fleetwire/map/../x" }],
  ["resources/subscribe", { uri }],
  ["completion/complete", { ref: { type: "ref/prompt", name: "where_is" }, argument: { name: "vehicle", value: "tr" } }],
  ["subscriptions/listen", { notifications: { resourceSubscriptions: [uri] } }],
  ["notifications/cancelled", { requestId: 1 }],
  ["initialize", { protocolVersion: "canary-revision", capabilities: {}, clientInfo }],
];

/** A JSON-RPC message, often with a value of it replaced. */
function messageOf(random: Random, isCurrent: boolean): string {
  const [method, params] = pick(random, random() < 0.5 ? CALLS : REQUESTS);
  const metas = [ENVELOPE, { progressToken: 1 }, { traceparent: "canary-trace" }, {}];
  const _meta = mostly<object | undefined>(random, 0.2, isCurrent ? ENVELOPE : undefined, metas);
  const id = method.startsWith("notifications/") ? {} : { id: mostly<unknown>(random, 0.1, 1, ["1", null, -1, 1.5, {}]) };
  const text = JSON.stringify({ jsonrpc: "2.0", ...id, method, params: { ...params, ...(_meta && { _meta }) } });
  if (random() < 0.6) return text;
  const replaced = pick(random, [...text.matchAll(/:("(?:[^"\\]|\\.)*"|\d+|\{\}|\[\])/g)]);
  const at = (replaced?.index ?? 0) + 1;
  return text.slice(0, at) + pick(random, ODD) + text.slice(at + (replaced?.[1]?.length ?? 0));
}

function bodyOf(random: Random, isCurrent: boolean): Buffer {
  const kind = random();
  const first = messageOf(random, isCurrent);
  if (kind < 0.8) return Buffer.from(first);
  if (kind < 0.84) return Buffer.from(pick(random, ODD));
  if (kind < 0.87) return Buffer.from(first.slice(0, Math.floor(random() * 60)));
  if (kind < 0.9) {
    const body = Buffer.from(first);
    body[Math.floor(random() * body.length)] = Math.floor(random() * 256);
    return body;
  }
  const messages = Array.from({ length: Math.floor(random() * 13) }, () => messageOf(random, isCurrent));
  return Buffer.from(`[${messages.join(",")}]`);
}

const WELL_KNOWN = ["oauth-protected-resource/mcp", "oauth-authorization-server", "%zz"].map((path) => `/.well-known/${path}`);
const PATHS = ["/", "/mcp/", "/mcp?x=1", "//mcp", "/mcp%00", "/%zz", "/healthz", "/readyz", "/metrics", "/console", ...WELL_KNOWN];
const METHODS = ["GET", "PUT", "DELETE", "OPTIONS", "HEAD", "TRACE", "BREW", "post", ""];
const HOSTS = ["evil.example.com", "", "localhost:99999", "127.0.0.1.evil.example.com", "[::1]", "a b"];
const CONTENT_TYPES = ["text/plain", "application/json; charset=utf-16", "", "application/json, text/plain"];
const ODD_HEADERS = `
Content-Encoding: gzip
Transfer-Encoding: gzip
Expect: 100-continue
Upgrade: h2c
Origin: null
Origin: canary-origin
Origin: http://localhost:3000
X-Forwarded-For: canary-address
X-Request-Id: a b
Traceparent: canary-trace
Mcp-Session-Id: __proto__
Mcp-Method: canary-method
Last-Event-Id: 1
Cookie: canary-cookie
X: ${"x".repeat(20_000)}
X: a\0b
no header`
  .trim()
  .split("\n");

function authorizationOf(random: Random, kind: TokenKind | undefined, tokens: Record<TokenKind, string>): string[] {
  if (kind === undefined) return mostly<string[]>(random, 0.5, [], [["Authorization: "], ["Authorization: Basic dXNlcjpjYW5hcnk="]]);
  const line = `Authorization: ${mostly(random, 0.05, "Bearer", ["bearer", "Basic", "Token"])} ${tokens[kind]}`;
  return mostly<string[]>(random, 0.02, [line], [[line, line], [`${line}, ${line}`]]);
}

const OTHERS = ["south", undefined, "expired", "nobody", "garbage", "unsigned", "foreign"] as const;

/** A request that is somewhere between usual and hostile. */
export function hostileRequest(random: Random, tokens: Record<TokenKind, string>): HostileRequest {
  const revision = mostly<string | undefined>(random, 0.7, undefined, REVISIONS);
  const body = bodyOf(random, revision === CURRENT);
  const token = mostly<TokenKind | undefined>(random, 0.35, "north", OTHERS);
  const line = [
    mostly(random, 0.06, "POST", METHODS),
    mostly(random, 0.08, "/mcp", PATHS),
    mostly(random, 0.01, "HTTP/1.1", ["HTTP/1.0", ""]),
  ];
  const headers = [
    `Host: ${mostly(random, 0.04, "localhost", HOSTS)}`,
    `Content-Type: ${mostly(random, 0.04, "application/json", CONTENT_TYPES)}`,
    `Accept: ${mostly(random, 0.04, "application/json, text/event-stream", ["*/*", "", "text/html"])}`,
    ...(revision === undefined ? [] : [`MCP-Protocol-Version: ${revision}`]),
    ...authorizationOf(random, token, tokens),
    ...(random() < 0.15 ? [pick(random, ODD_HEADERS)] : []),
  ];
  const framing = random();
  const isOpen =
    body.includes("subscriptions/listen") || framing > 0.97 || headers.some((header) => header.startsWith("Transfer-Encoding"));
  const then: Then = isOpen ? "leave" : "wait";
  const send = (length: string, sent: Buffer) => ({ bytes: requestBytes(line.join(" "), [...headers, length], sent), then, token });
  if (framing < 0.08 && body.length > 0) {
    const chunks = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n0\r\n\r\n")]);
    return send("Transfer-Encoding: chunked", chunks);
  }
  // Too long: the rest never comes. Too short: the rest looks like another request.
  const length = framing > 0.985 ? body.length + 10 : framing > 0.98 ? Math.max(0, body.length - 10) : body.length;
  return send(`Content-Length: ${length}`, body);
}
