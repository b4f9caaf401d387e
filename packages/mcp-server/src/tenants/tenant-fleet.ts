import { type CallHooks, type FleetClient, FleetError, operations } from "@fleetwire/core";
import type { FleetTools, WriteStore } from "@fleetwire/tools";
import { instructionsFor } from "@fleetwire/tools/host";
import type { FleetPage } from "../http/console.ts";
import { type ServedFleet, serveFleet } from "../http/served-fleet.ts";
import type { ServerLog } from "../log.ts";
import type { RequestObserver } from "../mcp/around.ts";
import { createServedTools } from "../mcp/create-served-tools.ts";
import type { ServedTools } from "../mcp/served-tools.ts";
import { serverFactoryOf } from "../mcp/server-factory.ts";
import type { ServerConfig } from "../server-config.ts";

const PROBE_MS = 5_000;

interface TenantFleetOptions {
  tenant?: string | undefined;
  config: ServerConfig;
  createClient: (config: ServerConfig, log: ServerLog, hooks?: CallHooks) => FleetClient;
  /** Creates the page that shows the fleet as these tools see it. */
  createPage?: (tools: () => Pick<FleetTools, "tools">, config: ServerConfig) => FleetPage;
  /** Observes the requests of callers. */
  observer?: RequestObserver | undefined;
  log: ServerLog;
  version: string;
  maxSubscriptions: number;
  /** Coordinates writes with other processes. */
  writeStore?: WriteStore | undefined;
}

/** Returns the fleets by the callers that have access to them. Each fleet is created only once. */
export const fleetsByCaller = <Tenant extends { callers: readonly string[] }>(
  tenants: readonly Tenant[],
  serve: (tenant: Tenant) => ServedFleet,
): ReadonlyMap<string, ServedFleet> =>
  new Map(
    tenants.flatMap((tenant) => {
      const fleet = serve(tenant);
      return tenant.callers.map((caller) => [caller, fleet] as const);
    }),
  );

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

/** Serves one customer's fleet. Its client and tools are created when it is first called: most of many customers are idle. */
export function tenantFleet({
  tenant,
  config,
  createClient,
  createPage,
  observer,
  log,
  version,
  maxSubscriptions,
  writeStore,
}: TenantFleetOptions): ServedFleet {
  let client: FleetClient | undefined;
  let tools: ReturnType<typeof createServedTools> | undefined;
  const page = createPage?.(() => toolsOf(), config);
  let onResponse: CallHooks["onResponse"];
  const clientOf = () => {
    client ??= createClient(config, log, {
      ...page?.hooks,
      onResponse: (event) => {
        page?.hooks.onResponse?.(event);
        onResponse?.(event);
      },
    });
    return client;
  };
  const toolsOf = () => {
    tools ??= createServedTools({ fleet: clientOf(), config, log, writeStore });
    return tools;
  };
  return serveFleet({
    customer: config.customerId,
    tenant,
    factory: (canWrite) => serverFactoryOf(canWrite ? toolsOf() : readOnlyTools(toolsOf(), config), config, version, observer),
    page: page?.handler,
    probe: async () => {
      const input = operations.listLivePositions.probe?.({ now: new Date() });
      try {
        // A read: requesting an access token could invalidate the one in use.
        await clientOf().listLivePositions(input, { timeout: PROBE_MS, retries: 0 });
      } catch (error) {
        // Any list of positions proves that the service responds.
        if (!(error instanceof FleetError && error.code === "contract")) throw error;
      }
    },
    watchService: (listener) => {
      onResponse = listener;
    },
    viewAge: () => tools?.viewAge(),
    endEvents: page?.endEvents,
    onerror: ({ name }) => log.warn({ customer: config.customerId, tenant, error: name }, "protocol"),
    maxSubscriptions,
  });
}
