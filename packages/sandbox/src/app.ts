import { type OperationName, operations, pathOf, type ServerName } from "@fleetwire/core";
import { type Context, Hono } from "hono";
import { createJob } from "./handlers/create-job.ts";
import { listLivePositions } from "./handlers/list-live-positions.ts";
import { listVehicleFaults } from "./handlers/list-vehicle-faults.ts";
import { queryTachoActivity } from "./handlers/query-tacho-activity.ts";
import { listJobs, listTireEvents } from "./handlers/undocumented-lists.ts";
import { updateGroup } from "./handlers/update-group.ts";
import { type Authenticator, authenticate } from "./service/credentials.ts";
import { type Connection, ConnectionReset, faultInjector, type RequestedFault } from "./service/fault-injection.ts";
import type { Call, Customer, Handler } from "./service/handler.ts";
import { jsonResponse, Refusal, refusalResponse, refuse } from "./service/refusal.ts";
import { readBody, readBytes, sentInput, validInput } from "./service/request-input.ts";

/** The path of each server under the sandbox's origin. All except the API host have a prefix, as in real deployments. */
export const SERVER_PREFIXES: Record<ServerName, string> = {
  base: "/core",
  fleet: "/fleet",
  apiHost: "",
  job: "/jobs-service",
  tacho: "/tacho",
  auth: "/auth",
};

const UPLOAD = `${SERVER_PREFIXES.job}/uploads/:id`;

interface Service extends Pick<Call, "uploads" | "duplicateJobs"> {
  readonly customers: readonly Customer[];
  readonly authenticator: Authenticator;
  readonly clock: () => number;
  /** Seed that determines which requests get faults. */
  readonly seed: number;
  /** The faults to inject into all requests now. */
  readonly faults: () => readonly RequestedFault[];
}

/** Exchanges Basic credentials for an access token (interface 5.2). */
const requestAccessToken: Handler = ({ customer, now, sent, tokens }) => {
  const { grant_type: grant } = validInput(operations.requestAccessToken, sent);
  if (grant === undefined) throw refuse(400, "invalid", "grant_type must be client_credentials", "grant_type");
  const accessToken = tokens.issue(customer.ordinal, now);
  const token = { success: true, accessToken, token_type: "bearer", expires_in: tokens.lifetime };
  return jsonResponse(token, 200, { "Cache-Control": "no-store" });
};

const handlers: Readonly<Record<OperationName, Handler>> = {
  requestAccessToken,
  updateGroup,
  listVehicleFaults,
  listLivePositions,
  createJob,
  queryTachoActivity,
  listTireEvents,
  listJobs,
};

/** The operations by path, sorted so that literal segments precede placeholders, which would match them too. */
function routes(): [string, OperationName[]][] {
  const names = new Map<string, OperationName[]>();
  for (const name of Object.keys(operations) as OperationName[]) {
    const path = pathOf(operations[name], {}, (_, placeholder) => `:${placeholder}`);
    for (const server of operations[name].servers) {
      const route = SERVER_PREFIXES[server] + path;
      names.set(route, [...(names.get(route) ?? []), name]);
    }
  }
  const inOrder = (route: string) => route.replace(/:\w+/g, "\uffff");
  return [...names].sort(([one], [other]) => (inOrder(one) < inOrder(other) ? -1 : 1));
}

/** Handles every request in the interface, and responds to all others with an error in the interface's shape. */
export function createApp(service: Service): (request: Request, connection: Connection) => Promise<Response> {
  const { customers, authenticator, clock, uploads, duplicateJobs, seed, faults } = service;
  const withFaults = faultInjector(seed, faults);
  const app = new Hono<{ Bindings: Connection }>();

  const respond = async (name: OperationName, { req }: Context<{ Bindings: Connection }>): Promise<Response> => {
    const operation = operations[name];
    try {
      const now = Math.floor(clock());
      const url = new URL(req.url);
      const segments = req.param() as Record<string, string>;
      const customer = customers[authenticate(req.raw.headers, operation.auth, authenticator, now)];
      if (!customer || (segments["customerId"] ?? customer.id) !== customer.id)
        throw refuse(403, "forbidden", "These credentials do not belong to this customer");
      const body = operation.contentType === undefined ? undefined : await readBody(req.raw, operation.contentType);
      const sent = sentInput(operation, segments, url.searchParams, body);
      const jobUrl = `${url.origin}${SERVER_PREFIXES.job}`;
      return handlers[name]({ customer, sent, now, tokens: authenticator.tokens, uploads, duplicateJobs, jobUrl });
    } catch (error) {
      if (error instanceof Refusal) return refusalResponse(error, operation.errors);
      throw error;
    }
  };

  for (const [path, names] of routes()) {
    for (const name of names)
      app.on(operations[name].method, path, (c) => {
        c.env.identify?.(name);
        return withFaults({ operation: name, request: c.req.raw, connection: c.env, now: clock() }, () => respond(name, c));
      });
    const methods = names.map((name) => operations[name].method);
    app.all(path, () => {
      const message = `This path supports only ${methods.join(" and ")}`;
      throw new Refusal(405, [{ name: "wrongMethod", message }], { Allow: methods.join(", ") });
    });
  }
  app.put(UPLOAD, async ({ req }) => {
    const mediaType = req.header("content-type") ?? "application/octet-stream";
    if (!uploads.put(req.param("id") ?? "", await readBytes(req.raw), mediaType))
      throw refuse(404, "notFound", "No upload is expected here");
    return new Response(null, { status: 204 });
  });
  app.get(UPLOAD, ({ req }) => {
    const file = uploads.get(req.param("id") ?? "");
    if (!file) throw refuse(404, "notFound", "Nothing was uploaded here");
    return new Response(file.bytes, { headers: { "Content-Type": file.mediaType, "X-Content-Type-Options": "nosniff" } });
  });
  app.notFound(() => refusalResponse(refuse(404, "notFound", "Nothing is served at this path")));
  app.onError((error) => {
    if (error instanceof ConnectionReset) throw error;
    const defect = refuse(500, "failed", "The sandbox failed to respond; this is a bug in the sandbox");
    return refusalResponse(error instanceof Refusal ? error : defect);
  });
  return async (request, connection) => app.fetch(request, connection);
}
