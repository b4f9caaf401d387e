import { type CallHooks, type FleetClient, FleetError, operations } from "@fleetwire/core";
import type { FleetTools, WriteStore } from "@fleetwire/tools";
import { instructionsFor } from "@fleetwire/tools/host";
import { createMcpHandler, type McpHttpHandler, type McpServerFactory } from "@modelcontextprotocol/server";
import { MAX_MESSAGE_BYTES } from "../limits.ts";
import type { ServerLog } from "../log.ts";
import type { RequestObserver } from "../mcp/around.ts";
import { createServedTools } from "../mcp/create-served-tools.ts";
import type { ServedTools } from "../mcp/served-tools.ts";
import { type ServerFactory, serverFactoryOf } from "../mcp/server-factory.ts";
import type { Subscriptions } from "../mcp/subscriptions.ts";
import type { ServerConfig } from "../server-config.ts";
import { jsonResponder } from "./json-response.ts";

export type HttpFactory = McpServerFactory & Partial<Pick<ServerFactory, "subscriptions" | "writesSettled">>;

/** The tools of one customer, as served to callers with certain scopes. */
interface Endpoint {
  mcp: McpHttpHandler;
  /** Serves a request of an older revision that gets only its result. */
  respondInJson: McpHttpHandler["fetch"];
  subscriptions: Subscriptions | undefined;
  detach: (() => void) | undefined;
  writesSettled: HttpFactory["writesSettled"];
}

/** Responds to requests for the console's page, its assets and its data; returns undefined for any other. */
export type PageHandler = (request: Request) => Promise<Response | undefined>;

/** The console of one fleet. */
export interface FleetPage {
  handler: PageHandler;
  /** Ends the watch whose events it shows. */
  endEvents?: (() => void) | undefined;
  /** Record the client's requests to the service, without their arguments. */
  hooks: CallHooks;
}

interface Customer {
  config: ServerConfig;
  version: string;
  /** The name in the tenants file, if there is one. */
  tenant?: string | undefined;
  createClient: (hooks: CallHooks) => FleetClient;
  /** Creates the page that shows the fleet as these tools see it. */
  createPage?: (tools: () => Pick<FleetTools, "tools">) => FleetPage;
  /** Observes the requests of callers. */
  observer?: RequestObserver | undefined;
  /** Coordinates writes with other processes. */
  writeStore?: WriteStore | undefined;
}

/** A customer, or what an embedding program serves in its place. */
export type FleetOptions = { log: ServerLog; maxSubscriptions: number } & (Customer | { factory: HttpFactory });

const PROBE_MS = 5_000;

/** Leaves out the tools that write, for callers who may only read. They share the live view and the cache with callers who may write. */
function readOnlyTools(tools: ServedTools, config: ServerConfig): ServedTools {
  const reads = tools.tools.filter(({ effect }) => effect === "read");
  return {
    ...tools,
    tools: reads,
    byName: new Map(reads.map((tool) => [tool.name, tool])),
    instructions: instructionsFor(reads, config),
    withheld: tools.tools.filter(({ effect }) => effect !== "read"),
  };
}

/**
 * Everything of one customer: a client, a live view, confirmations and subscriptions of its own, which no other customer's callers reach. The client
 * and tools are created by the first call: most of many customers are idle.
 */
export class Fleet {
  /** The customer, as it appears in the log; undefined if the embedding program does not name it. */
  readonly customer: string | undefined;
  /** The name in the tenants file, if there is one. */
  readonly tenant: string | undefined;
  /** Serves the console of the fleet. */
  readonly page: PageHandler | undefined;
  readonly #options: FleetOptions;
  readonly #of: Customer | undefined;
  readonly #page: FleetPage | undefined;
  readonly #endpoints = new Map<boolean, Endpoint>();
  #client: FleetClient | undefined;
  #tools: ReturnType<typeof createServedTools> | undefined;
  #onResponse: CallHooks["onResponse"];

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#of = "config" in options ? options : undefined;
    this.#page = this.#of?.createPage?.(() => this.#toolsOf(this.#of as Customer));
    this.customer = this.#of?.config.customerId;
    this.tenant = this.#of?.tenant;
    this.page = this.#page?.handler;
  }

  #clientOf({ createClient }: Customer): FleetClient {
    const hooks = this.#page?.hooks;
    this.#client ??= createClient({
      ...hooks,
      onResponse: (event) => {
        hooks?.onResponse?.(event);
        this.#onResponse?.(event);
      },
    });
    return this.#client;
  }

  #toolsOf(of: Customer): ReturnType<typeof createServedTools> {
    const { config, writeStore } = of;
    this.#tools ??= createServedTools({ fleet: this.#clientOf(of), config, log: this.#options.log, writeStore });
    return this.#tools;
  }

  #factory(canWrite: boolean): HttpFactory {
    if ("factory" in this.#options) return this.#options.factory;
    const { config, version, observer } = this.#options;
    const tools = this.#toolsOf(this.#options);
    return serverFactoryOf(canWrite ? tools : readOnlyTools(tools, config), config, version, observer);
  }

  /** Returns what to serve to callers who may write, or to those who may not. */
  endpoint(canWrite: boolean): Endpoint {
    const existing = this.#endpoints.get(canWrite);
    if (existing) return existing;
    const { log, maxSubscriptions } = this.#options;
    const factory = this.#factory(canWrite);
    const onerror = ({ name }: Error) => log.warn({ customer: this.customer, tenant: this.tenant, error: name }, "protocol");
    const mcp = createMcpHandler(factory, { onerror, maxRequestBodySize: MAX_MESSAGE_BYTES, maxSubscriptions });
    const { subscriptions, writesSettled } = factory;
    const detach = subscriptions?.attach((uri) => mcp.notify.resourceUpdated(uri));
    const endpoint = { mcp, respondInJson: jsonResponder(factory), subscriptions, detach, writesSettled };
    this.#endpoints.set(canWrite, endpoint);
    return endpoint;
  }

  /** Tries the credentials. */
  async probe(): Promise<void> {
    if (!this.#of) return;
    try {
      // A read: requesting an access token could invalidate the one in use.
      const input = operations.listLivePositions.probe?.({ now: new Date() });
      await this.#clientOf(this.#of).listLivePositions(input, { timeout: PROBE_MS, retries: 0 });
    } catch (error) {
      // Any list of positions proves that the service responds.
      if (!(error instanceof FleetError && error.code === "contract")) throw error;
    }
  }

  /** Reports how each request to the service ended. */
  watchService(listener: CallHooks["onResponse"]): void {
    this.#onResponse = listener;
  }

  /** Age of the live view in milliseconds, while questions keep it current. */
  viewAge(): number | undefined {
    return this.#tools?.viewAge();
  }

  /** Resolves once no write is in flight. */
  async writesSettled(): Promise<void> {
    await Promise.all([...this.#endpoints.values()].map((endpoint) => endpoint.writesSettled?.()));
  }

  /** Ends subscriptions, so that no caller keeps waiting for changes. */
  detach(): void {
    for (const { detach } of this.#endpoints.values()) detach?.();
    this.#page?.endEvents?.();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#endpoints.values()].map(({ mcp }) => mcp.close()));
  }
}

/** Returns the fleets by the callers that have access to them. Each fleet is created only once. */
export const fleetsByCaller = <Tenant extends { callers: readonly string[] }>(
  tenants: readonly Tenant[],
  open: (tenant: Tenant) => Fleet,
): ReadonlyMap<string, Fleet> =>
  new Map(
    tenants.flatMap((tenant) => {
      const fleet = open(tenant);
      return tenant.callers.map((caller) => [caller, fleet] as const);
    }),
  );
