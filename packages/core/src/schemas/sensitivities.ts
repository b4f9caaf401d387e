import type { AccessToken } from "./access-token.ts";
import type { ApiError } from "./api-error.ts";
import type { Group } from "./group.ts";
import { jobSensitivities, type Of, type Sensitivity } from "./job-sensitivities.ts";
import type { LivePosition } from "./live-position.ts";
import type { TachoActivity, TachoActivityPage, TachoDriver } from "./tacho-activity.ts";
import type { Fault, FaultDetails, Pagination, VehicleFaults, VehicleFaultsPage } from "./vehicle-fault.ts";

const group: Of<typeof Group> = { id: "id", name: "name", parentId: "id", path: "id", vehicleIds: "id", personIds: "id" };

const livePosition: Of<typeof LivePosition> = {
  assetRegistration: "registration",
  assetName: "name",
  assetVin: "vin",
  assetId: "id",
  driverId: "id",
  driverName: "name",
  driverGroupId: "id",
  driverGroupName: "name",
  assetGroupId: "id",
  assetGroupName: "name",
  date: "plain",
  status: "label",
  eventType: "label",
  speed: "plain",
  odometer: "plain",
  heading: "plain",
  latitude: "latitude",
  longitude: "longitude",
  road: "text",
  roadNumber: "text",
  city: "text",
  postCode: "text",
  country: "plain",
  formattedAddress: "text",
  division: "text",
  locationName: "name",
  locationGroupName: "name",
  locationId: "id",
  privacy: "plain",
  tags: "text",
  assetType: "label",
  energyType: "label",
  fuelType: "label",
  electricRangeKm: "plain",
  electricRangeKmEstimated: "plain",
  electricBatteryLevelPercent: "plain",
  electricBatteryLevelPercentEstimated: "plain",
  electricCharging: "plain",
  electricChargingTimeRemainingMins: "plain",
  fuelLevelLitres: "plain",
  fuelLevelPercentage: "plain",
  engineTotalHours: "plain",
  engineRpm: "plain",
  engineTotalHoursType: "label",
  serialNumber: "serial",
  ignitionStatus: "label",
  batteryVoltage: "plain",
  externalPowerVoltage: "plain",
  activeFaultCodes: "plain",
};

const vehicleFaults: Of<typeof VehicleFaults> = {
  id: "id",
  groupName: "name",
  groupId: "id",
  make: "plain",
  model: "plain",
  version: "text",
  assetRegistration: "registration",
  assetName: "name",
  driverId: "id",
  faults: "plain",
};
const fault: Of<typeof Fault> = {
  description: "text",
  code: "plain",
  startDate: "plain",
  endDate: "plain",
  startOdometer: "plain",
  endOdometer: "plain",
  inProgress: "plain",
  details: "plain",
};
const faultDetails: Of<typeof FaultDetails> = {
  source: "plain",
  sourceDescription: "text",
  occurrenceCount: "plain",
  fmi: "plain",
  fmiDescription: "text",
  lamps: "plain",
};
const vehicleFaultsPage: Of<typeof VehicleFaultsPage> = { items: "plain", pagination: "plain" };
const pagination: Of<typeof Pagination> = { totalItems: "plain", totalPages: "plain", pageSize: "plain", pageIndex: "plain" };

const tachoActivity: Of<typeof TachoActivity> = {
  assetId: "id",
  assetRegistration: "registration",
  startTime: "plain",
  type: "label",
  activity: "label",
  startLatitude: "latitude",
  startLongitude: "longitude",
  duration: "plain",
  endTime: "plain",
  endLatitude: "latitude",
  endLongitude: "longitude",
  inProgress: "plain",
  flagDDD: "plain",
  flagManualEntry: "plain",
  vehicleFriendlyName: "name",
  driverCardSlot: "plain",
  isStartOfShift: "plain",
  isEndOfShift: "plain",
  distance: "plain",
};
const tachoDriver: Of<typeof TachoDriver> = { driverId: "id", driverKey: "id", activities: "plain" };
const tachoActivityPage: Of<typeof TachoActivityPage> = { count: "plain", data: "plain" };

const accessToken: Of<typeof AccessToken> = { success: "plain", accessToken: "secret", token_type: "label", expires_in: "plain" };
const apiError: Of<typeof ApiError> = { errorCode: "plain", errorMessage: "text", offendingFields: "plain" };

/** By the name of a shape and the name of its field. A field of objects is `plain`: what stands in it has a shape of its own. */
export const sensitivities: Readonly<Record<string, Readonly<Record<string, Sensitivity>>>> = {
  Group: group,
  LivePosition: livePosition,
  ...jobSensitivities,
  VehicleFaults: vehicleFaults,
  Fault: fault,
  FaultDetails: faultDetails,
  VehicleFaultsPage: vehicleFaultsPage,
  Pagination: pagination,
  TachoActivity: tachoActivity,
  TachoDriver: tachoDriver,
  TachoActivityPage: tachoActivityPage,
  AccessToken: accessToken,
  ApiError: apiError,
};

/** Of the fields of a request that are not those of a shape above, by their names; others tell nothing. */
export const requestSensitivities: Readonly<Record<string, Sensitivity>> = {
  vehicleId: "id",
  vehicleIds: "id",
  groupId: "id",
  groupIds: "id",
  driverIds: "id",
  driverKeys: "id",
  registrations: "registration",
  sort: "plain",
};
