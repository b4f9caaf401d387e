import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { HttpLimits } from "./limits.ts";
import { bodyOf, busy, type Refusal, unreadable } from "./refusal.ts";

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
export function boundConnections(
  server: Server,
  limits: HttpLimits,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Refusal | undefined {
  server.maxConnections = limits.connections + MAX_SURPLUS;
  server.headersTimeout = limits.headersMs;
  server.requestTimeout = limits.requestMs;

  const open = new Set<Duplex>();
  const surplus = new WeakSet<Duplex>();
  /** Responses not yet fully written, by connection, in request order. */
  const unfinished = new Map<Duplex, Set<ServerResponse>>();
  const waitingSince = new WeakMap<ServerResponse, number>();

  server.on("connection", (socket: Duplex) => {
    if (open.size >= limits.connections) surplus.add(socket);
    open.add(socket);
    socket.once("close", () => {
      open.delete(socket);
      unfinished.delete(socket);
    });
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    const pending = unfinished.get(socket);
    const [first] = pending ?? [];
    // The error is then in the body of the only request, and not in one after it.
    const waitsForBody = pending?.size === 1 && first?.headersSent === false && !first.req.complete;
    if (pending === undefined || waitsForBody) return writeRaw(socket, BY_CODE[error.code ?? ""] ?? UNREADABLE);
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") return void socket.destroy();
    // In the middle of another response, an error would be read as part of it.
    for (const response of pending) response.once("close", () => unfinished.has(socket) || socket.end(() => socket.destroy()));
  });

  const closeStalled = () => {
    const now = performance.now();
    for (const [socket, responses] of unfinished) {
      for (const response of responses) {
        // A response queued behind another one has no socket yet.
        if (response.socket === null || response.writableLength === 0) waitingSince.delete(response);
        else if (!waitingSince.has(response)) waitingSince.set(response, now);
        else if (now - (waitingSince.get(response) as number) >= limits.unreadMs) socket.destroy();
      }
    }
  };
  const watch = setInterval(closeStalled, Math.min(limits.unreadMs / 4, 1_000)).unref();
  server.once("close", () => clearInterval(watch));

  return ({ socket }, outgoing) => {
    const responses = unfinished.get(socket) ?? new Set();
    unfinished.set(socket, responses.add(outgoing));
    outgoing.once("close", () => {
      responses.delete(outgoing);
      if (responses.size === 0) unfinished.delete(socket);
    });
    if (responses.size > limits.requestsPerConnection)
      return busy(429, `Concurrent requests per connection are limited to ${limits.requestsPerConnection}; read the response first`);
    if (surplus.has(socket)) return busy(503, `All ${limits.connections} connections are in use; try again later`);
    return undefined;
  };
}
