import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ConsoleHandler } from "@fleetwire/tools/console";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import { createMcpHandler, type McpServerFactory, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { ABORT_GRACE_MS, MAX_MESSAGE_BYTES, SHUTDOWN_GRACE_MS, settlesWithin } from "../limits.ts";
import type { Logger } from "../log.ts";
import type { ServerFactory } from "../mcp/server-factory.ts";
import { createApp, PATH } from "./app.ts";
import { callsInFlight } from "./calls-in-flight.ts";
import { boundConnections } from "./connections.ts";
import { HTTP_LIMITS, type HttpLimits } from "./limits.ts";
import { refused } from "./refusal.ts";

export interface HttpService {
  url: string;
  /** Rejects new calls, gives those in flight a moment to finish, then aborts them. */
  close(): Promise<void>;
}

export interface HttpServiceOptions {
  factory: McpServerFactory & Partial<Pick<ServerFactory, "subscriptions" | "writesSettled">>;
  /** A loopback address, since callers are not authenticated. */
  host: string;
  /** 0 picks a free port. */
  port: number;
  log: Logger;
  /** Serves the console. */
  page?: ConsoleHandler | undefined;
  /** Overrides for the default limits. */
  limits?: Partial<HttpLimits>;
}

/** Serves MCP over Streamable HTTP, statelessly: each request gets a new server. */
export async function serveHttp({ factory, host, port, log, page, limits: overrides }: HttpServiceOptions): Promise<HttpService> {
  const limits = { ...HTTP_LIMITS, ...overrides };
  // Logs only the name, since the message may quote what a caller sent.
  const onerror = ({ name }: Error) => log.warn({ error: name }, "protocol");
  const mcp = createMcpHandler(factory, { onerror, maxRequestBodySize: MAX_MESSAGE_BYTES, maxSubscriptions: limits.subscriptions });
  const { subscriptions } = factory;
  const detach = subscriptions?.attach((uri) => mcp.notify.resourceUpdated(uri));
  const calls = callsInFlight();
  let ending = false;
  const app = createApp({ mcp, calls, subscriptions, limits, page, isEnding: () => ending });
  const failed = (error: Error) => {
    onerror(error);
    return refused({ status: 500, code: ProtocolErrorCode.InternalError, message: "Internal server error" });
  };
  app.onError(failed);

  const serve = getRequestListener((request, env) => app.fetch(request, env as HttpBindings), {
    // In an embedding program, the global Request and Response are not ours to replace.
    overrideGlobalObjects: false,
    errorHandler: (error) =>
      error instanceof RequestError ? refused({ status: 400, message: "Invalid Host header or request target" }) : failed(error as Error),
  });
  const server = createServer({ requireHostHeader: false, connectionsCheckingInterval: Math.min(1_000, limits.headersMs / 2) });
  const refusalOf = boundConnections(server, limits);
  server.on("request", (incoming, outgoing) => {
    const refusal = refusalOf(incoming, outgoing);
    if (refusal === undefined) return void serve(incoming, outgoing);
    void getRequestListener(() => refused(refusal), { overrideGlobalObjects: false })(incoming, outgoing);
  });
  server.listen(port, host);
  await once(server, "listening");
  const { address, family, port: actualPort } = server.address() as AddressInfo;

  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${actualPort}${PATH}`,
    close: async () => {
      ending = true;
      detach?.();
      calls.abortListening();
      const closed = once(server, "close");
      server.close();
      if (
        !(await settlesWithin(
          SHUTDOWN_GRACE_MS,
          calls.idle().then(() => factory.writesSettled?.()),
        ))
      ) {
        calls.abortAll();
        await settlesWithin(ABORT_GRACE_MS, calls.idle());
      }
      await mcp.close();
      // Hosts keep connections open for calls that would no longer be served.
      server.closeAllConnections();
      await closed;
    },
  };
}
