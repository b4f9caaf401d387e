import { type FleetClient, FleetError } from "@fleetwire/core";
import type { ToolSettings } from "../tool.ts";
import { cachedClient } from "./cached-client.ts";
import { createFleetReader, type FleetReader } from "./fleet-view.ts";
import { maskedClient } from "./masked-client.ts";
import { Privacy } from "./privacy.ts";
import { Pseudonyms } from "./pseudonyms.ts";
import { ReadCache } from "./read-cache.ts";

/** The fleet as tools see it. */
export interface ToolFleet {
  /** Masked, and its reads cached. */
  fleet: FleetClient;
  reader: FleetReader;
  privacy: Privacy;
}

/** What stands between a client and the tools: results are masked once for each read, and what is masked is cached. */
export function createToolFleet(
  client: FleetClient,
  settings: Pick<ToolSettings, "privacy" | "driverNames" | "snapshotSeconds"> & { sealKey?: string | undefined },
  now: () => number,
): ToolFleet {
  const privacy = new Privacy(settings, new Pseudonyms(settings.sealKey));
  const masked = maskedClient(client, {
    privacy,
    learnNames: async (options) => {
      try {
        await reader.read({}, options);
      } catch (error) {
        // Without the fleet, what is known to name a driver is hidden all the same.
        if (!(error instanceof FleetError)) throw error;
      }
    },
  });
  const fleet = cachedClient(masked, new ReadCache({ seconds: settings.snapshotSeconds, now }));
  const reader = createFleetReader(fleet, settings);
  return { fleet, reader, privacy };
}
