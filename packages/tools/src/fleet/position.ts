import type { LivePosition } from "@fleetwire/core";

/**
 * Copies the fields that tools search, count and compare, without the memory of the others. Written out field by field, because objects
 * created with the same layout take half the time and memory.
 */
export const positionOf = (record: LivePosition) => ({
  assetId: record.assetId,
  assetName: record.assetName,
  assetRegistration: record.assetRegistration,
  assetVin: record.assetVin,
  assetType: record.assetType,
  assetGroupId: record.assetGroupId,
  assetGroupName: record.assetGroupName,
  driverId: record.driverId,
  driverName: record.driverName,
  driverGroupId: record.driverGroupId,
  driverGroupName: record.driverGroupName,
  date: record.date,
  status: record.status,
  eventType: record.eventType,
  speed: record.speed,
  heading: record.heading,
  latitude: record.latitude,
  longitude: record.longitude,
  city: record.city,
  country: record.country,
  formattedAddress: record.formattedAddress,
  locationId: record.locationId,
  locationName: record.locationName,
  privacy: record.privacy,
  energyType: record.energyType,
  fuelType: record.fuelType,
  electricCharging: record.electricCharging,
  electricBatteryLevelPercent: record.electricBatteryLevelPercent,
  electricChargingTimeRemainingMins: record.electricChargingTimeRemainingMins,
  fuelLevelPercentage: record.fuelLevelPercentage,
  ignitionStatus: record.ignitionStatus,
  activeFaultCodes: record.activeFaultCodes,
});

/** The status of a vehicle that is no longer in the fleet, the only documented one (interface 2.4). */
export const SOLD = "SOLD";

/** The fields of a {@link Position}. Tools can only use these, since a view of the fleet holds no others. */
export const positionFields = Object.keys(positionOf({})) as readonly (keyof Position)[];

/** What a view of the fleet holds of a live position. */
export type Position = Pick<LivePosition, keyof ReturnType<typeof positionOf>>;

/** The input that the settings add to every request for positions. */
export const speedInput = ({ privacy }: { privacy: string }) => ({ hideSpeedIfSpeedSensitive: privacy !== "off" });
