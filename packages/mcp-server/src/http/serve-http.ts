import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import type { ServerLog } from "../log.ts";
import { type Access, openAccess } from "./access.ts";
import { PATH } from "./app.ts";
import { boundConnections } from "./connections.ts";
import { nodeExchange } from "./exchange.ts";
import { createHandler, type HandlerOptions } from "./handler.ts";
import type { AllowedCallers } from "./host-and-origin.ts";
import { HTTP_LIMITS, type HttpLimits } from "./limits.ts";
import { prometheusMetrics } from "./metrics.ts";
import { refused } from "./refusal.ts";
import { type HttpFactory, serveFleet } from "./served-fleet.ts";
import { type TrustedProxies, trustedProxies } from "./trusted-proxies.ts";

export interface HttpService {
  url: string;
  /** Rejects new calls, gives those in flight a moment to finish, then aborts them. */
  close(): Promise<void>;
}

export interface HttpServiceOptions {
  factory: HttpFactory;
  /** A loopback address, since callers are not authenticated. */
  host: string;
  /** 0 picks a free port. */
  port: number;
  log: ServerLog;
  /** Overrides for the default limits. */
  limits?: Partial<HttpLimits>;
}

export interface ServiceOptions extends Omit<HttpServiceOptions, "factory" | "limits"> {
  access: Access;
  allowed: AllowedCallers;
  limits: HttpLimits;
  /** @default none */
  proxies?: TrustedProxies | undefined;
  shared?: HandlerOptions["shared"];
  version?: HandlerOptions["version"];
}

/** Serves MCP over Streamable HTTP, statelessly: each request gets a new server. Anyone who can reach the address may call, so it must be on loopback. */
export async function serveHttp({ factory, limits: overrides, ...options }: HttpServiceOptions): Promise<HttpService> {
  const limits = { ...HTTP_LIMITS, ...overrides };
  const allowed = { hosts: [], origins: [], localPages: true };
  const onerror = ({ name }: Error) => options.log.warn({ error: name }, "protocol");
  const fleet = serveFleet({ factory: () => factory, onerror, maxSubscriptions: limits.subscriptions });
  return serve({ ...options, access: openAccess(fleet), allowed, limits });
}

/** Serves callers over HTTP, each with the fleet that `access` gives them. */
export async function serve({
  access,
  allowed,
  limits,
  proxies = trustedProxies([]) as TrustedProxies,
  host,
  port,
  log,
  shared,
  version,
}: ServiceOptions): Promise<HttpService> {
  const handler = createHandler({ access, allowed, limits, log, shared, version, metrics: prometheusMetrics });
  const listener = getRequestListener(
    (request, env) => {
      const { incoming, outgoing } = env as HttpBindings;
      return handler.fetch(request, nodeExchange(incoming, outgoing, proxies));
    },
    {
      // In an embedding program, the global Request and Response are not ours to replace.
      overrideGlobalObjects: false,
      errorHandler: (error) =>
        error instanceof RequestError
          ? refused({ status: 400, message: "Invalid Host header or request target" })
          : handler.failed(error as Error),
    },
  );
  const server = createServer({ requireHostHeader: false, connectionsCheckingInterval: Math.min(1_000, limits.headersMs / 2) });
  const refusalOf = boundConnections(server, limits);
  server.on("request", (incoming, outgoing) => {
    const refusal = refusalOf(incoming, outgoing);
    if (refusal === undefined) return void listener(incoming, outgoing);
    void getRequestListener(() => refused(refusal), { overrideGlobalObjects: false })(incoming, outgoing);
  });
  server.listen(port, host);
  await once(server, "listening");
  const { address, family, port: actualPort } = server.address() as AddressInfo;

  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${actualPort}${PATH}`,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      await handler.close();
      // Hosts keep connections open for further calls, which would no longer be served.
      server.closeAllConnections();
      await closed;
    },
  };
}
