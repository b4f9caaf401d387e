import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import { createMcpHandler, type McpServerFactory, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { GRACE_MS, LARGEST_MESSAGE, LAST_WORDS_MS, within } from "../limits.ts";
import type { Logger } from "../log.ts";
import type { ServerFactory } from "../server.ts";
import { createApp, PATH } from "./app.ts";
import { callsInFlight } from "./calls-in-flight.ts";
import { boundConnections } from "./connections.ts";
import { HTTP_LIMITS, type HttpLimits } from "./limits.ts";
import { refused } from "./refusal.ts";

export interface HttpService {
  url: string;
  /** Takes no more calls, lets those in flight come to their end for a moment, then ends them. */
  close(): Promise<void>;
}

export interface HttpServiceOptions {
  factory: McpServerFactory & Partial<Pick<ServerFactory, "writesSettled">>;
  /** A loopback address: whoever reaches it is served. */
  host: string;
  /** 0 is any free port. */
  port: number;
  log: Logger;
  /** Bounds other than the usual ones. */
  limits?: Partial<HttpLimits>;
}

/** Serves MCP over Streamable HTTP, stateless: every request is answered by a server of its own. */
export async function serveHttp({ factory, host, port, log, limits: chosen }: HttpServiceOptions): Promise<HttpService> {
  const limits = { ...HTTP_LIMITS, ...chosen };
  // The message of an error may repeat what a caller sent.
  const onerror = ({ name }: Error) => log.warn({ error: name }, "protocol");
  const mcp = createMcpHandler(factory, { onerror, maxRequestBodySize: LARGEST_MESSAGE });
  const calls = callsInFlight();
  let ending = false;
  const app = createApp({ mcp, calls, limits, isEnding: () => ending });
  const failed = (error: Error) => {
    onerror(error);
    return refused({ status: 500, code: ProtocolErrorCode.InternalError, message: "Internal server error" });
  };
  app.onError(failed);

  const admitted = getRequestListener((request, env) => app.fetch(request, env as HttpBindings), {
    // The process may belong to somebody else, whose global Request and Response are not ours to replace.
    overrideGlobalObjects: false,
    errorHandler: (error) =>
      error instanceof RequestError ? refused({ status: 400, message: "Invalid Host header or request target" }) : failed(error as Error),
  });
  const server = createServer({ requireHostHeader: false, connectionsCheckingInterval: Math.min(1_000, limits.headersMs / 2) });
  const refusalOf = boundConnections(server, limits);
  server.on("request", (incoming, outgoing) => {
    const refusal = refusalOf(incoming, outgoing);
    if (refusal === undefined) return void admitted(incoming, outgoing);
    void getRequestListener(() => refused(refusal), { overrideGlobalObjects: false })(incoming, outgoing);
  });
  server.listen(port, host);
  await once(server, "listening");
  const { address, family, port: taken } = server.address() as AddressInfo;

  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${taken}${PATH}`,
    close: async () => {
      ending = true;
      const closed = once(server, "close");
      server.close();
      if (
        !(await within(
          GRACE_MS,
          calls.idle().then(() => factory.writesSettled?.()),
        ))
      ) {
        calls.abortAll();
        await within(LAST_WORDS_MS, calls.idle());
      }
      await mcp.close();
      // Hosts keep connections for their next calls, which are not to come.
      server.closeAllConnections();
      await closed;
    },
  };
}
