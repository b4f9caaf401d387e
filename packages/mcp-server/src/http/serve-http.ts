import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import type { ServerLog } from "../log.ts";
import { type Access, openAccess } from "./access.ts";
import { nodeExchange } from "./exchange.ts";
import { Fleet, type HttpFactory } from "./fleet.ts";
import type { AllowedCallers } from "./guard.ts";
import { createHandler, type HandlerOptions, PATH } from "./handler.ts";
import { HTTP_LIMITS, type HttpLimits } from "./limits.ts";
import { prometheusMetrics } from "./metrics.ts";
import { bodyOf, busy, type Refusal, refused, unreadable } from "./refusal.ts";
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

/** Number of connections above the limit that still get a response. Node closes any more. */
const MAX_SURPLUS = 64;

/** Milliseconds a caller has to read why its connection is closed. */
const LINGER_MS = 1_000;

const UNREADABLE = unreadable("The request is not valid HTTP");
const BY_CODE: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: "The URL and headers are too long" },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: "The request did not arrive in time" },
};

function writeRaw(socket: Duplex, refusal: Refusal): void {
  const body = bodyOf(refusal);
  const lines = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
  // Destroying the socket now could discard the response while the caller is still sending.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Limits a server's connections, their requests and their unread responses. Returns a function that refuses requests above the limits. */
function boundConnections(
  server: Server,
  limits: HttpLimits,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Refusal | undefined {
  server.maxConnections = limits.connections + MAX_SURPLUS;
  server.headersTimeout = limits.headersMs;
  server.requestTimeout = limits.requestMs;

  const surplus = new WeakSet<Duplex>();
  /** Responses not yet fully written, by open connection, in request order. */
  const unfinished = new Map<Duplex, Set<ServerResponse>>();
  const waitingSince = new WeakMap<Duplex, number>();

  server.on("connection", (socket: Duplex) => {
    if (unfinished.size >= limits.connections) surplus.add(socket);
    unfinished.set(socket, new Set());
    socket.once("close", () => unfinished.delete(socket));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    const pending = unfinished.get(socket) ?? new Set();
    const [first] = pending;
    // The error is then in the body of the only request, and not in one after it.
    const waitsForBody = pending.size === 1 && first?.headersSent === false && !first.req.complete;
    if (pending.size === 0 || waitsForBody) return writeRaw(socket, BY_CODE[error.code ?? ""] ?? UNREADABLE);
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") return void socket.destroy();
    // In the middle of another response, an error would be read as part of it.
    for (const response of pending) response.once("close", () => pending.size > 0 || socket.end(() => socket.destroy()));
  });

  const closeStalled = () => {
    const now = performance.now();
    for (const socket of unfinished.keys()) {
      const since = waitingSince.get(socket) ?? now;
      if (socket.writableLength === 0) waitingSince.delete(socket);
      else if (now - since >= limits.unreadMs) socket.destroy();
      else waitingSince.set(socket, since);
    }
  };
  const watch = setInterval(closeStalled, Math.min(limits.unreadMs / 4, 1_000)).unref();
  server.once("close", () => clearInterval(watch));

  return ({ socket }, outgoing) => {
    const responses = unfinished.get(socket) ?? new Set();
    responses.add(outgoing);
    waitingSince.delete(socket);
    outgoing.once("close", () => responses.delete(outgoing));
    // No known client pipelines requests.
    if (responses.size > 1) return busy(429, "Concurrent requests per connection are limited to 1; read the response first");
    if (surplus.has(socket)) return busy(503, `All ${limits.connections} connections are in use; try again later`);
    return undefined;
  };
}

/** Serves MCP over Streamable HTTP, statelessly: each request gets a new server. Anyone who can reach the address may call, so it must be on loopback. */
export async function serveHttp({ factory, limits: overrides, ...options }: HttpServiceOptions): Promise<HttpService> {
  const limits = { ...HTTP_LIMITS, ...overrides };
  const allowed = { hosts: [], origins: [], localPages: true };
  const fleet = new Fleet({ factory, log: options.log, maxSubscriptions: limits.subscriptions });
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
