import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { older } from "./http-under-test.ts";

export interface RawResponse {
  /** Undefined if the connection was closed without a response. */
  status: number | undefined;
  head: string;
  body: string;
  /** Whether the server neither responded nor closed the connection in time. */
  late?: true;
}

/** What the client does once it has sent everything: waits for the response, or leaves after a moment. */
export type Then = "wait" | "leave";

const MOMENT_MS = 30;

function responseIn(received: string): RawResponse {
  // An interim response precedes the final one.
  const text = received.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, "");
  const end = text.indexOf("\r\n\r\n");
  const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
  return { status: status === undefined ? undefined : Number(status), head: text.slice(0, end), body: end < 0 ? "" : text.slice(end + 4) };
}

/** Whether a response is complete. Streams keep their connections open, whatever the request asks for. */
function isComplete({ status, head, body }: RawResponse): boolean {
  if (status === undefined || status < 200) return false;
  if (/^transfer-encoding: chunked/im.test(head)) return body.endsWith("0\r\n\r\n");
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  return length !== undefined && body.length >= Number(length);
}

function opened(url: string, bytes: string | Buffer): { socket: Socket; received: () => string; closed: Promise<unknown> } {
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", allowHalfOpen: true });
  let received = "";
  socket.setEncoding("latin1").on("data", (chunk) => (received += chunk));
  // A server that refuses a request may close the connection before all of it was sent.
  socket.on("error", () => {});
  const closed = Promise.race([once(socket, "end"), once(socket, "close")]).catch(() => {});
  socket.write(bytes);
  return { socket, received: () => received, closed };
}

/** A connection of its own until the test ends, with what was received over it. */
export async function connection(url: string, bytes: string | Buffer = "") {
  const one = opened(url, bytes);
  onTestFinished(() => void one.socket.destroy());
  await once(one.socket, "connect");
  return one;
}

/** Sends bytes over a connection of their own, and returns the response, or whatever came until the server closed the connection. */
export async function exchange(
  url: string,
  bytes: string | Buffer,
  { then = "wait", ms = 30_000 }: { then?: Then; ms?: number } = {},
): Promise<RawResponse> {
  const { socket, received, closed } = opened(url, bytes);
  socket.on("data", () => {
    if (isComplete(responseIn(received()))) socket.destroy();
  });
  let isLate = false;
  const give = () => {
    isLate = true;
    socket.destroy();
  };
  const timer = setTimeout(give, then === "wait" ? ms : MOMENT_MS);
  await closed;
  clearTimeout(timer);
  socket.destroy();
  return { ...responseIn(received()), ...(isLate ? { late: true } : {}) };
}

/** The bytes of a request whose lines are sent as they are. */
export function requestBytes(line: string, headers: readonly string[], body: string | Buffer = ""): Buffer {
  return Buffer.concat([Buffer.from([line, ...headers, "", ""].join("\r\n"), "latin1"), Buffer.from(body)]);
}

/** The bytes of a request without a token. */
export function bytesOf({ headers, body }: ReturnType<typeof older>): Buffer {
  const head = ["Host: localhost", "Content-Type: application/json", `Accept: ${headers.accept}`];
  return requestBytes("POST /mcp HTTP/1.1", [...head, `Content-Length: ${Buffer.byteLength(body)}`], body);
}
