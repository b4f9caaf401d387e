import { ProtocolErrorCode } from "@modelcontextprotocol/server";
import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import { ABORT_GRACE_MS, settlesWithin } from "../limits.ts";
import type { ServerLog } from "../log.ts";
import { type Access, type Caller, CONSOLE_PATH } from "./access.ts";
import { createAdmission, type SharedRate } from "./admission.ts";
import type { Exchange } from "./exchange.ts";
import { type AllowedCallers, contentRefusal, hostOrOriginRefusal } from "./guard.ts";
import type { HttpLimits } from "./limits.ts";
import type { prometheusMetrics } from "./metrics.ts";
import { readinessOf } from "./readiness.ts";
import { refused } from "./refusal.ts";
import { type RequestRecord, recordRequest } from "./request-log.ts";
import { nameOf, serveMcp } from "./serve-mcp.ts";

export const PATH = "/mcp";

interface Served {
  Bindings: { exchange: Exchange };
  Variables: {
    caller: Caller;
    /** Only of requests to {@link PATH}. */
    record: RequestRecord;
  };
}

export interface HandlerOptions {
  access: Access;
  allowed: AllowedCallers;
  limits: HttpLimits;
  log: ServerLog;
  /** What replicas share: callers' request counts, and whether another may have finished a call meanwhile. */
  shared?: { rate: SharedRate; isReady: () => boolean; wasPausedSince: (receivedAt: number) => boolean } | undefined;
  /** Creates the metrics. */
  metrics?: typeof prometheusMetrics;
  /** The version that probes and metrics state. */
  version?: string | undefined;
}

/** Serves requests, independently of the HTTP server that receives them. */
export interface Handler {
  fetch: (request: Request, exchange: Exchange) => Promise<Response>;
  /** The response to a request that failed unexpectedly. */
  failed: (error: Error) => Response;
  /** Rejects new calls, gives those in flight a moment to finish, then aborts them. */
  close: () => Promise<void>;
}

const notFound = () => refused({ status: 404, message: `Not found: MCP is served at ${PATH}` });

/** Creates the routes, and checks who may call them. The HTTP server enforces limits on connections and time. */
export function createHandler({ access, allowed, limits, log, shared, metrics: createMetrics, version }: HandlerOptions): Handler {
  const { fleets } = access;
  const admission = createAdmission(limits, shared?.rate);
  const { inFlight } = admission;
  const metrics = createMetrics?.({ inFlight, version: version ?? "unknown", fleets, isSharing: shared?.isReady });
  const readiness = readinessOf(fleets, shared?.isReady);
  // A trailing slash is the same place: many hosts add one, and would not follow a redirect of a POST.
  const app = new Hono<Served>({ strict: false });

  // Probes and scrapers call an IP address rather than a name, and learn nothing about any customer.
  app.get("/healthz", (c) => c.json({ ok: true, version }));
  app.get("/readyz", async (c) => {
    if (admission.isEnding()) return c.json({ ready: false, problems: ["shutting down"] }, 503);
    return c.json(await readiness());
  });
  app.get("/metrics", async (c) => {
    // On a user's machine, web pages could otherwise read them by DNS rebinding.
    const refusal = allowed.localPages ? hostOrOriginRefusal(c.env.exchange, c.req.header("origin") ?? null, allowed) : undefined;
    if (refusal !== undefined) return refused(refusal);
    const rendered = c.env.exchange.proxied ? undefined : await metrics?.render();
    return rendered === undefined ? notFound() : c.body(rendered.text, 200, { "content-type": rendered.contentType });
  });

  app.use(PATH, async (c, next) => {
    const record = recordRequest(c.req.raw, c.env.exchange.address, log, metrics);
    c.set("record", record);
    await next();
    c.res.headers.set("x-request-id", record.line.requestId);
    const { status } = c.res;
    void c.env.exchange.written.then((complete) => record.end(status, complete));
  });

  const { page, teamPage } = access;
  app.use(async (c, next) => {
    // The console sends its own forms.
    const sender = teamPage && c.req.path.startsWith(`${CONSOLE_PATH}/`) ? [teamPage.origin ?? new URL(c.req.url).origin] : [];
    const known = { ...allowed, origins: [...allowed.origins, ...sender] };
    const refusal = hostOrOriginRefusal(c.env.exchange, c.req.header("origin") ?? null, known);
    if (refusal === undefined) return next();
    Object.assign(c.get("record")?.line ?? {}, { problem: refusal.message });
    return refused(refusal);
  });
  if (access.metadata) app.all("/.well-known/*", async (c) => (await access.metadata?.(c.req.raw)) ?? notFound());

  if (page || teamPage) {
    // Behind a proxy, a caller may be anyone that it lets through.
    const opened = async (c: Context<Served>) => (c.env.exchange.proxied ? undefined : page?.(c.req.raw));
    const serveConsole = async (c: Context<Served>) => (await (teamPage?.serve(c.req.raw, admission) ?? opened(c))) ?? notFound();
    app.all(CONSOLE_PATH, serveConsole).all(`${CONSOLE_PATH}/*`, serveConsole);
  }
  if (allowed.origins.length > 0) {
    app.use(
      PATH,
      cors({
        origin: [...allowed.origins],
        allowMethods: ["POST"],
        exposeHeaders: ["mcp-session-id", "retry-after", "www-authenticate", "x-request-id"],
        maxAge: 600,
      }),
    );
  }
  app.use(PATH, async (c, next) => {
    const caller = await access.authenticate(c.req.raw);
    if (caller instanceof Response) return caller;
    const { customer, tenant } = caller.fleet;
    Object.assign(c.get("record").line, { caller: caller.id, customer, tenant });
    const tooMany = await admission.arrive(nameOf(caller));
    if (tooMany !== undefined) return refused(tooMany);
    c.set("caller", caller);
    return next();
  });
  app.post(PATH, (c: Context<Served>) => {
    const { caller, record } = c.var;
    const refusal = contentRefusal(c.req.raw);
    if (refusal !== undefined) return refused(refusal);
    const authorization = c.req.header("authorization");
    const isAllowed = async () => {
      const again = new Request(c.req.url, { headers: authorization === undefined ? {} : { authorization } });
      const now = await access.authenticate(again);
      // As long as that cannot be verified, what was true counts.
      return now instanceof Response ? now.status === 503 : nameOf(now) === nameOf(caller);
    };
    const incoming = { request: c.req.raw, exchange: c.env.exchange, caller, isAllowed, record };
    return serveMcp(incoming, { admission, limits, wasPausedSince: shared?.wasPausedSince });
  });
  app.all(PATH, () => refused({ status: 405, message: "Method not allowed: use POST", headers: { allow: "POST" } }));
  app.notFound(notFound);
  const failed = (error: Error) => {
    // Only the name, since the message may quote what a caller sent.
    log.warn({ error: error.name }, "protocol");
    return refused({ status: 500, code: ProtocolErrorCode.InternalError, message: "Internal server error" });
  };
  app.onError(failed);
  return {
    fetch: async (request, exchange) => app.fetch(request, { exchange }),
    failed,
    close: async () => {
      for (const fleet of fleets) fleet.detach();
      await admission.drain(() => Promise.all(fleets.map((fleet) => fleet.writesSettled())));
      // Streams end regularly with their fleets, and their callers read that.
      await Promise.all(fleets.map((fleet) => fleet.close()));
      await settlesWithin(ABORT_GRACE_MS, admission.idle());
    },
  };
}
