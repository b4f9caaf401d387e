import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type Operation, type OperationName, operations } from "@fleetwire/core";
import { onTestFinished } from "vitest";

/** A received request. */
interface Received {
  operation: string | undefined;
  url: URL;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects there
  body: any;
  /** Called when the connection is closed. */
  closed: Promise<unknown>;
}

/** Takes what cleans up: `onTestFinished`, or what runs it after several tests. */
export type AtEnd = (cleanup: () => void) => void;

/** The response: a status (default 200) and a body, as JSON unless it is a string. `reset` breaks the connection; `silence` never responds. */
export type Reply = { status?: number; headers?: Record<string, string>; body?: unknown } | "reset" | "silence";

export type Responder = (request: Received) => Reply | Promise<Reply>;

/** Responses by operation, custom ones included. */
export type Script = { [Name in OperationName]?: Responder } & { [custom: string]: Responder | undefined };

export interface FleetService {
  origin: string;
  received: Received[];
  /** The requests of one operation. */
  of(operation: string): Received[];
  /** Changes the responses from now on. */
  script: Script;
}

export const CUSTOMER = "c42";

const routesOf = (customer: string, custom: readonly Operation[]) =>
  [...custom, ...Object.values<Operation>(operations)].map(({ name, method, path }) => ({
    name,
    line: new RegExp(`^${method} ${path.replace("{customerId}", customer).replace(/\{\w+\}/g, "[^/]+")}$`),
  }));

export const tokenReply: Reply = { body: { success: true, accessToken: "issued-token", token_type: "bearer", expires_in: 3600 } };

/** A list in pages of `pageSize`, as list_vehicle_faults reads it. */
export function faultPages(items: readonly unknown[]): Script {
  return {
    listVehicleFaults: ({ url }) => {
      const pageSize = Number(url.searchParams.get("pageSize"));
      const pageIndex = Number(url.searchParams.get("pageIndex"));
      const page = items.slice(pageIndex * pageSize, (pageIndex + 1) * pageSize);
      const pagination = { totalItems: items.length, totalPages: Math.ceil(items.length / pageSize), pageSize, pageIndex };
      return { body: { items: page, pagination } };
    },
  };
}

/** Driver entries by skip and limit, as query_tacho_activity reads them. */
export function tachoRecords(data: readonly unknown[]): Script {
  return { queryTachoActivity: ({ body: { skip, limit } }) => ({ body: { count: data.length, data: data.slice(skip, skip + limit) } }) };
}

function give(reply: Reply, response: ServerResponse): void {
  if (reply === "silence") return;
  if (reply === "reset") {
    (response.socket as Socket).resetAndDestroy();
    return;
  }
  const { status = 200, headers = {}, body = "" } = reply;
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Serves a script on a loopback port until the test ends, with every server of the interface at one origin. Concurrent tests pass the `onTestFinished` of
 * their context, tests that share a service what cleans up after the last.
 */
export async function fleetService(
  script: Script,
  atEnd: AtEnd = onTestFinished,
  customer: string = CUSTOMER,
  custom: readonly Operation[] = [],
): Promise<FleetService> {
  const routes = routesOf(customer, custom);
  const received: Received[] = [];
  const service: FleetService = {
    origin: "",
    received,
    of: (operation) => received.filter((request) => request.operation === operation),
    script: { requestAccessToken: () => tokenReply, ...script },
  };
  const server = createServer(async (message, response) => {
    let text = "";
    for await (const chunk of message.setEncoding("utf8")) text += chunk;
    const url = new URL(message.url ?? "/", service.origin);
    const operation = routes.find(({ line }) => line.test(`${message.method} ${url.pathname}`))?.name;
    const request = { operation, url, headers: message.headers, body: parsed(text), closed: once(response, "close") };
    received.push(request);
    const responder = operation && service.script[operation];
    give(
      responder ? await responder(request) : { status: 404, body: `the script has no response to ${message.method} ${url.pathname}` },
      response,
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  service.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return service;
}
