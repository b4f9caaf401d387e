import { vehicleLabel } from "../fleet/entity-labels.ts";
import type { FleetContext } from "../fleet/fleet-context.ts";
import { ifReadable, readFleet } from "../fleet/fleet-reader.ts";
import { type Position, SOLD } from "../fleet/position.ts";
import { type Match, type Resolution, resolveName } from "../names/resolve-name.ts";

/** Finds a sold vehicle by name, since the fleet's own list does not contain sold vehicles. */
export async function soldVehicle(query: string, context: FleetContext): Promise<Match<Position> | undefined> {
  const view = await ifReadable(() => readFleet(context, { withSold: true }));
  if (!view) return undefined;
  const found = await resolveName(query, view.vehicles);
  return found.result === "found" && !found.match.respelt && found.match.value.status === SOLD ? found.match : undefined;
}

/** The remark for a question about a name that only a sold vehicle has. */
export async function soldRemark(
  { result }: Pick<Resolution<unknown>, "result">,
  query: string,
  context: FleetContext,
): Promise<{ remark?: string }> {
  const sold = result === "notFound" ? await soldVehicle(query, context) : undefined;
  return sold ? { remark: `${vehicleLabel(sold.value)} is sold.` } : {};
}
