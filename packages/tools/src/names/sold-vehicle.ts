import { FleetError } from "@fleetwire/core";
import { readFleet } from "../fleet/fleet-reader.ts";
import type { FleetView } from "../fleet/fleet-view.ts";
import { type Position, SOLD } from "../fleet/position.ts";
import type { ToolContext } from "../tool.ts";
import { type Match, resolveName } from "./resolve-name.ts";

/** Finds the sold vehicle with a name that is not in the list of the fleet, which contains no sold vehicles. */
export async function soldVehicle(query: string, context: ToolContext): Promise<Match<Position> | undefined> {
  let view: FleetView;
  try {
    view = await readFleet(context, { withSold: true });
  } catch (error) {
    if (!(error instanceof FleetError) || error.code === "aborted") throw error;
    return undefined;
  }
  const found = resolveName(query, view.vehicles);
  return found.result === "found" && !found.match.respelt && found.match.value.status === SOLD ? found.match : undefined;
}
