import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { createFleetClient } from "@fleetwire/core";
import type { ElicitResult } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import { fleetService, type Script } from "../../tools/test/served-fleet.ts";
import { createLog, createServerFactory, type HttpServiceOptions, serveHttp, serverConfigFromEnv } from "../src/index.ts";
import { connectedHost } from "./host-client.ts";
import { configOf, environmentOf, NOW } from "./server-under-test.ts";
import { messagesIn } from "./spawned-bin.ts";

export type Mode = "auto" | "legacy";

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
