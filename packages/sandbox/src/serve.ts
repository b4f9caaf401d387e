import { once } from "node:events";
import { createServer, type Server, STATUS_CODES } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";
import { cors } from "hono/cors";
import type { RunningClock } from "./clock.ts";
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

/** What the console may read and change in a sandbox. It reads the fleet like any client, through `fetch`. */
export interface ConsoleHost {
  /** The environment of its client. It stays in this process: the page gets no credentials. */
  readonly env: () => Readonly<Record<string, string>>;
  readonly fetch: (request: Request) => Promise<Response>;
  /** The groups, the root without a parent; the interface itself has no operation that reads them. */
  readonly groups: () => readonly { readonly id: string; readonly name: string; readonly parentId?: string | undefined }[];
  /** The latest requests, oldest first. */
  readonly requests: () => readonly {
    /** Counts from 1. */
    readonly id: number;
    /** When the response began, in epoch ms of the real clock. */
    readonly at: number;
    /** Name of the operation; undefined for a path without one. */
    readonly operation: string | undefined;
    /** Without the query. */
    readonly path: string;
    /** 0 if a fault reset the connection. */
    readonly status: number;
    /** Time to the start of the response. */
    readonly ms: number;
    /** The name of the client in its User-Agent header. */
    readonly client: string | undefined;
  }[];
  /** Can be set only if the sandbox was created with a `RunningClock`. */
  readonly clock: (() => number) | RunningClock;
  readonly faults: {
    /** Every fault with its effect. */
    readonly known: Readonly<Record<string, string>>;
    readonly list: () => string;
    /** Throws a RangeError that quotes an invalid entry. */
    readonly set: (list: string) => void;
  };
  /** The folder of the page and its assets. */
  readonly folder: string;
}

/** Responds to the console's own requests, and ignores all others. */
type ConsoleHandler = (request: Request) => Promise<Response | undefined>;

const FOLDER = fileURLToPath(new URL("../dist/console-page/", import.meta.url));

/** Loads the console, which packages/console builds into dist/console-page, for the first request that asks for it. */
function deferredConsole(host: Omit<ConsoleHost, "folder">): ConsoleHandler {
  let handler: ConsoleHandler | undefined;
  return async (request) => {
    if (!/^\/(?:console(?:\/.*)?)?$/.test(new URL(request.url).pathname)) return undefined;
    handler ??= createRequire(import.meta.url)(`${FOLDER}sandbox-console.cjs`).sandboxConsole({
      ...host,
      folder: FOLDER,
    }) as ConsoleHandler;
    return handler(request);
  };
}

/** What the client and `curl` examples send, and W3C trace context. */
const HEADERS = ["authorization", "content-type", "traceparent", "tracestate", "x-connect-token", "x-sandbox-fault"];

interface Served {
  readonly handle: (request: Request, connection: Connection) => Promise<Response>;
  readonly console: Omit<ConsoleHost, "folder"> | undefined;
  /** The origin of web pages that may call `handle`. */
  readonly origin: string | undefined;
}

function pages({ handle, console: host, origin }: Served) {
  const app = new Hono<{ Bindings: Connection }>();
  const page = host && deferredConsole(host);
  if (page) app.use(async (c, next) => (await page(c.req.raw)) ?? next());
  if (origin !== undefined) {
    const allow = cors({ origin, allowMethods: ["GET", "POST", "PUT"], allowHeaders: HEADERS, exposeHeaders: ["retry-after"] });
    app.use((c, next) => (c.req.header("origin") === origin ? allow(c, next) : next()));
  }
  app.all("*", (c) => handle(c.req.raw, c.env));
  app.onError((error) => {
    throw error;
  });
  return app;
}

/** Serves on a loopback port. */
export async function serve(served: Served, port: number): Promise<{ readonly origin: string; readonly stop: () => Promise<void> }> {
  const app = pages(served);
  const respond = async (request: Request, env: object): Promise<Response> => {
    const { socket } = (env as HttpBindings).incoming;
    try {
      return await app.fetch(request, { cut: () => void socket.destroy() });
    } catch (error) {
      if (!(error instanceof ConnectionReset)) throw error;
      socket.resetAndDestroy();
      return RESPONSE_ALREADY_SENT;
    }
  };
  const errorHandler = (error: unknown) =>
    refusalResponse(error instanceof RequestError ? UNREADABLE : refuse(500, "failed", "The sandbox failed to respond"));
  // Node's own response to a missing Host header has no body.
  const server = createServer({ requireHostHeader: false }, getRequestListener(respond, { overrideGlobalObjects: false, errorHandler }));
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
