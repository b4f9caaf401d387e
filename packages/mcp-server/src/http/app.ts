import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { ConsoleHandler } from "@fleetwire/tools/console";
import type { HttpBindings } from "@hono/node-server";
import {
  classifyInboundRequest,
  isJsonContentType,
  type McpHttpHandler,
  ProtocolError,
  type RequestId,
  SUBSCRIPTION_ID_META_KEY,
} from "@modelcontextprotocol/server";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { MAX_MESSAGE_BYTES } from "../limits.ts";
import { reportDelivery } from "../mcp/delivery.ts";
import { listenedTo, type Subscriptions } from "../mcp/subscriptions.ts";
import type { CallInFlight, CallsInFlight } from "./calls-in-flight.ts";
import { CONSOLE_PATH } from "./console.ts";
import type { HttpLimits } from "./limits.ts";
import { foreignCaller } from "./loopback.ts";
import { observedBody } from "./observed-body.ts";
import { readMessages } from "./read-messages.ts";
import { bodyOf, busy, refused } from "./refusal.ts";

export const PATH = "/mcp";

const SESSION = "mcp-session-id";

interface AppOptions {
  mcp: McpHttpHandler;
  calls: CallsInFlight;
  subscriptions: Subscriptions | undefined;
  limits: HttpLimits;
  page: ConsoleHandler | undefined;
  isEnding: () => boolean;
}

interface Served {
  Bindings: HttpBindings;
  Variables: {
    call: CallInFlight;
    /** Resolves, when the response ends, to whether it was written in full while the caller was connected. */
    written: Promise<boolean>;
    /** Resolves when the call itself ends, possibly after the response. */
    called: Promise<void>;
  };
}

const writtenTo = (outgoing: ServerResponse) =>
  new Promise<boolean>((resolve) => {
    if (outgoing.destroyed) resolve(false);
    outgoing.once("close", () => resolve(outgoing.writableFinished));
  });

const event = (data: string) => `event: message\ndata: ${data}\n\n`;

/** The regular end of a subscription. */
const listenedEvent = (id: RequestId) =>
  event(JSON.stringify({ jsonrpc: "2.0", id, result: { resultType: "complete", _meta: { [SUBSCRIPTION_ID_META_KEY]: id } } }));

const unfinishedEvent = (id: RequestId) =>
  event(bodyOf({ status: 200, id, message: "The server stopped during the call; it is not known whether anything changed" }));

/** Creates the routes, and checks who may call them. The HTTP server enforces limits on connections and time. */
export function createApp({ mcp, calls, subscriptions, limits, page, isEnding }: AppOptions): Hono<Served> {
  /** Watches what a call listens to until its response has ended. Returns the error if that is impossible. */
  const listen = async (call: CallInFlight, uris: readonly string[], written: Promise<boolean>) => {
    call.listens = true;
    const ending = new AbortController();
    void written.then(() => ending.abort());
    try {
      await subscriptions?.open(uris, ending.signal);
      return undefined;
    } catch (error) {
      if (error instanceof ProtocolError) return { code: error.code, message: error.message };
      throw error;
    }
  };

  const serve = async (c: Context<Served>): Promise<Response> => {
    const written = writtenTo(c.env.outgoing);
    // Callers that hang up or are slow to send their request must not count towards the limit.
    const bytes = await Promise.race([c.req.arrayBuffer(), written.then(() => undefined)]);
    if (bytes === undefined) return refused({ status: 400, message: "The request body is incomplete" });
    const received = readMessages(bytes, limits.batch);
    if ("status" in received) return refused(received);
    if (isEnding()) return refused(busy(503, "The server is shutting down"));
    if (calls.size() >= limits.requests) return refused(busy(503, `Already serving ${limits.requests} requests; try again later`));
    const call = calls.start();
    c.set("call", call);
    c.set("written", written);
    const { body, requests, cancelled, initializes } = received;

    const { method, url } = c.req.raw;
    const headers = new Headers([...c.req.raw.headers]);
    const protocolVersionHeader = headers.get("mcp-protocol-version") ?? undefined;
    const older =
      classifyInboundRequest({ httpMethod: method, ...(protocolVersionHeader && { protocolVersionHeader }), body }).kind === "legacy";
    const session = older ? headers.get(SESSION) : null;
    if (session !== null) {
      // Older revisions cancel with a separate request, which the SDK passes to another server instance.
      for (const id of cancelled) calls.cancel(session, id);
      call.register(session, requests);
    }
    // In the current revision, closing the stream cancels the call. In older ones, the call continues.
    if (!older) void written.then((complete) => complete || call.abort());
    const uris = older ? undefined : listenedTo(body);
    if (uris !== undefined) {
      const problem = await listen(call, uris, written);
      if (problem !== undefined) return refused({ status: 200, ...problem, ...(requests[0] !== undefined && { id: requests[0] }) });
    }
    const delivered = written.then((complete) => complete && !call.signal.aborted);
    const request = new Request(url, { method, headers, signal: call.signal });
    reportDelivery(request, delivered);
    const response = await mcp.fetch(request, { parsedBody: body });

    if (older && initializes && response.ok) response.headers.set(SESSION, randomUUID());
    const source = response.body;
    const streams = response.headers.get("content-type")?.startsWith("text/event-stream");
    // A body that is not streamed was complete when the call ended.
    if (source === null || !streams) return response;
    // If its stream just ended, a host would keep waiting. One that has cancelled expects no response.
    const trailer = () => (isEnding() && call.signal.aborted ? requests.map(call.listens ? listenedEvent : unfinishedEvent).join("") : "");
    const { body: observed, ended } = observedBody(source, { readToEnd: older, trailer });
    c.set("called", ended);
    return new Response(observed, { status: response.status, headers: response.headers });
  };

  const app = new Hono<Served>();
  app.use(async (c, next) => {
    const foreign = foreignCaller(c.env.incoming);
    return foreign === undefined ? next() : refused(foreign);
  });
  if (page) {
    const serveConsole = async (c: Context<Served>) => (await page(c.req.raw)) ?? c.notFound();
    app.all(CONSOLE_PATH, serveConsole).all(`${CONSOLE_PATH}/*`, serveConsole);
  }
  app.post(
    PATH,
    async (c, next) => {
      if (!isJsonContentType(c.req.header("content-type")))
        return refused({ status: 415, message: "Content-Type must be application/json" });
      await next();
      const { call, written, called } = c.var as Partial<Served["Variables"]>;
      if (call) void Promise.all([written, called]).then(call.end);
      return undefined;
    },
    bodyLimit({
      maxSize: MAX_MESSAGE_BYTES,
      onError: () =>
        refused({ status: 413, message: `Request body must not exceed ${MAX_MESSAGE_BYTES} bytes`, headers: { connection: "close" } }),
    }),
    serve,
  );
  app.all(PATH, () => refused({ status: 405, message: "Method not allowed: use POST", headers: { allow: "POST" } }));
  app.notFound(() => refused({ status: 404, message: `Not found: MCP is served at ${PATH}` }));
  return app;
}
