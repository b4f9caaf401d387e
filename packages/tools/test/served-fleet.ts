import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type Operation, type OperationName, operations } from "@fleetwire/core";
import { onTestFinished } from "vitest";
import {
  createFleetTools,
  type FleetToolResult,
  type FleetTools,
  type FleetToolsConfig,
  type FleetToolsOptions,
  fleetToolsConfigFromEnv,
} from "../src/index.ts";

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

export const NOW = Date.parse("2026-11-20T08:34:00Z");

interface Setup {
  /** What the service responds, by operation. */
  script?: Script;
  /** Overrides of the full configuration; undefined removes a variable. */
  env?: Record<string, string | undefined>;
  config?: Partial<FleetToolsConfig>;
  options?: FleetToolsOptions;
}

type Args = Record<string, unknown>;

export interface ServedFleet {
  tools: FleetTools;
  service: FleetService;
  call: (tool: string, args?: Args) => Promise<FleetToolResult>;
  /** The text of a call that must succeed. */
  text: (tool: string, args?: Args) => Promise<string>;
  /** The record of a call that must succeed, with the rows of a list as `items`, each with its values by column. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects there
  record: (tool: string, args?: Args) => Promise<any>;
  /** The rows of all pages of a list. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects there
  allItems: (tool: string, args?: Args) => Promise<any[]>;
  /** The question of a call whose name is ambiguous or unknown. */
  question: (tool: string, args?: Args) => Promise<string>;
  /** The error text of a call that must fail. */
  failure: (tool: string, args?: Args) => Promise<string>;
  /** Tools of another process for the same service. */
  another: (config?: Partial<FleetToolsConfig>, options?: FleetToolsOptions) => FleetTools;
}

/** The rows of a list, each with its values by column. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects there
export function withItems({ columns, rows, ...record }: Record<string, unknown>): any {
  if (!Array.isArray(columns) || !Array.isArray(rows)) return { columns, rows, ...record };
  const items = (rows as unknown[][]).map((row) =>
    Object.fromEntries(columns.flatMap((column, at) => (row[at] === null ? [] : [[column, row[at]]]))),
  );
  return { ...record, columns, items };
}

/** Tools for a service with scripted responses, over HTTP. Writes are sent at once, and nothing is cached, unless `env` says so. */
export async function servedFleet({ script = {}, env = {}, config = {}, options = {} }: Setup = {}): Promise<ServedFleet> {
  const service = await fleetService(script, undefined, CUSTOMER, options.operations);
  const { origin } = service;
  const settings = fleetToolsConfigFromEnv({
    ...{ FLEET_CUSTOMER_ID: CUSTOMER, FLEET_CLIENT_ID: "client", FLEET_CLIENT_SECRET: "secret" },
    ...{ FLEET_BASE_URL: origin, FLEET_API_HOST: origin, FLEET_JOB_URL: origin, FLEET_TACHO_URL: origin, FLEET_AUTH_URL: origin },
    ...{ FLEET_TIME_ZONE: "UTC", FLEET_CONFIRM: "never", FLEET_SNAPSHOT_SECONDS: "0" },
    ...env,
  });
  const another: ServedFleet["another"] = (other = {}, own = {}) =>
    createFleetTools({ ...settings, retries: 0, ...config, ...other }, { now: () => NOW, ...options, ...own });
  const tools = another();
  const call: ServedFleet["call"] = (tool, args = {}) => tools.call(tool, args);
  const succeeded = async (tool: string, args?: Args) => {
    const result = await call(tool, args);
    if (!result.ok) throw new Error(`${tool} failed: ${result.text}`);
    return result;
  };
  const record: ServedFleet["record"] = async (tool, args) => withItems((await succeeded(tool, args)).structured);
  return {
    tools,
    service,
    another,
    call,
    text: async (tool, args) => (await succeeded(tool, args)).text,
    record,
    allItems: async (tool, args) => {
      const all: unknown[] = [];
      for (let cursor: string | undefined | null = null; cursor !== undefined; ) {
        const { items, next } = await record(tool, { ...args, ...(cursor !== null && { cursor }) });
        all.push(...items);
        cursor = next;
      }
      return all;
    },
    question: async (tool, args) => {
      const { text, structured } = await succeeded(tool, args);
      const { result } = structured;
      if (result !== "ambiguous" && result !== "notFound") throw new Error(`${tool} asked nothing: ${text}`);
      return text;
    },
    failure: async (tool, args) => {
      const result = await call(tool, args);
      if (result.ok) throw new Error(`${tool} did not fail: ${result.text}`);
      return result.text;
    },
  };
}
