import { isJsonContentType } from "@modelcontextprotocol/server";
import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import type { ServerLog } from "../log.ts";
import { type Access, type Caller, CONSOLE_PATH } from "./access.ts";
import type { Exchange } from "./exchange.ts";
import { type AllowedCallers, hostOrOriginRefusal } from "./host-and-origin.ts";
import type { Metrics } from "./metrics.ts";
import { readBody } from "./read-body.ts";
import { readinessOf } from "./readiness.ts";
import { refused } from "./refusal.ts";
import { type RequestRecord, recordRequest } from "./request-log.ts";
import { nameOf, type ServingOptions, serveMcp } from "./serve-mcp.ts";

export const PATH = "/mcp";

const IDENTITY = "identity";

const WELL_KNOWN = "/.well-known/*";

interface AppOptions extends ServingOptions {
  access: Access;
  /** Whether the replicas' shared state can be reached; undefined if there is none. */
  isSharing: (() => boolean) | undefined;
  allowed: AllowedCallers;
  log: ServerLog;
  metrics: Metrics | undefined;
  version: string | undefined;
}

interface Served {
  Bindings: { exchange: Exchange };
  Variables: {
    caller: Caller;
    /** Whether the caller would be let in again: a token may be revoked at any time. */
    isAllowed: () => Promise<boolean>;
    /** Only of requests to {@link PATH}. */
    record: RequestRecord;
  };
}

const notFound = () => refused({ status: 404, message: `Not found: MCP is served at ${PATH}` });

/** Creates the routes, and checks who may call them. The HTTP server enforces limits on connections and time. */
export function createApp({ access, isSharing, allowed, log, metrics, version, ...serving }: AppOptions): Hono<Served> {
  const { callers, isEnding } = serving;
  const readiness = readinessOf(access.fleets, isSharing);
  // A trailing slash is the same place: many hosts add one, and would not follow a redirect of a POST.
  const app = new Hono<Served>({ strict: false });

  // Probes and scrapers call an IP address rather than a name, and learn nothing about any customer.
  app.get("/healthz", (c) => c.json({ ok: true, version }));
  app.get("/readyz", async (c) => {
    if (isEnding()) return c.json({ ready: false, problems: ["shutting down"] }, 503);
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
  if (access.metadata) app.all(WELL_KNOWN, async (c) => (await access.metadata?.(c.req.raw)) ?? notFound());

  if (page || teamPage) {
    // Behind a proxy, a caller may be anyone that it lets through.
    const opened = async (c: Context<Served>) => (c.env.exchange.proxied ? undefined : page?.(c.req.raw));
    const serveConsole = async (c: Context<Served>) => (await (teamPage?.serve(c.req.raw, callers) ?? opened(c))) ?? notFound();
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
    const tooMany = await callers.arrive(nameOf(caller));
    if (tooMany !== undefined) return refused(tooMany);
    c.set("caller", caller);
    const authorization = c.req.header("authorization");
    const again = new Request(c.req.url, { headers: authorization === undefined ? {} : { authorization } });
    c.set("isAllowed", async () => {
      const now = await access.authenticate(again);
      // As long as that cannot be verified, what was true counts.
      return now instanceof Response ? now.status === 503 : nameOf(now) === nameOf(caller);
    });
    return next();
  });
  app.post(
    PATH,
    async (c, next) => {
      const encoding = c.req.header("content-encoding") || IDENTITY;
      // A few bytes could decompress to gigabytes, and no known host compresses requests.
      if (encoding.toLowerCase() !== IDENTITY)
        return refused({
          status: 415,
          message: "Content-Encoding is not supported: send the body uncompressed",
          headers: { "accept-encoding": IDENTITY },
        });
      if (isJsonContentType(c.req.header("content-type"))) return next();
      return refused({ status: 415, message: "Content-Type must be application/json" });
    },
    (c: Context<Served>) => {
      const { caller, isAllowed, record } = c.var;
      return serveMcp({ request: c.req.raw, bytes: readBody(c.req.raw), exchange: c.env.exchange, caller, isAllowed, record }, serving);
    },
  );
  app.all(PATH, () => refused({ status: 405, message: "Method not allowed: use POST", headers: { allow: "POST" } }));
  app.notFound(notFound);
  return app;
}
