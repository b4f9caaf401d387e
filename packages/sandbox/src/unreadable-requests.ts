import { type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { RequestError } from "@hono/node-server";
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
export function refuseUnreadable(server: Server): void {
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
export function errorResponse(error: unknown): Response {
  return refusalResponse(error instanceof RequestError ? UNREADABLE : refuse(500, "failed", "The sandbox failed to respond"));
}
