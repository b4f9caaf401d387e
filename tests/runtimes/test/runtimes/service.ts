import { Buffer } from "node:buffer";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createSandbox, type Sandbox } from "@fleetwire/sandbox";

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, POST, PUT",
  "access-control-allow-headers": "authorization, content-type, x-connect-token",
};

const BASIC = `Basic ${Buffer.from("clé:ß+secret", "utf8").toString("base64")}`;

interface ReceivedRequest {
  request: IncomingMessage;
  url: URL;
  body: string;
  /** Token requests and calls received under this prefix. */
  seen: { tokens: number; calls: number };
}

type Reply = readonly [status: number, body: unknown];

const hasBasic = ({ request }: ReceivedRequest) => request.headers.authorization === BASIC;
const hasBearer = ({ request, seen }: ReceivedRequest) => request.headers.authorization === `Bearer T${seen.tokens}`;
const hasToken = ({ request, seen }: ReceivedRequest) => request.headers["x-connect-token"] === `TOKEN T${seen.tokens}`;
const json = (received: ReceivedRequest) => JSON.parse(received.body) as Record<string, unknown>;
const when = (good: boolean, body: unknown): Reply => (good ? [200, body] : [418, { errorMessage: "does not match the interface" }]);

/** Responses to requests that match the interface; others get an undocumented status. */
const operations: Record<string, (received: ReceivedRequest) => Reply> = {
  "POST /vendor-oauth/oauth/accessToken": (received) => {
    received.seen.tokens++;
    const good = hasBasic(received) && received.body === "grant_type=client_credentials";
    return when(good, { success: true, accessToken: `T${received.seen.tokens}`, token_type: "bearer", expires_in: 3600 });
  },
  "PUT /public/v1/customer/c42/group": (received) => {
    const good = hasBasic(received) && received.request.headers["content-type"] === "application/json;charset=UTF-8";
    return when(good && received.body === '{"id":"g1","name":"Dépôt"}', { id: "g1", name: "Dépôt", path: "root.g1" });
  },
  "GET /public/v1/customer/c42/vehicle/faults": (received) => {
    const page = Number(received.url.searchParams.get("pageIndex") ?? 0);
    const good = hasBasic(received) && received.url.searchParams.get("startDate") === "2026-11-01T00:00:00";
    return when(good, { items: [{ id: `v${page}` }], pagination: { totalItems: 3, totalPages: 3, pageSize: 1, pageIndex: page } });
  },
  "GET /public/v1/customer/c42/tracking/live": (received) =>
    when(hasBasic(received) && /vehicleIds=v1,v2(&|$)/.test(received.url.search), [
      { assetName: "Truck 12", speed: 82.5 },
      { assetName: "Łódź ✓" },
    ]),
  "POST /jobs/job/create": (received) => {
    const { jobNumber, address } = json(received);
    return when(hasToken(received) && /^FW-\d{8}-[0-9A-Z]{10}$/.test(String(jobNumber)), { job: { jobId: "j1", jobNumber, address } });
  },
  "POST /bvfm/services/public/v1/customer/c42/tacho/activity": (received) => {
    const { startTime, endTime, skip = 0 } = json(received);
    const good = hasBearer(received) && startTime === "2026-11-19T00:00:00" && endTime === "2026-11-20T00:00:00";
    const drivers = [{ driverId: "p1" }, { driverId: "p2" }, { driverId: "p3" }];
    return when(good, { count: drivers.length, data: drivers.slice(Number(skip), Number(skip) + 2) });
  },
  "GET /public/v1/customer/c42/tire/events": (received) =>
    when(hasBearer(received) && received.url.search === "?a=1&b=x,y", { whatever: [1] }),
  "GET /job-management/v1/customer/c42/jobs": (received) => when(hasToken(received), "anything"),
};

/** A fixed clock for tools, since the sandbox's vehicles move with it. */
const NOW = Date.UTC(2026, 10, 20, 9);

const HEAD = { ...CORS, "content-type": "application/json" };

/** Prefixes under which every call ends in the same way. */
const misfortunes: Record<string, Reply | ((response: ServerResponse) => void)> = {
  "refused-list": [400, [{ errorCode: 7, errorMessage: "no such group", offendingFields: ["id"] }]],
  "refused-one": [409, { errorMessage: "name is taken" }],
  unauthorized: [401, ""],
  forbidden: [403, "<html>"],
  "not-found": [404, null],
  busy: [429, { errorMessage: "slower" }],
  failing: [503, "down"],
  teapot: [418, {}],
  "no-json": [200, "<html>"],
  "other-shape": [200, { positions: [] }],
  drifting: [200, [{ assetName: 5, altitude: 9, eventType: "flying", city: null }, "no record"]],
  exact: (response) => response.writeHead(200, HEAD).end('[{"serialNumber":9007199254740993},{"serialNumber":42}]'),
  redirecting: (response) => response.writeHead(302, { ...CORS, location: "/elsewhere" }).end(),
  silent: () => {},
  endless: (response) => response.writeHead(200, { ...HEAD, "content-length": "1000" }).write("["),
  streaming: (response) =>
    response
      .writeHead(200, HEAD)
      .write(`[${Array.from({ length: 9_000 }, (_, at) => `{"assetId":"v${at}","assetName":"Truck ${at}"}`).join()},`),
  truncated: (response) => response.writeHead(200, { ...HEAD, "content-length": "1000" }).write("[", () => response.destroy()),
  reset: (response) => (response.socket as Socket).resetAndDestroy(),
};

/** Forwards `/sandbox` to a sandbox; `/sandbox/env` returns its environment. */
async function fromSandbox(sandbox: Sandbox, path: string, { method = "", headers }: IncomingMessage, body: string) {
  if (path === "/env") {
    const env = Object.entries(sandbox.env).map(([name, value]) => [
      name,
      value.replace(/^https?:\/\/[^/]+/, `http://${headers.host}/sandbox`),
    ]);
    return Response.json(Object.fromEntries(env));
  }
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers))
    if (/^(authorization|content-type|x-connect-token)$/.test(name)) sent.set(name, String(value));
  return sandbox.fetch(new URL(path, "http://127.0.0.1"), { method, headers: sent, ...(body !== "" && { body }) });
}

/**
 * A service that implements the documented operations under any first path segment. Each segment has its own state, and some names make calls fail in
 * a certain way. `/sandbox` is a sandbox, `/PLACE/seen` returns the requests received under a segment, and `page` is served to browsers.
 */
export async function startService(page: string) {
  const memory = new Map<string, ReceivedRequest["seen"]>();
  const sandbox = createSandbox({ clock: () => NOW });
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    if (request.method === "OPTIONS") return response.writeHead(204, CORS).end();
    if (request.url === "/page") return response.writeHead(200, { "content-type": "text/html" }).end(page);
    const [, place = "", path = ""] = /^\/([^/]+)(\/.*)$/.exec(request.url ?? "") ?? [];
    if (place === "sandbox") {
      const reply = await fromSandbox(sandbox, path, request, body);
      return response.writeHead(reply.status, HEAD).end(await reply.text());
    }
    const url = new URL(path, "http://fleet.example");
    const seen = memory.get(place) ?? { tokens: 0, calls: 0 };
    memory.set(place, seen);
    if (path === "/seen") return response.writeHead(200, HEAD).end(JSON.stringify(seen));
    seen.calls++;
    const failure = misfortunes[place.replace(/-\d+$/, "")];
    if (typeof failure === "function") return failure(response);
    const [status, reply] = failure ?? operations[`${request.method} ${url.pathname}`]?.({ request, url, body, seen }) ?? [404, null];
    response.writeHead(status, HEAD).end(failure && typeof reply === "string" ? reply : JSON.stringify(reply));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
