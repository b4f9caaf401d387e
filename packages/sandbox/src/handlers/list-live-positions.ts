import type { Call, Handler } from "../service/handler.ts";
import { jsonResponse, refuse } from "../service/refusal.ts";
import type { Vehicle } from "../simulation/roster.ts";
import { vehicleState } from "../simulation/vehicle-state.ts";
import { type LiveRecord, livePositionRecord, type RecordOptions } from "./live-position-record.ts";

const DEFAULT_LOCALE = "en-GB";

function readLocale(given: string | undefined): string {
  if (given === undefined) return DEFAULT_LOCALE;
  try {
    return Intl.getCanonicalLocales(given.replaceAll("_", "-"))[0] ?? DEFAULT_LOCALE;
  } catch {
    throw refuse(400, "invalid", "locale must be a language tag such as en-GB", "locale");
  }
}

/** The requested vehicles in fleet order. Ids are looked up directly, to avoid scanning a large fleet. */
function* selected({ customer, query }: Call): Generator<Vehicle> {
  const vehicleIds = query.list("vehicleIds");
  const groupIds = query.list("groupIds");
  const driverIds = query.list("driverIds");
  const isShown = query.flag("showAllVehicleStatus");
  const { fleet, groups } = customer;
  const named = vehicleIds ? [...vehicleIds].map(fleet.vehicle) : driverIds && [...new Set([...driverIds].flatMap(fleet.vehiclesOfDriver))];
  const candidates = named?.flatMap((vehicle) => vehicle ?? []).toSorted((one, other) => one.index - other.index);
  const isSelected = (vehicle: Vehicle) =>
    (isShown || vehicle.soldAt === undefined) &&
    (!vehicleIds || vehicleIds.has(vehicle.id)) &&
    (!groupIds || [...groupIds].some((id) => groups.isBelowOrSame(groups.ofVehicle(vehicle), id)));
  for (const vehicle of candidates ?? fleet.vehicles()) if (isSelected(vehicle)) yield vehicle;
}

function* records(call: Call, options: RecordOptions): Generator<LiveRecord> {
  const { customer, now, query } = call;
  const from = query.instant("fromDateTime", "any");
  const driverIds = query.list("driverIds");
  for (const vehicle of selected(call)) {
    const state = vehicleState(vehicle, now);
    if (driverIds && !driverIds.has(state.driver?.id ?? "")) continue;
    if (from === undefined || state.at >= from) yield livePositionRecord(customer, vehicle, state, options);
  }
}

/** The latest position and status of vehicles (interface 4.3). */
export const listLivePositions: Handler = (call) => {
  const { query } = call;
  const options = { locale: readLocale(query.text("locale")), hideSensitiveSpeed: query.flag("hideSpeedIfSpeedSensitive") };
  return jsonResponse([...records(call, options)]);
};
