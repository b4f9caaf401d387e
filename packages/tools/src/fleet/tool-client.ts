import type { FleetErrorCode } from "@fleetwire/core";
import type { FleetToolsSettings } from "../model/settings.ts";
import { cachedClient, type ReadOptions } from "./cached-client.ts";
import type { FleetContext } from "./fleet-context.ts";
import { FleetReader } from "./fleet-reader.ts";
import type { FleetView } from "./fleet-view.ts";
import { maskedClient, type ToolClient } from "./masked-client.ts";
import { Privacy } from "./privacy.ts";
import { PrivateJourneys } from "./private-journeys.ts";
import { readPrivatePlaces } from "./private-places.ts";
import { Pseudonyms } from "./pseudonyms.ts";

/** Adds masking and a read cache to the client. Results are masked before they are cached, so each is masked only once. */
export function createToolFleet(
  client: ToolClient,
  settings: FleetToolsSettings,
  now: () => number,
): Pick<FleetContext, "fleet" | "reader" | "privacy"> {
  const privacy = new Privacy(settings, new Pseudonyms(settings.sealKey), now);
  const viewIfReadable = (options: ReadOptions) => reader.read({}, options).catch(() => undefined);
  // The journey is read for all callers: it belongs to no one call.
  const placesOf = (view: FleetView, { signal: _, trace: __, ...options }: ReadOptions) =>
    settings.past === "respect" ? readPrivatePlaces(client, view.positions, now(), options) : Promise.resolve([]);
  const masked = maskedClient(client, {
    privacy,
    // If the names cannot be read, fields documented to hold a driver's name are still masked.
    learnNames: async (options) => void (await viewIfReadable(options)),
    readJourneys: async (options) => {
      let failure: FleetErrorCode | undefined;
      const onRead = (_: number, failed?: FleetErrorCode) => {
        failure = failed;
      };
      const view = await viewIfReadable({ ...options, onRead });
      // Activities may be newer than positions from before the service failed.
      return failure || !view
        ? new PrivateJourneys(undefined, [])
        : view.once(PrivateJourneys, async () => new PrivateJourneys(view.positions, await placesOf(view, options)));
    },
  });
  const reader = new FleetReader(masked, settings, now);
  return { fleet: cachedClient(masked, settings, now, () => reader.invalidate()), reader, privacy };
}
