import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";
import { createFleetClient } from "@fleetwire/core";
import type { ElicitResult } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import { fleetService, type Script } from "../../tools/test/served-fleet.ts";
import { createLog, createServerFactory, type HttpServiceOptions, serveHttp, serverConfigFromEnv } from "../src/index.ts";
import { configOf, connectedHost, environmentOf, type Mode, NOW } from "./server-under-test.ts";
import { messagesIn } from "./spawned-bin.ts";

/** The server on a loopback port, with the real fleet client and a real HTTP server behind it. */
export async function httpUnderTest(
  script: Script = {},
  env: Record<string, string> = {},
  limits: HttpServiceOptions["limits"] = {},
  now: () => number = () => NOW,
) {
  const service = await fleetService(script);
  const config = configOf({ ...environmentOf(service.origin), ...env }, serverConfigFromEnv);
  const log = createLog(config.log);
  const factory = createServerFactory({ fleet: createFleetClient(config), config, log, version: "1.2.3", now });
  const http = await serveHttp({ factory, host: "127.0.0.1", port: 0, log, limits });
  onTestFinished(() => http.close());
  /** The host's revision (current: auto, or an older one), and its user's reply to a question. */
  const host = async (mode: Mode, person?: (message: string) => ElicitResult) => {
    const client = await connectedHost(http.url, { mode, capabilities: person ? { elicitation: {} } : {} });
    if (person) client.setRequestHandler("elicitation/create", ({ params }) => person(params.message));
    // The client checks structured content against the listed schemas.
    await client.listTools();
    return client;
  };
  return { service, http, host };
}

export interface RawRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** A raw request that no client would send: any header, method or path. */
export async function raw(url: string, { method = "POST", headers = {}, body = "" }: RawRequest) {
  const sent = request(url, { method, agent: false, headers: { "content-type": "application/json", ...headers } }).end(body);
  const [response]: IncomingMessage[] = await once(sent, "response");
  if (!response) throw new Error("no response");
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += chunk;
  return { status: response.statusCode, headers: response.headers as Record<string, unknown>, text };
}

const ACCEPT = { accept: "application/json, text/event-stream" };
const message = (method: string, params?: object | null) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

/** A request of an older revision. */
export const older = (method: string, params?: object | null) => ({ headers: ACCEPT, body: message(method, params) });

/** A call as hosts of the older revisions send it. */
export const rawCall = (name: string, args: Record<string, unknown> = {}) => older("tools/call", { name, arguments: args });

/** A request of the current revision. */
export const current = (method: string, { _meta, ...params }: { name?: string; _meta?: object | null } = {}) => ({
  headers: {
    ...ACCEPT,
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(params.name !== undefined && { "mcp-name": params.name }),
  },
  body: message(method, {
    ...params,
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
      "io.modelcontextprotocol/clientCapabilities": {},
      ..._meta,
    },
  }),
});

/** The URL that the verb http prints. */
export async function readyAt(child: ChildProcessWithoutNullStreams): Promise<string> {
  let expected = "";
  child.stderr.on("data", (chunk: string) => (expected += chunk));
  while (!expected.includes('/mcp"}\n')) {
    await Promise.race([once(child.stderr, "data"), once(child, "close")]);
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the server ended: ${expected}`);
  }
  const messages = messagesIn(expected).join("\n");
  return /^(?:sandbox: .*\n)?(?:console at http:\S+\/console\n)?ready at (http:\S+\/mcp)$/.exec(messages)?.[1] ?? expected;
}

export interface RawResponse {
  /** Undefined if the connection was closed without a response. */
  status: number | undefined;
  head: string;
  body: string;
  /** Whether the server neither responded nor closed the connection in time. */
  late?: true;
}

/** What the client does once it has sent everything: waits for the response, or leaves after a moment. */
export type Then = "wait" | "leave";

const MOMENT_MS = 30;

function responseIn(received: string): RawResponse {
  // An interim response precedes the final one.
  const text = received.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, "");
  const end = text.indexOf("\r\n\r\n");
  const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
  return { status: status === undefined ? undefined : Number(status), head: text.slice(0, end), body: end < 0 ? "" : text.slice(end + 4) };
}

/** Whether a response is complete. Streams keep their connections open, whatever the request asks for. */
function isComplete({ status, head, body }: RawResponse): boolean {
  if (status === undefined || status < 200) return false;
  if (/^transfer-encoding: chunked/im.test(head)) return body.endsWith("0\r\n\r\n");
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  return length !== undefined && body.length >= Number(length);
}

function opened(url: string, bytes: string | Buffer): { socket: Socket; received: () => string; closed: Promise<unknown> } {
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", allowHalfOpen: true });
  let received = "";
  socket.setEncoding("latin1").on("data", (chunk) => (received += chunk));
  // A server that refuses a request may close the connection before all of it was sent.
  socket.on("error", () => {});
  const closed = Promise.race([once(socket, "end"), once(socket, "close")]).catch(() => {});
  socket.write(bytes);
  return { socket, received: () => received, closed };
}

/** A connection of its own until the test ends, with what was received over it. */
export async function connection(url: string, bytes: string | Buffer = "") {
  const one = opened(url, bytes);
  onTestFinished(() => void one.socket.destroy());
  await once(one.socket, "connect");
  return one;
}

/** Sends bytes over a connection of their own, and returns the response, or whatever came until the server closed the connection. */
export async function exchange(
  url: string,
  bytes: string | Buffer,
  { then = "wait", ms = 30_000 }: { then?: Then; ms?: number } = {},
): Promise<RawResponse> {
  const { socket, received, closed } = opened(url, bytes);
  socket.on("data", () => {
    if (isComplete(responseIn(received()))) socket.destroy();
  });
  let isLate = false;
  const give = () => {
    isLate = true;
    socket.destroy();
  };
  const timer = setTimeout(give, then === "wait" ? ms : MOMENT_MS);
  await closed;
  clearTimeout(timer);
  socket.destroy();
  return { ...responseIn(received()), ...(isLate ? { late: true } : {}) };
}

/** The bytes of a request whose lines are sent as they are. */
export function requestBytes(line: string, headers: readonly string[], body: string | Buffer = ""): Buffer {
  return Buffer.concat([Buffer.from([line, ...headers, "", ""].join("\r\n"), "latin1"), Buffer.from(body)]);
}

/** The bytes of a request without a token. */
export function bytesOf({ headers, body }: ReturnType<typeof older>): Buffer {
  const head = ["Host: localhost", "Content-Type: application/json", `Accept: ${headers.accept}`];
  return requestBytes("POST /mcp HTTP/1.1", [...head, `Content-Length: ${Buffer.byteLength(body)}`], body);
}
