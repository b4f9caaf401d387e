import type { VehicleFaultsPage } from "@fleetwire/core";
import type { ToolContext } from "../tool.ts";

/** The labels of lamps are undocumented; the red lamp is the only one that means stop. */
const isStopLamp = (lamp: string) => /stop/i.test(lamp);

type FaultyVehicle = NonNullable<VehicleFaultsPage["items"]>[number];

/** Whether a fault that has not ended lights the red stop lamp of a vehicle. */
const hasStopLamp = ({ faults = [] }: FaultyVehicle) =>
  faults.some(({ inProgress, endDate, details }) => (inProgress ?? endDate === undefined) && details?.lamps?.some(isStopLamp));

/** Returns those of the vehicles whose red stop lamp is lit. Reads the faults of each. */
export async function withStopLamp(vehicleIds: readonly string[], { fleet, callOptions }: ToolContext): Promise<ReadonlySet<string>> {
  const lit = await Promise.all(
    vehicleIds.map(async (vehicleId) => {
      const { items = [] } = await fleet.listVehicleFaults({ vehicleId }, callOptions);
      // A service may ignore the filter.
      return items.some((item) => (item.id ?? vehicleId) === vehicleId && hasStopLamp(item)) ? [vehicleId] : [];
    }),
  );
  return new Set(lit.flat());
}
