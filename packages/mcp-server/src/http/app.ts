import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { classifyInboundRequest, isJsonContentType, type McpHttpHandler, type RequestId } from "@modelcontextprotocol/server";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { LARGEST_MESSAGE } from "../limits.ts";
import { reportingDelivery } from "../mcp/delivery.ts";
import type { CallInFlight, CallsInFlight } from "./calls-in-flight.ts";
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
  limits: HttpLimits;
  isEnding: () => boolean;
}

interface Served {
  Bindings: HttpBindings;
  Variables: {
    call: CallInFlight;
    /** Whether all of the response was written while its caller was there; settles when the response is over. */
    written: Promise<boolean>;
    /** When the call itself has come to its end, which may be later than the response. */
    called: Promise<void>;
  };
}

const writtenTo = (outgoing: ServerResponse) =>
  new Promise<boolean>((resolve) => {
    if (outgoing.destroyed) resolve(false);
    outgoing.once("close", () => resolve(outgoing.writableFinished));
  });

const unfinishedEvent = (id: RequestId) =>
  `event: message\ndata: ${bodyOf({ status: 200, id, message: "The server ended during the call; whether anything was changed is not known" })}\n\n`;

/** What is served, and to whom. Bounds of connections and of time are the server's. */
export function createApp({ mcp, calls, limits, isEnding }: AppOptions): Hono<Served> {
  const serve = async (c: Context<Served>): Promise<Response> => {
    const written = writtenTo(c.env.outgoing);
    // A caller that hangs up before its request is whole takes no place, and neither does one that is slow to send it.
    const bytes = await Promise.race([c.req.arrayBuffer(), written.then(() => undefined)]);
    if (bytes === undefined) return refused({ status: 400, message: "The request ended before it was whole" });
    const received = readMessages(bytes, limits.batch);
    if ("status" in received) return refused(received);
    if (isEnding()) return refused(busy(503, "The server is ending"));
    if (calls.size() >= limits.requests) return refused(busy(503, `${limits.requests} requests are being served; try again later`));
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
      // A host of an older revision cancels by a request of its own, which another server of the SDK gets to see.
      for (const id of cancelled) calls.cancel(session, id);
      call.name(session, requests);
    }
    // In today's revision to close the stream is to cancel; in the older ones it means nothing, and the call goes on.
    if (!older) void written.then((complete) => complete || call.abort());
    const delivered = written.then((complete) => complete && !call.signal.aborted);
    const response = await reportingDelivery(
      () => delivered,
      () => mcp.fetch(new Request(url, { method, headers, signal: call.signal }), { parsedBody: body }),
    );

    if (older && initializes && response.ok) response.headers.set(SESSION, randomUUID());
    const source = response.body;
    if (source === null) return response;
    const streams = response.headers.get("content-type")?.startsWith("text/event-stream");
    // A host whose stream merely ends waits on; one that cancelled is not answered.
    const lastWords = () => (streams && isEnding() && call.signal.aborted ? requests.map(unfinishedEvent).join("") : "");
    const { body: observed, ended } = observedBody(source, { outlivesReader: older, lastWords });
    c.set("called", ended);
    return new Response(observed, { status: response.status, headers: response.headers });
  };

  const app = new Hono<Served>();
  app.use(async (c, next) => {
    const foreign = foreignCaller(c.env.incoming);
    return foreign === undefined ? next() : refused(foreign);
  });
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
      maxSize: LARGEST_MESSAGE,
      onError: () =>
        refused({ status: 413, message: `Request body must not exceed ${LARGEST_MESSAGE} bytes`, headers: { connection: "close" } }),
    }),
    serve,
  );
  app.all(PATH, () => refused({ status: 405, message: "Method not allowed: MCP is called by POST", headers: { allow: "POST" } }));
  app.notFound(() => refused({ status: 404, message: `Nothing is here; MCP is at ${PATH}` }));
  return app;
}
