import type { Fault, VehicleFaults } from "@fleetwire/core";
import { writeInstant } from "../service/date-times.ts";
import type { Call, Handler } from "../service/handler.ts";
import { checkOrder } from "../service/query-parameters.ts";
import { jsonResponse } from "../service/refusal.ts";
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
  const { customer, now, query } = call;
  const vehicleId = query.text("vehicleId");
  const groupId = query.text("groupId");
  const startDate = query.instant("startDate", "seconds");
  const endDate = query.instant("endDate", "seconds");
  const pageSize = query.integer("pageSize", DEFAULT_PAGE_SIZE, 1, MAX_PAGE_SIZE);
  const pageIndex = query.integer("pageIndex", 0, 0, Number.MAX_SAFE_INTEGER);
  checkOrder(startDate, endDate, "startDate", "endDate");

  const from = Math.max(startDate ?? 0, faultHistoryStart(now));
  const to = Math.min(endDate ?? now, now);
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
