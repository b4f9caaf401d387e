import { type FleetClient, FleetError } from "@fleetwire/core";

/** Logs which vehicles arrive at a point of interest or leave one, until the signal fires. */
export async function logVisits(fleet: FleetClient, signal: AbortSignal, log: (line: string) => void): Promise<void> {
  const changes = fleet.watchPositions(
    {},
    {
      intervalSeconds: 30,
      fields: ["locationId"],
      includeInitial: false,
      withPrevious: true,
      signal,
      onFailure: ({ error, delay }) => log(`${error.code}; next attempt in ${Math.round(delay / 1000)} s`),
    },
  );
  try {
    for await (const { change, position, previous } of changes) {
      if (change !== "changed") continue;
      if (previous?.locationId) log(`${position.assetName} left ${previous.locationName}`);
      if (position.locationId) log(`${position.assetName} arrived at ${position.locationName}`);
    }
  } catch (error) {
    if (!(error instanceof FleetError && error.code === "aborted")) throw error;
  }
}
