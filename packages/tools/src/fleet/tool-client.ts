import type { FleetErrorCode } from "@fleetwire/core";
import type { ToolSettings } from "../model/tool.ts";
import { cachedClient } from "./cached-client.ts";
import { createFleetReader, type FleetReader } from "./fleet-reader.ts";
import { maskedClient, type ToolClient } from "./masked-client.ts";
import { Privacy } from "./privacy.ts";
import { PrivateJourneys } from "./private-journeys.ts";
import { Pseudonyms } from "./pseudonyms.ts";
import { ReadCache } from "./read-cache.ts";

/** What tools use to read and change the fleet. */
export interface ToolFleet {
  /** The client, with results that are masked and cached. */
  fleet: ToolClient;
  reader: FleetReader;
  privacy: Privacy;
}

/** Adds masking and a read cache to the client. Results are masked before they are cached, so each is masked only once. */
export function createToolFleet(
  client: ToolClient,
  settings: Pick<ToolSettings, "privacy" | "driverNames" | "snapshotSeconds" | "fullReadSeconds" | "maxVehicles"> & {
    sealKey?: string | undefined;
  },
  now: () => number,
): ToolFleet {
  const privacy = new Privacy(settings, new Pseudonyms(settings.sealKey));
  const masked = maskedClient(client, {
    privacy,
    // If the names cannot be read, fields documented to hold a driver's name are still masked.
    learnNames: (options) =>
      reader.read({}, options).then(
        () => {},
        () => {},
      ),
    readJourneys: async (options) => {
      let failure: FleetErrorCode | undefined;
      const onRead = (_: number, failed?: FleetErrorCode) => {
        failure = failed;
      };
      const view = await reader.read({}, { ...options, onRead }).catch(() => undefined);
      // Activities may be newer than positions from before the service failed.
      return failure || !view
        ? new PrivateJourneys(undefined)
        : view.once(PrivateJourneys, async () => new PrivateJourneys(view.positions));
    },
  });
  const reader = createFleetReader(masked, settings, now);
  const cache = new ReadCache({ seconds: settings.snapshotSeconds, now });
  const fleet = cachedClient(masked, cache, { maxVehicles: settings.maxVehicles, onWrite: () => reader.invalidate() });
  return { fleet, reader, privacy };
}
