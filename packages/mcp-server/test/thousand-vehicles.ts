import { createFleetClient, fleetConfigFromEnv } from "@fleetwire/core";
import { createSandbox } from "@fleetwire/sandbox";
import { FleetView } from "../src/fleet-view.ts";
import { resolveName } from "../src/resolver/resolve-name.ts";

/** The sandbox's fleet of 1,000 vehicles on a Friday morning, as the resolver sees it; those that were sold are not among them. */
export async function thousandVehicles(): Promise<FleetView> {
  const sandbox = createSandbox({ vehicles: 1_000, clock: () => Date.parse("2026-11-20T09:00:00Z") });
  const fleet = createFleetClient({ ...fleetConfigFromEnv(sandbox.env), fetch: sandbox.fetch });
  return new FleetView(await fleet.listLivePositions());
}

/** The id of the vehicle that is found, or how none was. */
export function vehicleFor(query: string, view: FleetView): string {
  const resolution = resolveName(query, view.vehicles());
  return resolution.result === "found" ? String(resolution.match.value.assetId) : resolution.result;
}
