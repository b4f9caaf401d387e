import { type LivePosition, operations } from "@fleetwire/core";
import { parseDateTime } from "@fleetwire/core/internal";
import { type Customer, type Handler, writeInstant } from "../service/handler.ts";
import { jsonResponse, refuse } from "../service/refusal.ts";
import { validInput } from "../service/request-input.ts";
import { addressOf, addressOn, formatAddress } from "../simulation/addresses.ts";
import type { Vehicle } from "../simulation/roster.ts";
import { type VehicleState, vehicleState } from "../simulation/vehicle-state.ts";

/** A live position with all its fields; those without a value are undefined, and absent from the JSON. */
type LiveRecord = { readonly [Field in keyof Required<LivePosition>]: Readonly<LivePosition[Field]> | undefined };

const SCALES = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000];

function rounded(value: number, digits: 0 | 1 | 3 | 6): number {
  const scale = SCALES[digits] as number;
  return Math.round(value * scale) / scale;
}

/**
 * A live position record (interface 2.4). All records are one object literal, in which absent fields are undefined: thousands of differently shaped
 * objects would take most of the time of a list.
 */
function livePositionRecord({ groups }: Customer, vehicle: Vehicle, state: VehicleState, locale: string, hidesSpeed: boolean): LiveRecord {
  const { model } = vehicle;
  const { driver, where, battery, tank, isOn } = state;
  const groupId = groups.ofVehicle(vehicle);
  const driverGroupId = driver && groups.ofDriver(driver, vehicle);
  const isSpeedHidden =
    hidesSpeed && (groups.isSpeedSensitive(groupId) || (driverGroupId !== undefined && groups.isSpeedSensitive(driverGroupId)));
  const address = vehicle.duty.isVaried ? addressOn(where, locale) : addressOf(where.place, where.road, where.site?.roadNumber, locale);
  const location = where.site?.location;
  const isEstimated = battery && model.battery?.isEstimated === true;
  const hasEngine = model.idleRpm !== undefined;
  const isTrailer = model.asset === "TRAILER";
  return {
    assetRegistration: vehicle.registration,
    assetName: vehicle.name,
    assetVin: vehicle.vin,
    assetId: vehicle.id,
    driverId: driver?.id,
    driverName: driver?.name,
    driverGroupId,
    driverGroupName: driverGroupId === undefined ? undefined : groups.nameOf(driverGroupId),
    assetGroupId: groupId,
    assetGroupName: groups.nameOf(groupId),
    date: writeInstant(state.at),
    status: vehicle.soldAt === undefined ? "ACTIVE" : "SOLD",
    eventType: state.event,
    speed: isSpeedHidden ? undefined : rounded(where.speed, 1),
    odometer: rounded(state.odometerKm, 3),
    heading: rounded(where.heading, 1) % 360,
    latitude: rounded(where.latitude, 6),
    longitude: rounded(where.longitude, 6),
    roadNumber: address.roadNumber,
    road: address.road,
    city: address.city,
    postCode: address.postCode,
    country: address.country,
    division: address.division,
    formattedAddress: formatAddress(address, where.place.country),
    locationName: location?.name,
    locationGroupName: location?.category,
    locationId: location?.id,
    privacy: state.isPrivate,
    tags: vehicle.tags,
    assetType: model.asset,
    energyType: model.energy,
    fuelType: model.fuels.length > 0 ? model.fuels : undefined,
    electricRangeKm: battery && rounded(battery.rangeKm, 1),
    electricRangeKmEstimated: isEstimated,
    electricBatteryLevelPercent: battery && rounded(battery.share * 100, 1),
    electricBatteryLevelPercentEstimated: isEstimated,
    electricCharging: battery?.isCharging,
    electricChargingTimeRemainingMins: battery?.minutesLeft === undefined ? undefined : Math.ceil(battery.minutesLeft),
    fuelLevelLitres: tank?.litres === undefined ? undefined : rounded(tank.litres, 1),
    fuelLevelPercentage: tank && rounded(tank.share * 100, 1),
    engineTotalHours: hasEngine ? rounded(state.engineHours, 3) : undefined,
    engineRpm: hasEngine ? Math.round(state.rpm) : undefined,
    engineTotalHoursType: hasEngine ? (model.hasBus ? "CAN" : "ESTIMATED") : undefined,
    serialNumber: vehicle.serialNumber,
    // The voltages depend on what powers the tracking unit: the alternator while the engine runs, otherwise the batteries.
    batteryVoltage: isOn ? 4.1 : 4,
    externalPowerVoltage: rounded(model.volts * (isOn ? 1.16 : 1.04), 1),
    ignitionStatus: isTrailer ? undefined : isOn ? "ON" : "OFF",
    activeFaultCodes: isTrailer || vehicle.soldAt !== undefined ? undefined : [...new Set(state.faults.map((fault) => fault.kind.code))],
  };
}

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
  const locale = readLocale(input.locale);
  const hidesSpeed = input.hideSpeedIfSpeedSensitive === true;
  const drivers = driverIds && new Set(driverIds);
  const from = parseDateTime(input.fromDateTime) ?? Number.NEGATIVE_INFINITY;
  const { fleet, groups } = customer;
  // Ids are looked up directly, to avoid scanning a large fleet.
  const named = vehicleIds ? vehicleIds.map(fleet.vehicle) : drivers && [...drivers].map(fleet.vehicleOfDriver);
  const candidates = named && [...new Set(named.flatMap((vehicle) => vehicle ?? []))].toSorted((one, other) => one.index - other.index);
  const records: LiveRecord[] = [];
  for (const vehicle of candidates ?? fleet.vehicles()) {
    if (!isShown && vehicle.soldAt !== undefined) continue;
    if (groupIds && !groupIds.some((id) => groups.isBelowOrSame(groups.ofVehicle(vehicle), id))) continue;
    const state = vehicleState(vehicle, now);
    if (drivers && !drivers.has(state.driver?.id ?? "")) continue;
    if (state.at >= from) records.push(livePositionRecord(customer, vehicle, state, locale, hidesSpeed));
  }
  return jsonResponse(records);
};
