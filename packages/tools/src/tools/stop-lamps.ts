import { faultsOfVehicle } from "../fleet/faults-of-vehicle.ts";
import type { FleetContext } from "../fleet/fleet-context.ts";
import type { Row } from "../query/list-result.ts";
import { singleLine } from "../text/clip-values.ts";

/** The labels of lamps are undocumented; the red lamp is the only one that means stop. */
const isStopLamp = (lamp: string) => /stop/i.test(lamp);

const isLit = ({ inProgress, endDate }: { inProgress?: unknown; endDate?: unknown }, lamps: unknown) =>
  (inProgress ?? endDate === undefined) && Array.isArray(lamps) && lamps.some((lamp) => typeof lamp === "string" && isStopLamp(lamp));

/** Returns the names of the vehicles, in these rows of faults, whose red stop lamp is lit. */
export const stopLampsIn = (rows: readonly Row[]): string[] => [
  ...new Set(rows.filter((row) => isLit(row, row["lamps"])).map(({ assetName, id }) => singleLine(String(assetName ?? id), 40))),
];

/** Returns the vehicles whose red stop lamp is lit by a fault that has not ended. Reads the faults of each. */
export async function withStopLamp(vehicleIds: readonly string[], context: FleetContext): Promise<ReadonlySet<string>> {
  const lit = await Promise.all(
    vehicleIds.map(async (vehicleId) => {
      const faults = await faultsOfVehicle(vehicleId, context);
      return faults.some((fault) => isLit(fault, fault.details?.lamps)) ? [vehicleId] : [];
    }),
  );
  return new Set(lit.flat());
}
