import { createFleetClient, fleetConfigFromEnv } from "@fleetwire/core";
import { createSandbox } from "@fleetwire/sandbox";
import { FleetView } from "../../src/fleet/fleet-view.ts";
import { resolveName } from "../../src/names/resolve-name.ts";

/** The fleet described in evaluation/README.md, as the resolver sees it: without sold vehicles. */
export async function thousandVehicles(): Promise<FleetView> {
  const sandbox = createSandbox({ seed: 1, vehicles: 1_000, clock: () => Date.UTC(2026, 10, 17, 9) });
  const fleet = createFleetClient({ ...fleetConfigFromEnv(sandbox.env), fetch: sandbox.fetch });
  const view = new FleetView();
  const update = view.update();
  for (const position of await fleet.listLivePositions()) update.add(position);
  await update.end();
  return view;
}

/** The id of the vehicle found, or the reason for none. */
export async function vehicleFor(query: string, view: FleetView): Promise<string> {
  const resolution = await resolveName(query, view.vehicles);
  return resolution.result === "found" ? String(resolution.match.value.assetId) : resolution.result;
}
