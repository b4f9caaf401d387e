import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { LivePosition } from "@fleetwire/core";

export interface FleetService {
  /** What the service currently lists. */
  positions: LivePosition[];
  env: Record<string, string>;
  close(): Promise<void>;
}

/** Serves live positions (interface 2.4) that a test can change. */
export async function startFleet(positions: LivePosition[]): Promise<FleetService> {
  const service = { positions };
  const server = createServer((_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(service.positions));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return Object.assign(service, {
    env: {
      FLEET_CUSTOMER_ID: "c42",
      FLEET_CLIENT_ID: "id",
      FLEET_CLIENT_SECRET: "canary-secret",
      FLEET_BASE_URL: `http://127.0.0.1:${port}`,
      FLEET_SNAPSHOT_SECONDS: "0",
      // A busy machine takes long to send a large fleet.
      FLEET_TIMEOUT: "60",
      FLEET_TIME_ZONE: "UTC",
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  });
}

/** A vehicle that has just reported from a depot near Lyon, with these changes. */
export const vehicle = (name: string, changes: Partial<LivePosition> = {}): LivePosition => ({
  assetId: name.toLowerCase().replace(/\W+/g, "-"),
  assetName: name,
  date: new Date().toISOString().replace(/\.\d+/, ""),
  eventType: "stopped",
  speed: 0,
  latitude: 45.76,
  longitude: 4.84,
  formattedAddress: "Quai Perrache 10, 69002, Lyon, France",
  driverName: "Ana Sousa",
  ...changes,
});
