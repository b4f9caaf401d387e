import { operations } from "@fleetwire/core";
import { parseDateTime } from "@fleetwire/core/internal";
import type { Handler } from "../service/handler.ts";
import { jsonResponse, refuse } from "../service/refusal.ts";
import { validInput } from "../service/request-input.ts";
import { vehicleState } from "../simulation/vehicle-state.ts";
import { type LiveRecord, livePositionRecord } from "./live-position-record.ts";

const DEFAULT_LOCALE = "en-GB";

function readLocale(given: string | undefined): string {
  if (given === undefined) return DEFAULT_LOCALE;
  try {
    return Intl.getCanonicalLocales(given.replaceAll("_", "-"))[0] ?? DEFAULT_LOCALE;
  } catch {
    throw refuse(400, "invalid", "locale must be a language tag such as en-GB", "locale");
  }
}

/** The latest position and status of vehicles (interface 4.3). */
export const listLivePositions: Handler = ({ customer, now, sent }) => {
  const input = validInput(operations.listLivePositions, sent);
  const { vehicleIds, groupIds, driverIds, showAllVehicleStatus: isShown = false } = input;
  const options = { locale: readLocale(input.locale), hideSensitiveSpeed: input.hideSpeedIfSpeedSensitive === true };
  const drivers = driverIds && new Set(driverIds);
  const from = parseDateTime(input.fromDateTime) ?? Number.NEGATIVE_INFINITY;
  const { fleet, groups } = customer;
  // Ids are looked up directly, to avoid scanning a large fleet.
  const named = vehicleIds ? vehicleIds.map(fleet.vehicle) : drivers && [...drivers].flatMap(fleet.vehiclesOfDriver);
  const candidates = named && [...new Set(named.flatMap((vehicle) => vehicle ?? []))].toSorted((one, other) => one.index - other.index);
  const records: LiveRecord[] = [];
  for (const vehicle of candidates ?? fleet.vehicles()) {
    if (!isShown && vehicle.soldAt !== undefined) continue;
    if (groupIds && !groupIds.some((id) => groups.isBelowOrSame(groups.ofVehicle(vehicle), id))) continue;
    const state = vehicleState(vehicle, now);
    if (drivers && !drivers.has(state.driver?.id ?? "")) continue;
    if (state.at >= from) records.push(livePositionRecord(customer, vehicle, state, options));
  }
  return jsonResponse(records);
};
