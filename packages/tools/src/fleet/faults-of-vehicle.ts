import type { VehicleFaults } from "@fleetwire/core";
import type { FleetContext } from "./fleet-context.ts";
import { type SpanFields, withoutOddEnd } from "./odd-end.ts";

export type Fault = NonNullable<VehicleFaults["faults"]>[number];

const FAULT_SPAN: SpanFields = ["startDate", "endDate", "inProgress"];
const PAGE_SIZE = 200;

/** Returns a fault as it is understood: one without an end is in progress, unless the service says otherwise. */
export function faultAsMeant(sent: Fault): Fault {
  const fault = withoutOddEnd(sent, FAULT_SPAN);
  return { ...fault, inProgress: fault.inProgress ?? fault.endDate === undefined };
}

/** Reads all faults of a vehicle, each once, even if it is on two pages. */
export async function faultsOfVehicle(vehicleId: string, { fleet, callOptions }: FleetContext): Promise<Fault[]> {
  const faults = new Map<string, Fault>();
  for await (const { items = [] } of fleet.listVehicleFaults.pages({ vehicleId, pageSize: PAGE_SIZE }, callOptions)) {
    // A service may ignore the filter.
    const own = items.filter(({ id = vehicleId }) => id === vehicleId).flatMap((vehicle) => vehicle.faults ?? []);
    for (const sent of own) faults.set(JSON.stringify(sent), faultAsMeant(sent));
  }
  return [...faults.values()];
}
