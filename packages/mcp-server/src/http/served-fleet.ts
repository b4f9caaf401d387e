import type { ResponseEvent } from "@fleetwire/core";
import { createMcpHandler, type McpHttpHandler, type McpServerFactory } from "@modelcontextprotocol/server";
import { MAX_MESSAGE_BYTES } from "../limits.ts";
import type { ServerFactory } from "../mcp/server-factory.ts";
import type { Subscriptions } from "../mcp/subscriptions.ts";
import { jsonResponder } from "./json-response.ts";

export type HttpFactory = McpServerFactory & Partial<Pick<ServerFactory, "subscriptions" | "writesSettled">>;

/** The tools of one customer, as served to callers with certain scopes. */
interface Endpoint {
  mcp: McpHttpHandler;
  /** Serves a request of an older revision that gets only its result. */
  respondInJson: McpHttpHandler["fetch"];
  subscriptions: Subscriptions | undefined;
}

/** Responds to requests for the console's page, its assets and its data; returns undefined for any other. */
export type PageHandler = (request: Request) => Promise<Response | undefined>;

/** One customer's fleet. It has a client, a live view, confirmations and subscriptions of its own, which no other customer's callers reach. */
export interface ServedFleet {
  /** The customer, as it appears in the log; undefined if the embedding program does not name it. */
  customer: string | undefined;
  /** The name in the tenants file, if there is one. */
  tenant: string | undefined;
  /** Returns what to serve to callers who may write, or to those who may not. */
  endpoint: (canWrite: boolean) => Endpoint;
  /** Serves the console of the fleet. */
  page?: PageHandler | undefined;
  /** Tries the credentials. */
  probe: () => Promise<void>;
  /** Reports how each request to the service ended. */
  watchService: (listener: (event: ResponseEvent) => void) => void;
  /** Age of the live view in milliseconds, while questions keep it current. */
  viewAge: () => number | undefined;
  /** Resolves once no write is in flight. */
  writesSettled: () => Promise<void>;
  /** Ends subscriptions, so that no caller keeps waiting for changes. */
  detach: () => void;
  close: () => Promise<void>;
}

interface ServedFleetOptions {
  customer?: string | undefined;
  tenant?: string | undefined;
  /** Creates the server factory for callers who may write, or for those who may not; called once for each, on first use. */
  factory: (canWrite: boolean) => HttpFactory;
  page?: PageHandler | undefined;
  probe?: () => Promise<void>;
  watchService?: ServedFleet["watchService"];
  viewAge?: ServedFleet["viewAge"];
  endEvents?: (() => void) | undefined;
  onerror: (error: Error) => void;
  maxSubscriptions: number;
}

export function serveFleet({
  customer,
  tenant,
  factory,
  page,
  probe = async () => {},
  watchService = () => {},
  viewAge = () => undefined,
  endEvents = () => {},
  onerror,
  maxSubscriptions,
}: ServedFleetOptions): ServedFleet {
  const endpoints = new Map<boolean, Endpoint & { detach: (() => void) | undefined; factory: HttpFactory }>();
  const open = (canWrite: boolean) => {
    const created = factory(canWrite);
    const mcp = createMcpHandler(created, { onerror, maxRequestBodySize: MAX_MESSAGE_BYTES, maxSubscriptions });
    const { subscriptions } = created;
    const detach = subscriptions?.attach((uri) => mcp.notify.resourceUpdated(uri));
    const endpoint = { mcp, respondInJson: jsonResponder(created), subscriptions, detach, factory: created };
    endpoints.set(canWrite, endpoint);
    return endpoint;
  };
  const all = () => [...endpoints.values()];
  return {
    customer,
    tenant,
    endpoint: (canWrite) => endpoints.get(canWrite) ?? open(canWrite),
    page,
    probe,
    watchService,
    viewAge,
    writesSettled: async () => {
      await Promise.all(all().map((endpoint) => endpoint.factory.writesSettled?.()));
    },
    detach: () => {
      for (const { detach } of all()) detach?.();
      endEvents();
    },
    close: async () => {
      await Promise.all(all().map(({ mcp }) => mcp.close()));
    },
  };
}
