import { type Fault, operations, type VehicleFaults } from "@fleetwire/core";
import { parseDateTime } from "@fleetwire/core/internal";
import { type Call, type Handler, writeInstant } from "../service/handler.ts";
import { jsonResponse, Refusal } from "../service/refusal.ts";
import { validInput } from "../service/request-input.ts";
import type { Vehicle } from "../simulation/roster.ts";
import { faultHistoryStart, faultsBetween, type VehicleFault } from "../simulation/vehicle-faults.ts";
import { driverAt } from "../simulation/vehicle-state.ts";
import { whereaboutsAt } from "../simulation/whereabouts.ts";

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 500;

function odometerAt(vehicle: Vehicle, at: number): number {
  return Math.round((vehicle.odometerKm + whereaboutsAt(vehicle.duty, at).totalKm) * 10) / 10;
}

function faultRecord(vehicle: Vehicle, fault: VehicleFault, now: number): Fault {
  const { kind } = fault;
  const isOver = fault.end <= now;
  return {
    description: kind.description,
    code: kind.code,
    startDate: writeInstant(fault.start),
    ...(isOver && { endDate: writeInstant(fault.end) }),
    startOdometer: odometerAt(vehicle, fault.start),
    ...(isOver && { endOdometer: odometerAt(vehicle, fault.end) }),
    inProgress: !isOver,
    details: {
      source: kind.source,
      sourceDescription: kind.sourceDescription,
      occurrenceCount: fault.occurrences,
      ...(kind.fmi !== undefined && { fmi: kind.fmi }),
      ...(kind.fmiDescription !== undefined && { fmiDescription: kind.fmiDescription }),
      lamps: [...kind.lamps],
    },
  };
}

function itemOf({ customer, now }: Call, vehicle: Vehicle, faults: readonly VehicleFault[]): VehicleFaults {
  const { make, model, version } = vehicle.model;
  const groupId = customer.groups.ofVehicle(vehicle);
  const driver = driverAt(vehicle, now);
  return {
    id: vehicle.id,
    groupName: customer.groups.nameOf(groupId),
    groupId,
    make,
    model,
    version,
    assetRegistration: vehicle.registration,
    assetName: vehicle.name,
    ...(driver && { driverId: driver.id }),
    faults: faults.map((fault) => faultRecord(vehicle, fault, now)),
  };
}

/** Lists vehicles with faults, page by page (interface 4.2). An item contains the vehicle's faults that overlap the period. */
export const listVehicleFaults: Handler = (call) => {
  const { customer, now, sent } = call;
  const { vehicleId, groupId, startDate, endDate, pageIndex = 0, ...page } = validInput(operations.listVehicleFaults, sent);
  const pageSize = Math.min(page.pageSize ?? DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE);
  if (startDate !== undefined && endDate !== undefined && endDate < startDate)
    throw new Refusal(400, [{ name: "invalid", message: "endDate must not be before startDate", fields: ["startDate", "endDate"] }]);

  const from = Math.max(parseDateTime(startDate) ?? 0, faultHistoryStart(now));
  const to = Math.min(parseDateTime(endDate) ?? now, now);
  const items: VehicleFaults[] = [];
  let totalItems = 0;
  const named = vehicleId === undefined ? undefined : customer.fleet.vehicle(vehicleId);
  const candidates = vehicleId === undefined ? customer.fleet.vehicles() : named ? [named] : [];
  for (const vehicle of candidates) {
    if (groupId !== undefined && !customer.groups.isBelowOrSame(customer.groups.ofVehicle(vehicle), groupId)) continue;
    const faults = to < from ? [] : faultsBetween(vehicle, from, to);
    if (faults.length === 0) continue;
    if (Math.floor(totalItems / pageSize) === pageIndex) items.push(itemOf(call, vehicle, faults));
    totalItems++;
  }
  return jsonResponse({ items, pagination: { totalItems, totalPages: Math.ceil(totalItems / pageSize), pageSize, pageIndex } });
};
