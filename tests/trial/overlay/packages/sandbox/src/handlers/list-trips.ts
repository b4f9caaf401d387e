import type { ListTripsInput, Trip } from "@fleetwire/core";
import { writeInstant } from "../service/date-times.ts";
import type { Handler } from "../service/handler.ts";
import { checkOrder } from "../service/query-parameters.ts";
import { jsonResponse, refuse } from "../service/refusal.ts";
import { addressOf, formatAddress } from "../simulation/addresses.ts";
import { DAY_MS, dayOf, planDay, type Spell } from "../simulation/day-plan.ts";
import { driverOn, type Vehicle } from "../simulation/roster.ts";
import type { Site } from "../simulation/sites.ts";
import { whereaboutsDuring } from "../simulation/whereabouts.ts";

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 500;
const HISTORY_MS = 30 * DAY_MS;
const SPEEDS_LOOKED_AT = 20;

const tenths = (value: number) => Math.round(value * 10) / 10;

function drivesBetween({ duty }: Vehicle, from: number, to: number): Spell[] {
  const days = Array.from({ length: Math.max(0, dayOf(duty, to) - dayOf(duty, from) + 1) }, (_, at) => dayOf(duty, from) + at);
  const drives = days.flatMap((day) => planDay(duty, day)).filter(({ kind, start, end }) => kind === "drive" && start >= from && end <= to);
  return drives.reverse();
}

function highestSpeed(drive: Spell): number {
  const step = (drive.end - drive.start) / SPEEDS_LOOKED_AT;
  return Math.max(...Array.from({ length: SPEEDS_LOOKED_AT }, (_, at) => whereaboutsDuring(drive, drive.start + at * step).speed));
}

const addressAt = ({ place, road, roadNumber }: Site) => formatAddress(addressOf(place, road, roadNumber, "en-GB"), place.country);

function tripOf(vehicle: Vehicle, drive: Spell): Trip {
  const { start, end, leg } = drive;
  const driver = driverOn(vehicle, drive);
  return {
    tripId: `${vehicle.id}t${start.toString(36)}`,
    vehicleId: vehicle.id,
    vehicleName: vehicle.name,
    startDateTime: writeInstant(start),
    endDateTime: writeInstant(end),
    distance: tenths(leg.km),
    startAddress: addressAt(leg.from),
    endAddress: addressAt(leg.to),
    ...(driver && { driverName: driver.name }),
    maxSpeed: tenths(highestSpeed(drive)),
    privacy: leg.isPrivate,
  };
}

/** Lists the trips of a vehicle, latest first, page by page (interface 4.7). Without a start it covers thirty days. */
export const listTrips: Handler<ListTripsInput> = ({ customer, now, path, query }) => {
  const vehicle = customer.fleet.vehicle(path("vehicleId"));
  if (!vehicle) throw refuse(404, "notFound", "Unknown vehicle", "vehicleId");
  const startDate = query.instant("startDate", "any");
  const endDate = query.instant("endDate", "any");
  const pageIndex = query.integer("pageIndex", 0, 0, Number.MAX_SAFE_INTEGER);
  const pageSize = query.integer("pageSize", DEFAULT_PAGE_SIZE, 1, MAX_PAGE_SIZE);
  checkOrder(startDate, endDate, "startDate", "endDate");

  const drives = drivesBetween(vehicle, Math.max(startDate ?? 0, now - HISTORY_MS), Math.min(endDate ?? now, now));
  const items = drives.slice(pageIndex * pageSize, (pageIndex + 1) * pageSize).map((drive) => tripOf(vehicle, drive));
  const totalItems = drives.length;
  return jsonResponse({ items, pagination: { totalItems, totalPages: Math.ceil(totalItems / pageSize), pageSize, pageIndex } });
};
