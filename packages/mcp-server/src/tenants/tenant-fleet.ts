import { FleetError, operations } from "@fleetwire/core";
import { createFleet } from "../cli/create-fleet.ts";
import { createServedTools } from "../create-served-tools.ts";
import { type ServedFleet, serveFleet } from "../http/served-fleet.ts";
import type { ServerLog } from "../log.ts";
import { readOnlyTools } from "../mcp/read-only-tools.ts";
import type { ServedTools } from "../mcp/served-tools.ts";
import { serverFactoryOf } from "../mcp/server-factory.ts";
import type { ServerConfig } from "../server-config.ts";

const PROBE_MS = 5_000;

interface TenantFleetOptions {
  tenant?: string | undefined;
  config: ServerConfig;
  log: ServerLog;
  version: string;
  maxSubscriptions: number;
}

/** Serves one customer's fleet. Its client and tools are created when it is first called: most of many customers are idle. */
export function tenantFleet({ tenant, config, log, version, maxSubscriptions }: TenantFleetOptions): ServedFleet {
  let client: ReturnType<typeof createFleet> | undefined;
  let tools: ServedTools | undefined;
  const clientOf = () => {
    client ??= createFleet(config, log);
    return client;
  };
  const toolsOf = () => {
    tools ??= createServedTools({ fleet: clientOf(), config, log });
    return tools;
  };
  return serveFleet({
    customer: config.customerId,
    tenant,
    factory: (canWrite) => serverFactoryOf(canWrite ? toolsOf() : readOnlyTools(toolsOf(), config), config, version),
    probe: async () => {
      const input = operations.listLivePositions.probe?.({ now: new Date() });
      try {
        // A read: requesting an access token could invalidate the one in use.
        await clientOf().listLivePositions(input, { timeout: PROBE_MS, retries: 0 });
      } catch (error) {
        // Proof that the service responds, whatever it says of the positions.
        if (!(error instanceof FleetError && error.code === "contract")) throw error;
      }
    },
    onerror: ({ name }) => log.warn({ customer: config.customerId, tenant, error: name }, "protocol"),
    maxSubscriptions,
  });
}
