import type { LivePosition } from "@fleetwire/core";
import type { Customer } from "../service/customers.ts";
import { writeInstant } from "../service/date-times.ts";
import { addressOf, formatAddress } from "../simulation/addresses.ts";
import type { Vehicle } from "../simulation/roster.ts";
import type { VehicleState } from "../simulation/vehicle-state.ts";

export interface RecordOptions {
  /** BCP 47 locale for country names. */
  readonly locale: string;
  readonly hideSensitiveSpeed: boolean;
}

const rounded = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits;

function driverFields(customer: Customer, vehicle: Vehicle): Partial<LivePosition> {
  if (!vehicle.driver) return {};
  const groupId = customer.groups.ofDriver(vehicle);
  return {
    driverId: vehicle.driver.id,
    driverName: vehicle.driver.name,
    driverGroupId: groupId,
    driverGroupName: customer.groups.nameOf(groupId),
  };
}

function placeFields({ where }: VehicleState, locale: string): Partial<LivePosition> {
  const address = addressOf(where.place, where.road, where.site?.roadNumber, locale);
  const location = where.site?.location;
  return {
    heading: rounded(where.heading, 1) % 360,
    latitude: rounded(where.latitude, 6),
    longitude: rounded(where.longitude, 6),
    ...address,
    formattedAddress: formatAddress(address, where.place.country),
    ...(location && { locationName: location.name, locationGroupName: location.category, locationId: location.id }),
  };
}

function energyFields(vehicle: Vehicle, { battery, tank, engineHours, rpm }: VehicleState): Partial<LivePosition> {
  const { model } = vehicle;
  const estimated = model.battery?.isEstimated === true;
  return {
    energyType: model.energy,
    ...(model.fuels.length > 0 && { fuelType: [...model.fuels] }),
    ...(battery && {
      electricRangeKm: rounded(battery.rangeKm, 1),
      electricRangeKmEstimated: estimated,
      electricBatteryLevelPercent: rounded(battery.share * 100, 1),
      electricBatteryLevelPercentEstimated: estimated,
      electricCharging: battery.isCharging,
    }),
    ...(battery?.minutesLeft !== undefined && { electricChargingTimeRemainingMins: Math.ceil(battery.minutesLeft) }),
    ...(tank?.litres !== undefined && { fuelLevelLitres: rounded(tank.litres, 1) }),
    ...(tank && { fuelLevelPercentage: rounded(tank.share * 100, 1) }),
    ...(model.idleRpm !== undefined && {
      engineTotalHours: rounded(engineHours, 3),
      engineRpm: Math.round(rpm),
      engineTotalHoursType: model.hasBus ? "CAN" : "ESTIMATED",
    }),
  };
}

/** The voltages depend on what powers the tracking unit: the alternator while the engine runs, otherwise the batteries. */
function unitFields(vehicle: Vehicle, { isOn }: VehicleState): Partial<LivePosition> {
  const { volts } = vehicle.model;
  return {
    serialNumber: vehicle.serialNumber,
    batteryVoltage: isOn ? 4.1 : 4,
    externalPowerVoltage: rounded(volts * (isOn ? 1.16 : 1.04), 1),
  };
}

/** A live position record (interface 2.4). */
export function livePositionRecord(customer: Customer, vehicle: Vehicle, state: VehicleState, options: RecordOptions): LivePosition {
  const groupId = customer.groups.ofVehicle(vehicle);
  const isSensitive =
    customer.groups.isSpeedSensitive(groupId) ||
    (vehicle.driver !== undefined && customer.groups.isSpeedSensitive(customer.groups.ofDriver(vehicle)));
  const isTrailer = vehicle.model.asset === "TRAILER";
  const codes = [...new Set(state.faults.map((fault) => fault.kind.code))];
  return {
    assetRegistration: vehicle.registration,
    assetName: vehicle.name,
    assetVin: vehicle.vin,
    assetId: vehicle.id,
    ...driverFields(customer, vehicle),
    assetGroupId: groupId,
    assetGroupName: customer.groups.nameOf(groupId),
    date: writeInstant(state.at),
    status: vehicle.soldAt === undefined ? "ACTIVE" : "SOLD",
    eventType: state.event,
    ...(!(options.hideSensitiveSpeed && isSensitive) && { speed: rounded(state.where.speed, 1) }),
    odometer: rounded(state.odometerKm, 3),
    ...placeFields(state, options.locale),
    privacy: state.isPrivate,
    tags: [...vehicle.tags],
    assetType: vehicle.model.asset,
    ...energyFields(vehicle, state),
    ...unitFields(vehicle, state),
    ...(!isTrailer && { ignitionStatus: state.isOn ? "ON" : "OFF" }),
    ...(!isTrailer && vehicle.soldAt === undefined && { activeFaultCodes: codes }),
  };
}
