import type { LivePosition } from "@fleetwire/core";

/** The fields that tools search, count and compare. Tools can only use these, since a view of the fleet holds no others. */
export const positionFields = [
  "assetId",
  "assetName",
  "assetRegistration",
  "assetVin",
  "assetType",
  "assetGroupId",
  "assetGroupName",
  "driverId",
  "driverName",
  "driverGroupId",
  "driverGroupName",
  "date",
  "eventType",
  "speed",
  "heading",
  "latitude",
  "longitude",
  "city",
  "country",
  "formattedAddress",
  "locationId",
  "locationName",
  "privacy",
  "energyType",
  "fuelType",
  "electricCharging",
  "electricBatteryLevelPercent",
  "electricChargingTimeRemainingMins",
  "fuelLevelPercentage",
  "activeFaultCodes",
] as const satisfies readonly (keyof LivePosition)[];

/** What a view of the fleet holds of a live position. */
export type Position = Pick<LivePosition, (typeof positionFields)[number]>;

/** The part of every request for positions that follows from the settings. */
export const speedInput = ({ privacy }: { privacy: string }) => ({ hideSpeedIfSpeedSensitive: privacy !== "off" });
