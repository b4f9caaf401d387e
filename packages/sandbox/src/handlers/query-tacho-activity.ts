import { operations, type TachoActivity, type TachoActivityPage, type TachoDriver, type TachoSort } from "@fleetwire/core";
import { parseDateTime } from "@fleetwire/core/internal";
import { type Call, type Handler, writeInstant } from "../service/handler.ts";
import { jsonResponse, refuse } from "../service/refusal.ts";
import { refuseFields, validInput } from "../service/request-input.ts";
import { startOfService } from "../simulation/day-plan.ts";
import type { Fleet } from "../simulation/fleet.ts";
import { driversOf } from "../simulation/roster.ts";
import { type Seat, type TachoEntry, tachoEntries } from "../simulation/tacho-days.ts";

type SortKey = keyof TachoSort;

type Order = readonly (readonly [SortKey, "ASC" | "DESC"])[];

const ACTIVITY = "activities.";
const isOfActivity = ([key]: Order[number]) => key.startsWith(ACTIVITY);

const ofActivity = (activity: TachoActivity | undefined, key: SortKey) => activity?.[key.slice(ACTIVITY.length) as keyof TachoActivity];

const ofDriver = (driver: TachoDriver, key: SortKey) =>
  key.startsWith(ACTIVITY) ? ofActivity(driver.activities?.[0], key) : driver[key as "driverId" | "driverKey"];

/** Compares records by each key in turn. Absent values sort last in both directions. */
const by =
  <Sorted>(order: Order, valueIn: (record: Sorted, key: SortKey) => string | number | boolean | undefined) =>
  (one: Sorted, other: Sorted): number => {
    for (const [key, direction] of order) {
      const [value, next] = [valueIn(one, key), valueIn(other, key)];
      if (value === next) continue;
      if (value === undefined || next === undefined) return value === undefined ? 1 : -1;
      return (value < next ? -1 : 1) * (direction === "ASC" ? 1 : -1);
    }
    return 0;
  };

/** Sorts each driver's activities, then the drivers. When sorted by activity fields, drivers are ranked by their first activity (chosen). */
function sorted(drivers: readonly TachoDriver[], order: Order): TachoDriver[] {
  const byActivity = by(order.filter(isOfActivity), ofActivity);
  const inside = drivers.map((driver) => ({ ...driver, activities: (driver.activities ?? []).toSorted(byActivity) }));
  return inside.toSorted(by(order, ofDriver));
}

const MAX_PERIOD_DAYS = 31;
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
const DAY_MS = 86_400_000;

type TachoRequest = ReturnType<typeof readTachoRequest>;

/** A validated query for tachograph activities (interface 4.5). Times are epoch ms. */
function readTachoRequest(sent: Call["sent"]) {
  const { startTime, endTime, driverKeys, registrations, ...input } = validInput(operations.queryTachoActivity, sent);
  const [from, to] = [parseDateTime(startTime) ?? 0, parseDateTime(endTime) ?? 0];
  if (to - from > MAX_PERIOD_DAYS * DAY_MS)
    refuseFields([{ field: "endTime", message: `may be at most ${MAX_PERIOD_DAYS} days after startTime` }]);
  return {
    from,
    to,
    driverKeys: driverKeys && new Set(driverKeys),
    registrations: registrations && new Set(registrations),
    content: input.dataContent,
    skip: input.skip ?? 0,
    limit: Math.min(input.limit ?? DEFAULT_LIMIT, MAX_LIMIT),
    order: Object.entries(input.sort ?? {}) as [SortKey, "ASC" | "DESC"][],
  };
}

/** Tachograph files are downloaded after a week; newer entries come from live data. */
const FILE_AGE_MS = 7 * DAY_MS;
/** Maximum driver days computed for one response. */
const MAX_DRIVER_DAYS = 60_000;

const rounded = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits;

function activityOf(entry: TachoEntry, now: number): TachoActivity {
  const isRunning = entry.end > now;
  const { vehicle } = entry;
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
    driverCardSlot: entry.slot,
    isStartOfShift: entry.isStartOfShift,
    isEndOfShift: entry.isEndOfShift && !isRunning,
    ...(!isRunning && { distance: rounded(entry.km, 1) }),
  };
}

function isFromFile(entry: TachoEntry, now: number): boolean {
  return entry.start < now - FILE_AGE_MS;
}

function driverEntry(seat: Seat, request: TachoRequest, now: number): TachoDriver | undefined {
  const { from, to, content } = request;
  if (from > now) return undefined;
  const wanted = tachoEntries(seat, from, Math.min(to, now)).filter(
    (entry) => content === undefined || isFromFile(entry, now) === (content === "DDD"),
  );
  if (wanted.length === 0) return undefined;
  return { driverId: seat.driver.id, driverKey: seat.driver.key, activities: wanted.map((entry) => activityOf(entry, now)) };
}

function* seats(fleet: Fleet, { driverKeys, registrations }: TachoRequest): Generator<Seat> {
  for (const vehicle of fleet.vehicles()) {
    if (vehicle.model.asset !== "TRUCK") continue;
    if (registrations && !registrations.has(vehicle.registration)) continue;
    for (const [member, driver] of driversOf(vehicle).entries())
      if (!driverKeys || driverKeys.has(driver.key)) yield { vehicle, member, driver };
  }
}

/** Tachograph activities (interface 4.5). Each record is a driver with the activities in the period. */
export const queryTachoActivity: Handler = ({ customer, now, sent }) => {
  const request = readTachoRequest(sent);
  const { from, to, skip, limit, order } = request;
  const found = [...seats(customer.fleet, request)];
  const needsAll = order.some(isOfActivity) || request.content !== undefined;
  const driverDays = found.length * ((to - from) / DAY_MS + 1);
  if (needsAll && driverDays > MAX_DRIVER_DAYS)
    throw refuse(400, "invalid", "Sorting by activities requires fewer drivers or a shorter period", "sort");

  if (needsAll) {
    const all = found.flatMap((seat) => driverEntry(seat, request, now) ?? []);
    return jsonResponse({ count: all.length, data: sorted(all, order).slice(skip, skip + limit) } satisfies TachoActivityPage);
  }
  const active = found.filter(({ vehicle, member }) => from <= now && startOfService(vehicle.duty, member) < Math.min(to, now));
  const keys = active.map((seat) => ({ seat, driverId: seat.driver.id, driverKey: seat.driver.key }));
  const selected = keys.toSorted(by(order, ofDriver)).slice(skip, skip + limit);
  const data = selected.flatMap(({ seat }) => driverEntry(seat, request, now) ?? []);
  return jsonResponse({ count: active.length, data } satisfies TachoActivityPage);
};
