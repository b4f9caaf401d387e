import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, type McpServerFactory } from "@modelcontextprotocol/server";
import type { Logger } from "./log.ts";

const PATH = "/mcp";

/** Far more than any call of a tool needs. */
const LARGEST_BODY = 1_048_576;

/** For how long calls in flight may go on once the service is asked to close. */
const GRACE_MS = 2_000;

/** Node gives both of whatever its server has received. */
type ReceivedMessage = IncomingMessage & { method: string; url: string };

export interface HttpService {
  url: string;
  /** Takes no more calls, lets those in flight come to their end for a moment, then ends them. */
  close(): Promise<void>;
}

export interface HttpServiceOptions {
  factory: McpServerFactory;
  /** A loopback address: whoever reaches it is served. */
  host: string;
  /** 0 is any free port. */
  port: number;
  log: Logger;
}

function refuse(response: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }));
}

/** Serves MCP over Streamable HTTP, stateless: every request is answered by a server of its own. */
export async function serveHttp({ factory, host, port, log }: HttpServiceOptions): Promise<HttpService> {
  // The message of a protocol error may repeat what a caller sent.
  const onerror = ({ name }: Error) => log.warn({ error: name }, "protocol");
  const mcp = createMcpHandler(factory, { onerror, maxRequestBodySize: LARGEST_BODY });
  const handle = toNodeHandler(mcp, { onerror, maxRequestBodySize: LARGEST_BODY });
  // A web page that the person visits can reach loopback too: under a name of its own, or from an origin of its own.
  const fromThisMachine = [localhostHostValidation(), localhostOriginValidation()];

  const inFlight = new Set<Promise<unknown>>();
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const ended = new Promise<void>((resolve) => response.once("close", resolve));
    inFlight.add(ended);
    ended.then(() => inFlight.delete(ended));
    if (!fromThisMachine.every((allows) => allows(request, response))) return;
    if (request.url?.split("?")[0] !== PATH) return refuse(response, 404, `Nothing is here; MCP is at ${PATH}`);
    if (request.method !== "POST") return refuse(response, 405, "Method not allowed: MCP is called by POST", { allow: "POST" });
    return void handle(request as ReceivedMessage, response);
  });
  server.listen(port, host);
  await once(server, "listening");
  const { address, family, port: taken } = server.address() as AddressInfo;

  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${taken}${PATH}`,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      const grace = new AbortController();
      await Promise.race([Promise.all(inFlight), setTimeout(GRACE_MS, undefined, { signal: grace.signal }).catch(() => {})]);
      grace.abort();
      await mcp.close();
      // Hosts keep connections for their next calls, which are not to come.
      server.closeAllConnections();
      await closed;
    },
  };
}
