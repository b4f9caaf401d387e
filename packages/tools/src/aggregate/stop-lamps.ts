import type { VehicleFaultsPage } from "@fleetwire/core";
import { singleLine } from "../results/clip-values.ts";
import type { Row } from "../results/list-result.ts";
import type { ToolContext } from "../tool.ts";
import { type SpanFields, withoutOddEnd } from "./odd-end.ts";

/** The labels of lamps are undocumented; the red lamp is the only one that means stop. */
const isStopLamp = (lamp: string) => /stop/i.test(lamp);

const isLit = ({ inProgress, endDate }: { inProgress?: unknown; endDate?: unknown }, lamps: unknown) =>
  (inProgress ?? endDate === undefined) && Array.isArray(lamps) && lamps.some((lamp) => typeof lamp === "string" && isStopLamp(lamp));

/** Returns the names of the vehicles, in these rows of faults, whose red stop lamp is lit. */
export const stopLampsIn = (rows: readonly Row[]): string[] => [
  ...new Set(rows.filter((row) => isLit(row, row["lamps"])).map(({ assetName, id }) => singleLine(String(assetName ?? id), 40))),
];

const FAULT_SPAN: SpanFields = ["startDate", "endDate", "inProgress"];

type FaultyVehicle = NonNullable<VehicleFaultsPage["items"]>[number];

/** Whether a fault that has not ended lights the red stop lamp of a vehicle. */
const hasStopLamp = ({ faults = [] }: FaultyVehicle) =>
  faults.some((fault) => isLit(withoutOddEnd(fault, FAULT_SPAN), fault.details?.lamps));

/** Returns the vehicles whose red stop lamp is lit. Reads the faults of each. */
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
