import { type Operation, type OperationName, operations, pathOf, type ServerName } from "@fleetwire/core";
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

interface Route {
  /** The segments of its path; placeholders start with a colon. */
  readonly segments: readonly string[];
  readonly endpoints: Endpoint[];
}

/** The endpoints by route, sorted so that literal segments precede placeholders, which would match them too. */
function routesOf(endpoints: readonly Endpoint[]): Route[] {
  const routes = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) {
    const path = pathOf(endpoint.operation, {}, (_, name) => `:${name}`);
    for (const server of endpoint.operation.servers) {
      const route = SERVER_PREFIXES[server] + path;
      routes.set(route, [...(routes.get(route) ?? []), endpoint]);
    }
  }
  const inOrder = (route: string) => route.replace(/:\w+/g, "\uffff");
  return [...routes]
    .sort(([a], [b]) => (inOrder(a) < inOrder(b) ? -1 : 1))
    .map(([route, served]) => ({ segments: route.split("/"), endpoints: served }));
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The values of a route's placeholders, or undefined if a path does not match. */
function valuesIn(path: readonly string[], { segments }: Pick<Route, "segments">): Record<string, string> | undefined {
  const matches = (segment: string, at: number) => (segment.startsWith(":") ? path[at] !== "" : path[at] === segment);
  if (path.length !== segments.length || !segments.every(matches)) return undefined;
  const placeholders = segments.flatMap((segment, at) => (segment.startsWith(":") ? [[segment.slice(1), path[at]]] : []));
  return Object.fromEntries(placeholders);
}

const UPLOAD = { segments: `${SERVER_PREFIXES.job}/uploads/:id`.split("/") };

type App = (request: Request, connection?: Connection) => Promise<Response>;

/** Handles every request in the interface, and responds to all others with an error in the interface's shape. */
export function createApp(service: Service, endpoints: readonly Endpoint[] = interfaceEndpoints): App {
  const { customers, authenticator, clock, maxBodyBytes, limits, duplicateJobs, seed, faults } = service;
  const routes = routesOf(endpoints);
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

  const handleUpload = async (request: Request, method: string, id: string): Promise<Response> => {
    if (method === "PUT") {
      const mediaType = request.headers.get("content-type") ?? "application/octet-stream";
      if (!uploads.put(id, await readBytes(request, maxBodyBytes), mediaType)) throw refuse(404, "notFound", "No upload is expected here");
      return new Response(null, { status: 204 });
    }
    const file = method === "GET" ? uploads.get(id) : undefined;
    if (!file) throw refuse(404, "notFound", "Nothing was uploaded here");
    return new Response(new Uint8Array(file.bytes), { headers: { "Content-Type": file.mediaType, "X-Content-Type-Options": "nosniff" } });
  };

  const handle = async (request: Request, method: string, connection: Connection): Promise<Response> => {
    const path = new URL(request.url).pathname.split("/").map(decoded);
    for (const route of routes) {
      const values = valuesIn(path, route);
      if (!values) continue;
      const endpoint = route.endpoints.find(({ operation }) => operation.method === method);
      if (!endpoint) {
        const methods = route.endpoints.map(({ operation }) => operation.method);
        const message = `This path supports only ${methods.join(" and ")}`;
        throw new Refusal(405, [{ name: "wrongMethod", message }], { Allow: methods.join(", ") });
      }
      const { name } = endpoint.operation;
      connection.identify?.(name);
      const faultContext = { operation: name, request, connection, now: clock() };
      return withFaults(faultContext, faults(), dice, () => respond(endpoint, request, values));
    }
    const upload = valuesIn(path, UPLOAD);
    if (upload) return handleUpload(request, method, upload["id"] ?? "");
    throw refuse(404, "notFound", "Nothing is served at this path");
  };

  return async (request, connection = {}) => {
    const isHead = request.method === "HEAD";
    const response = await handle(request, isHead ? "GET" : request.method, connection).catch((error: unknown) => {
      if (error instanceof ConnectionReset) throw error;
      const defect = refuse(500, "failed", "The sandbox failed to respond; this is a bug in the sandbox");
      return refusalResponse(error instanceof Refusal ? error : defect);
    });
    return isHead ? new Response(null, response) : response;
  };
}
