import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { HttpLimits } from "./limits.ts";
import { bodyOf, busy, type Refusal, unreadable } from "./refusal.ts";

/** Sockets beyond the limit that are still answered; Node closes those beyond these. */
const REFUSED_IN_WORDS = 64;

/** Milliseconds for a caller to read why its connection ends. */
const LINGER_MS = 1_000;

const UNREADABLE = unreadable("The request is no HTTP request that can be read");
const BY_CODE: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: "The address and the headers are too long" },
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
  // To destroy it at once could take the response back from a caller that still sends.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Bounds the connections of a server, what they send and what they leave unread. The returned function says why a request is not served now. */
export function boundConnections(
  server: Server,
  limits: HttpLimits,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Refusal | undefined {
  server.maxConnections = limits.connections + REFUSED_IN_WORDS;
  server.headersTimeout = limits.headersMs;
  server.requestTimeout = limits.requestMs;

  const open = new Set<Duplex>();
  const surplus = new WeakSet<Duplex>();
  /** What is not yet written of each connection, in the order of the requests. */
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
    const waitsForBody = error.code === "ERR_HTTP_REQUEST_TIMEOUT" && pending?.size === 1 && first?.headersSent === false;
    if (pending === undefined || waitsForBody) return writeRaw(socket, BY_CODE[error.code ?? ""] ?? UNREADABLE);
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") return void socket.destroy();
    // Between the bytes of another response it would be read as part of that.
    for (const response of pending) response.once("close", () => unfinished.has(socket) || socket.end(() => socket.destroy()));
  });

  const closeUnread = () => {
    const now = performance.now();
    for (const [socket, responses] of unfinished) {
      for (const response of responses) {
        // What waits behind the response to another request has no socket yet.
        if (response.socket === null || response.writableLength === 0) waitingSince.delete(response);
        else if (!waitingSince.has(response)) waitingSince.set(response, now);
        else if (now - (waitingSince.get(response) as number) >= limits.unreadMs) socket.destroy();
      }
    }
  };
  const watch = setInterval(closeUnread, Math.min(limits.unreadMs / 4, 1_000)).unref();
  server.once("close", () => clearInterval(watch));

  return ({ socket }, outgoing) => {
    const responses = unfinished.get(socket) ?? new Set();
    unfinished.set(socket, responses.add(outgoing));
    outgoing.once("close", () => {
      responses.delete(outgoing);
      if (responses.size === 0) unfinished.delete(socket);
    });
    if (responses.size > limits.requestsPerConnection)
      return busy(429, `Requests served at a time on one connection: ${limits.requestsPerConnection}; read the response first`);
    if (surplus.has(socket)) return busy(503, `All ${limits.connections} connections are taken; try again later`);
    return undefined;
  };
}
