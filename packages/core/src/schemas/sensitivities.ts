import type { AccessToken } from "./access-token.ts";
import type { ApiError } from "./api-error.ts";
import type { Group } from "./group.ts";
import { jobSensitivities } from "./job-sensitivities.ts";
import type { LivePosition } from "./live-position.ts";
import { COUNT, ODOMETER, type Of, PERCENT, type Sensitivity, upTo } from "./sensitivity.ts";
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
  date: "instant",
  status: "label",
  eventType: "label",
  speed: upTo(500),
  odometer: ODOMETER,
  heading: upTo(360),
  latitude: "latitude",
  longitude: "longitude",
  road: "text",
  roadNumber: "text",
  city: "text",
  postCode: "text",
  country: "country",
  formattedAddress: "text",
  division: "text",
  locationName: "name",
  locationGroupName: "name",
  locationId: "id",
  privacy: "flag",
  tags: "text",
  assetType: "label",
  energyType: "label",
  fuelType: "label",
  electricRangeKm: upTo(5_000),
  electricRangeKmEstimated: "flag",
  electricBatteryLevelPercent: PERCENT,
  electricBatteryLevelPercentEstimated: "flag",
  electricCharging: "flag",
  electricChargingTimeRemainingMins: upTo(10_000),
  fuelLevelLitres: upTo(10_000),
  fuelLevelPercentage: PERCENT,
  engineTotalHours: upTo(500_000),
  engineRpm: upTo(20_000),
  engineTotalHoursType: "label",
  serialNumber: "serial",
  ignitionStatus: "label",
  batteryVoltage: upTo(100_000),
  externalPowerVoltage: upTo(100_000),
  activeFaultCodes: "faultCode",
};

const vehicleFaults: Of<typeof VehicleFaults> = {
  id: "id",
  groupName: "name",
  groupId: "id",
  make: "make",
  model: "text",
  version: "text",
  assetRegistration: "registration",
  assetName: "name",
  driverId: "id",
  faults: "shape",
};
const fault: Of<typeof Fault> = {
  description: "text",
  code: "faultCode",
  startDate: "instant",
  endDate: "instant",
  startOdometer: ODOMETER,
  endOdometer: ODOMETER,
  inProgress: "flag",
  details: "shape",
};
const faultDetails: Of<typeof FaultDetails> = {
  source: "label",
  sourceDescription: "text",
  occurrenceCount: upTo(100_000),
  fmi: "label",
  fmiDescription: "text",
  lamps: "label",
};
const vehicleFaultsPage: Of<typeof VehicleFaultsPage> = { items: "shape", pagination: "shape" };
const pagination: Of<typeof Pagination> = { totalItems: COUNT, totalPages: COUNT, pageSize: COUNT, pageIndex: COUNT };

const tachoActivity: Of<typeof TachoActivity> = {
  assetId: "id",
  assetRegistration: "registration",
  startTime: "instant",
  type: "label",
  activity: "label",
  startLatitude: "latitude",
  startLongitude: "longitude",
  duration: upTo(3_000_000),
  endTime: "instant",
  endLatitude: "latitude",
  endLongitude: "longitude",
  inProgress: "flag",
  flagDDD: "flag",
  flagManualEntry: "flag",
  vehicleFriendlyName: "name",
  driverCardSlot: upTo(9),
  isStartOfShift: "flag",
  isEndOfShift: "flag",
  distance: ODOMETER,
};
const tachoDriver: Of<typeof TachoDriver> = { driverId: "id", driverKey: "id", activities: "shape" };
const tachoActivityPage: Of<typeof TachoActivityPage> = { count: COUNT, data: "shape" };

const accessToken: Of<typeof AccessToken> = { success: "flag", accessToken: "secret", token_type: "label", expires_in: upTo(31_622_400) };
const apiError: Of<typeof ApiError> = { errorCode: upTo(999_999), errorMessage: "text", offendingFields: "field" };

/** By the name of a shape and the name of its field. A field of objects is `shape`: what stands in it has a shape of its own. */
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

/** Of the fields of a request that are not those of a shape above, by their names. */
export const requestSensitivities: Readonly<Record<string, Sensitivity>> = {
  vehicleId: "id",
  vehicleIds: "id",
  groupId: "id",
  groupIds: "id",
  driverIds: "id",
  driverKeys: "id",
  registrations: "registration",
  fromDateTime: "instant",
  startDate: "instant",
  endDate: "instant",
  startTime: "instant",
  endTime: "instant",
  pageSize: COUNT,
  pageIndex: COUNT,
  skip: COUNT,
  limit: COUNT,
  showAllVehicleStatus: "flag",
  hideSpeedIfSpeedSensitive: "flag",
  override: "flag",
  dataContent: "label",
  grant_type: "label",
  sort: "sort",
};
