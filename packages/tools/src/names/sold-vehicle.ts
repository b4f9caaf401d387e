import { readFleet } from "../fleet/fleet-reader.ts";
import { ifReadable } from "../fleet/if-readable.ts";
import { type Position, SOLD } from "../fleet/position.ts";
import type { ToolContext } from "../tool.ts";
import { vehicleLabel } from "./entity-labels.ts";
import { type Match, type Resolution, resolveName } from "./resolve-name.ts";

/** Finds a sold vehicle by a name that is not in the list of the fleet, which does not contain sold vehicles. */
export async function soldVehicle(query: string, context: ToolContext): Promise<Match<Position> | undefined> {
  const view = await ifReadable(() => readFleet(context, { withSold: true }));
  if (!view) return undefined;
  const found = await resolveName(query, view.vehicles);
  return found.result === "found" && !found.match.respelt && found.match.value.status === SOLD ? found.match : undefined;
}

/** The remark of a question about a name that no vehicle of the fleet has, if a sold one has it. */
export async function soldRemark(
  { result }: Pick<Resolution<unknown>, "result">,
  query: string,
  context: ToolContext,
): Promise<{ remark?: string }> {
  const sold = result === "notFound" ? await soldVehicle(query, context) : undefined;
  return sold ? { remark: `${vehicleLabel(sold.value)} is sold.` } : {};
}
