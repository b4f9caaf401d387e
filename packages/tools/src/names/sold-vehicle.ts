import { readFleet } from "../fleet/fleet-reader.ts";
import { ifReadable } from "../fleet/if-readable.ts";
import { type Position, SOLD } from "../fleet/position.ts";
import type { ToolContext } from "../tool.ts";
import { type Match, resolveName } from "./resolve-name.ts";

/** Finds a sold vehicle by a name that is not in the list of the fleet, which does not contain sold vehicles. */
export async function soldVehicle(query: string, context: ToolContext): Promise<Match<Position> | undefined> {
  const view = await ifReadable(() => readFleet(context, { withSold: true }));
  if (!view) return undefined;
  const found = await resolveName(query, view.vehicles);
  return found.result === "found" && !found.match.respelt && found.match.value.status === SOLD ? found.match : undefined;
}
