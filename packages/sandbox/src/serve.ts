import { once } from "node:events";
import { createServer, type Server, STATUS_CODES } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Connection, ConnectionReset } from "./service/fault-injection.ts";
import { type Refusal, refusalResponse, refuse } from "./service/refusal.ts";

const UNREADABLE = refuse(400, "malformed", "The request is not valid HTTP");
const BY_CODE: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: refuse(431, "tooLarge", "The URL or the headers are too long"),
  ERR_HTTP_REQUEST_TIMEOUT: refuse(408, "malformed", "The request did not arrive in time"),
};
const TUNNEL = refuse(405, "wrongMethod", "The sandbox is not a proxy");
const EXPECTATION = refuse(417, "malformed", "The only supported expectation is 100-continue");

async function writeRaw(socket: Duplex, refusal: Refusal): Promise<void> {
  const response = refusalResponse(refusal);
  const body = await response.text();
  const lines = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    `Content-Type: ${response.headers.get("content-type")}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
}

/** Responds to unreadable requests with an error in the interface's shape, since Node's own responses have no body. */
function refuseUnreadable(server: Server): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
    else void writeRaw(socket, BY_CODE[error.code ?? ""] ?? UNREADABLE);
  });
  server.on("connect", (_request, socket) => {
    // Node removes its own error listener from a tunneled socket, so an unhandled error would crash the process.
    socket.on("error", () => socket.destroy());
    void writeRaw(socket, TUNNEL);
  });
  server.on("checkExpectation", (request, response) => {
    request.resume();
    if (response.socket) void writeRaw(response.socket, EXPECTATION);
  });
}

/** The response to an invalid request line or invalid headers, or to a failure in the app. */
function errorResponse(error: unknown): Response {
  return refusalResponse(error instanceof RequestError ? UNREADABLE : refuse(500, "failed", "The sandbox failed to respond"));
}

interface Serving {
  readonly origin: string;
  readonly stop: () => Promise<void>;
}

/** Serves a handler on a loopback port. */
export async function serve(handle: (request: Request, connection: Connection) => Promise<Response>, port: number): Promise<Serving> {
  const respond = async (request: Request, { incoming }: HttpBindings) => {
    try {
      return await handle(request, { cut: () => incoming.socket.destroy() });
    } catch (error) {
      if (!(error instanceof ConnectionReset)) throw error;
      incoming.socket.resetAndDestroy();
      return RESPONSE_ALREADY_SENT;
    }
  };
  // The host process's global Request and Response must not be replaced.
  const listener = getRequestListener((request, env) => respond(request, env as HttpBindings), {
    overrideGlobalObjects: false,
    errorHandler: errorResponse,
  });
  // Node's own response to a missing Host header has no body.
  const server = createServer({ requireHostHeader: false }, listener);
  refuseUnreadable(server);
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
