import { type Operation, type OperationName, operations, pathOf, type ServerName } from "@fleetwire/core";
import { Hono } from "hono";
import { handlers } from "./handlers/index.ts";
import { type Authenticator, authenticate } from "./service/credentials.ts";
import type { Customer } from "./service/customers.ts";
import { type Connection, ConnectionReset, withFaults } from "./service/fault-injection.ts";
import { faultDice, type RequestedFault } from "./service/fault-plan.ts";
import type { DuplicateJobs, Handler } from "./service/handler.ts";
import type { StorageLimits } from "./service/job-store.ts";
import { pathParameters } from "./service/path-parameters.ts";
import { queryParameters } from "./service/query-parameters.ts";
import { Refusal, refusalResponse, refuse } from "./service/refusal.ts";
import { readBody, readBytes } from "./service/request-body.ts";
import { uploadStore } from "./service/upload-store.ts";

/** The path of each server under the sandbox's origin. All except the API host have a prefix, as in real deployments. */
export const SERVER_PREFIXES: Record<ServerName, string> = {
  base: "/core",
  fleet: "/fleet",
  apiHost: "",
  job: "/jobs-service",
  tacho: "/tacho",
  auth: "/auth",
};

const FILES_PER_JOB = 3;

interface Service {
  readonly customers: readonly Customer[];
  readonly authenticator: Authenticator;
  readonly clock: () => number;
  readonly maxBodyBytes: number;
  readonly limits: StorageLimits;
  readonly duplicateJobs: DuplicateJobs;
  /** Seed that determines which requests get faults. */
  readonly seed: number;
  /** The faults to inject into all requests now. */
  readonly faults: () => readonly RequestedFault[];
}

/** An operation and its handler. */
export interface Endpoint {
  readonly operation: Operation;
  readonly handler: Handler<never>;
}

const interfaceEndpoints: readonly Endpoint[] = (Object.keys(operations) as OperationName[]).map((name) => ({
  operation: operations[name],
  handler: handlers[name],
}));

/** The endpoints by route, sorted so that literal segments precede placeholders, which would match them too. */
function routesOf(endpoints: readonly Endpoint[]): [route: string, endpoints: Endpoint[]][] {
  const routes = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) {
    const path = pathOf(endpoint.operation, {}, (_, name) => `:${name}`);
    for (const server of endpoint.operation.servers) {
      const route = SERVER_PREFIXES[server] + path;
      routes.set(route, [...(routes.get(route) ?? []), endpoint]);
    }
  }
  const inOrder = (route: string) => route.replace(/:\w+/g, "\uffff");
  return [...routes].sort(([a], [b]) => (inOrder(a) < inOrder(b) ? -1 : 1));
}

/** Handles every request in the interface, and responds to all others with an error in the interface's shape. */
export function createApp(service: Service, endpoints: readonly Endpoint[] = interfaceEndpoints): Hono<{ Bindings: Connection }> {
  const { customers, authenticator, clock, maxBodyBytes, limits, duplicateJobs, seed, faults } = service;
  const app = new Hono<{ Bindings: Connection }>();
  const dice = faultDice(seed);
  const uploads = uploadStore(limits.maxJobs * FILES_PER_JOB, limits.maxStoredBytes);

  const respond = async ({ operation, handler }: Endpoint, request: Request, segments: Record<string, string>): Promise<Response> => {
    try {
      const now = Math.floor(clock());
      const url = new URL(request.url);
      const customer = customers[authenticate(request.headers, operation.auth, authenticator, now)];
      if (!customer || (segments["customerId"] ?? customer.id) !== customer.id)
        throw refuse(403, "forbidden", "These credentials do not belong to this customer");
      const path = pathParameters(operation, segments) as never;
      const body = operation.contentType === undefined ? undefined : await readBody(request, operation.contentType, maxBodyBytes);
      const jobUrl = `${url.origin}${SERVER_PREFIXES.job}`;
      const query = queryParameters(url);
      return await handler({ customer, url, path, query, body, now, tokens: authenticator.tokens, uploads, duplicateJobs, jobUrl });
    } catch (error) {
      if (error instanceof Refusal) return refusalResponse(error, operation.errors);
      throw error;
    }
  };

  for (const [route, served] of routesOf(endpoints)) {
    for (const endpoint of served) {
      app.on(endpoint.operation.method, route, (context) => {
        const request = context.req.raw;
        context.env?.identify?.(endpoint.operation.name);
        const faultContext = { operation: endpoint.operation.name, request, connection: context.env ?? {}, now: clock() };
        return withFaults(faultContext, faults(), dice, (asked) => respond(endpoint, asked, context.req.param()));
      });
    }
    const methods = served.map(({ operation }) => operation.method);
    const message = `This path supports only ${methods.join(" and ")}`;
    app.all(route, () => refusalResponse(new Refusal(405, [{ name: "wrongMethod", message }], { Allow: methods.join(", ") })));
  }

  app.put(`${SERVER_PREFIXES.job}/uploads/:id`, async (context) => {
    const mediaType = context.req.header("content-type") ?? "application/octet-stream";
    const isStored = uploads.put(context.req.param("id"), await readBytes(context.req.raw, maxBodyBytes), mediaType);
    if (!isStored) throw refuse(404, "notFound", "No upload is expected here");
    return new Response(null, { status: 204 });
  });
  app.get(`${SERVER_PREFIXES.job}/uploads/:id`, (context) => {
    const file = uploads.get(context.req.param("id"));
    if (!file) throw refuse(404, "notFound", "Nothing was uploaded here");
    return new Response(new Uint8Array(file.bytes), { headers: { "Content-Type": file.mediaType, "X-Content-Type-Options": "nosniff" } });
  });

  app.notFound(() => refusalResponse(refuse(404, "notFound", "Nothing is served at this path")));
  app.onError((error) => {
    if (error instanceof ConnectionReset) throw error;
    const defect = refuse(500, "failed", "The sandbox failed to respond; this is a bug in the sandbox");
    return refusalResponse(error instanceof Refusal ? error : defect);
  });
  return app;
}
