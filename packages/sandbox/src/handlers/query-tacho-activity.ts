import type { TachoActivity, TachoActivityPage, TachoDriver } from "@fleetwire/core";
import { writeInstant } from "../service/date-times.ts";
import type { Handler } from "../service/handler.ts";
import { jsonResponse, refuse } from "../service/refusal.ts";
import { objectFields } from "../service/request-body.ts";
import { startOfService } from "../simulation/day-plan.ts";
import type { Driver } from "../simulation/people.ts";
import { driversOf, type Vehicle } from "../simulation/roster.ts";
import { type TachoEntry, tachoEntries } from "../simulation/tacho-days.ts";
import { sorted, sortsByActivity } from "./tacho-order.ts";
import { readTachoRequest, type TachoRequest } from "./tacho-request.ts";

const DAY_MS = 86_400_000;
/** Tachograph files are downloaded after a week; newer entries come from live data. */
const FILE_AGE_MS = 7 * DAY_MS;
/** Maximum driver days computed for one response. */
const MAX_DRIVER_DAYS = 60_000;

const rounded = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits;

function activityOf(vehicle: Vehicle, entry: TachoEntry, now: number): TachoActivity {
  const isRunning = entry.end > now;
  return {
    assetId: vehicle.id,
    assetRegistration: vehicle.registration,
    startTime: writeInstant(entry.start),
    type: entry.isManual ? "MANUAL" : "CARD",
    activity: entry.label,
    startLatitude: rounded(entry.from.latitude, 6),
    startLongitude: rounded(entry.from.longitude, 6),
    duration: Math.floor((Math.min(entry.end, now) - entry.start) / 1000),
    ...(!isRunning && {
      endTime: writeInstant(entry.end),
      endLatitude: rounded(entry.to.latitude, 6),
      endLongitude: rounded(entry.to.longitude, 6),
    }),
    inProgress: isRunning,
    flagDDD: isFromFile(entry, now),
    flagManualEntry: entry.isManual,
    vehicleFriendlyName: vehicle.name,
    driverCardSlot: 1,
    isStartOfShift: entry.isStartOfShift,
    isEndOfShift: entry.isEndOfShift && !isRunning,
    ...(!isRunning && { distance: rounded(entry.km, 1) }),
  };
}

function isFromFile(entry: TachoEntry, now: number): boolean {
  return entry.start < now - FILE_AGE_MS;
}

interface Seat {
  readonly vehicle: Vehicle;
  /** The ordinal of the driver among the vehicle's drivers. */
  readonly member: number;
  readonly driver: Driver;
}

function driverEntry({ vehicle, member, driver }: Seat, { from, to, content }: TachoRequest, now: number): TachoDriver | undefined {
  if (from > now) return undefined;
  const entries = tachoEntries(vehicle.duty, member, from, Math.min(to, now));
  const wanted = entries.filter((entry) => content === undefined || isFromFile(entry, now) === (content === "DDD"));
  if (wanted.length === 0) return undefined;
  return { driverId: driver.id, driverKey: driver.key(), activities: wanted.map((entry) => activityOf(vehicle, entry, now)) };
}

/** The requested drivers whose vehicle has a tachograph, which only trucks have. */
function* drivers(vehicles: Iterable<Vehicle>, { driverKeys, registrations }: TachoRequest): Generator<Seat> {
  for (const vehicle of vehicles) {
    if (vehicle.model.asset !== "TRUCK" || (registrations && !registrations.has(vehicle.registration))) continue;
    for (const [member, driver] of driversOf(vehicle).entries())
      if (!driverKeys || driverKeys.has(driver.key())) yield { vehicle, member, driver };
  }
}

/** Tachograph activities (interface 4.5). Each record is a driver with the activities in the period. */
export const queryTachoActivity: Handler = ({ body, customer, now }) => {
  const request = readTachoRequest(objectFields(body));
  const { from, to, skip, limit, order } = request;
  const found = [...drivers(customer.fleet.vehicles(), request)];
  const needsAll = sortsByActivity(order) || request.content !== undefined;
  if (needsAll && found.length * ((to - from) / DAY_MS + 1) > MAX_DRIVER_DAYS)
    throw refuse(400, "invalid", "Sorting by activities requires fewer drivers or a shorter period", "sort");

  let page: TachoActivityPage;
  if (needsAll) {
    const all = sorted(
      found.flatMap((seat) => driverEntry(seat, request, now) ?? []),
      order,
    );
    page = { count: all.length, data: all.slice(skip, skip + limit) };
  } else {
    const active = found.filter(({ vehicle, member }) => from <= now && startOfService(vehicle.duty, member) < Math.min(to, now));
    const keys = active.map((seat) => ({ seat, driverId: seat.driver.id, driverKey: seat.driver.key() }));
    const inOrder = order.length > 0 ? sorted(keys, order) : keys;
    const selected = (inOrder as typeof keys).slice(skip, skip + limit);
    page = { count: active.length, data: selected.flatMap(({ seat }) => driverEntry(seat, request, now) ?? []) };
  }
  return jsonResponse(page);
};
