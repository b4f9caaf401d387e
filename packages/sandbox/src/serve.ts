import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo } from "node:net";
import { type Duplex, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ReadableStream } from "node:stream/web";
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

/** The request as `fetch` has it. Throws if its URL or its Host is invalid. */
function requestOf(incoming: IncomingMessage): Request {
  const { method = "GET", url = "", rawHeaders } = incoming;
  const { host = "" } = incoming.headers;
  if (!/^[\w.:[\]-]+$/.test(host)) throw UNREADABLE;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  const isTrace = method === "TRACE";
  // A rejected body must not close the connection, on which the response is sent.
  const body = isTrace || method === "GET" || method === "HEAD" ? null : ReadableStream.from(incoming.iterator({ destroyOnReturn: false }));
  const init = { method: isTrace ? "GET" : method, headers, body, duplex: "half" } as RequestInit;
  const request = new Request(new URL(url.startsWith("/") ? `http://${host}${url}` : url), init);
  return isTrace ? Object.defineProperty(request, "method", { value: method }) : request;
}

async function send({ status, headers, body }: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(status, [...headers].flat());
  if (body) await pipeline(Readable.fromWeb(body as ReadableStream), outgoing);
  else outgoing.end();
}

interface Serving {
  readonly origin: string;
  readonly stop: () => Promise<void>;
}

/** Serves a handler on a loopback port. */
export async function serve(handle: (request: Request, connection: Connection) => Promise<Response>, port: number): Promise<Serving> {
  const respond = async (incoming: IncomingMessage): Promise<Response> => {
    let request: Request;
    try {
      request = requestOf(incoming);
    } catch {
      return refusalResponse(UNREADABLE);
    }
    return handle(request, { cut: () => incoming.socket.destroy() });
  };
  const listener = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    try {
      const response = await respond(incoming).catch((error: unknown) => {
        if (error instanceof ConnectionReset) throw error;
        return refusalResponse(refuse(500, "failed", "The sandbox failed to respond"));
      });
      await send(response, outgoing);
      incoming.resume();
    } catch (error) {
      // Otherwise, the client closed the connection, or the body was cut.
      if (error instanceof ConnectionReset) incoming.socket.resetAndDestroy();
      else outgoing.destroy();
    }
  };
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
