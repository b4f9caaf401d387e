import { describe, expect, it } from "vitest";
import {
  AccessToken,
  ApiError,
  Fault,
  FaultDetails,
  Group,
  jsonSchemaOf,
  LivePosition,
  Pagination,
  TachoActivity,
  TachoActivityPage,
  TachoDriver,
  VehicleFaults,
  VehicleFaultsPage,
} from "../src/index.ts";
import { all, type FieldTable, fieldTable } from "./field-table.ts";

// Written by hand from the interface description, part 2, never from the schemas.
const livePosition: FieldTable = {
  ...all(
    "string",
    `assetRegistration assetName assetVin assetId driverId driverName driverGroupId driverGroupName assetGroupId assetGroupName status
     road roadNumber city postCode country formattedAddress division locationName locationGroupName locationId assetType ignitionStatus`,
  ),
  date: "string date-time",
  eventType: "string driving|idling|stopped|ping|input|unknown|defect",
  ...all("number double", "speed odometer heading latitude longitude"),
  ...all("boolean", "privacy electricRangeKmEstimated electricBatteryLevelPercentEstimated electricCharging"),
  ...all("string[]", "tags activeFaultCodes"),
  energyType: "string UNDEFINED|EV|PHEV|HEV|FECV|ICE|CNG|LNG|LPG|BI-FUEL",
  fuelType: "string[] PETROL|DIESEL|PROPANE|METHANE|ELECTRIC|HYDROGEN",
  ...all(
    "number float",
    `electricRangeKm electricBatteryLevelPercent electricChargingTimeRemainingMins fuelLevelLitres fuelLevelPercentage
     engineTotalHours engineRpm batteryVoltage externalPowerVoltage`,
  ),
  engineTotalHoursType: "string CAN|ESTIMATED",
  serialNumber: "integer int64",
};

const tachoActivity: FieldTable = {
  ...all("string", "assetId assetRegistration startTime type activity endTime vehicleFriendlyName"),
  ...all("number", "startLatitude startLongitude duration endLatitude endLongitude driverCardSlot distance"),
  ...all("boolean", "inProgress flagDDD flagManualEntry isStartOfShift isEndOfShift"),
};

const shapes = [
  {
    shape: "Group",
    source: "2.1",
    schema: Group,
    fields: { id: "string required", ...all("string", "name parentId path"), ...all("string[]", "vehicleIds personIds") },
    count: 6,
  },
  {
    shape: "ApiError",
    source: "2.2",
    schema: ApiError,
    fields: { errorCode: "integer int32", errorMessage: "string", offendingFields: "string[]" },
    count: 3,
  },
  {
    shape: "vehicle faults response",
    source: "2.3",
    schema: VehicleFaultsPage,
    fields: { items: "VehicleFaults[]", pagination: "Pagination" },
    count: 2,
  },
  {
    shape: "vehicle faults item",
    source: "2.3",
    schema: VehicleFaults,
    fields: { ...all("string", "id groupName groupId make model version assetRegistration assetName driverId"), faults: "Fault[]" },
    count: 10,
  },
  {
    shape: "fault",
    source: "2.3",
    schema: Fault,
    fields: {
      ...all("string", "description code"),
      ...all("string date-time", "startDate endDate"),
      ...all("number", "startOdometer endOdometer"),
      inProgress: "boolean",
      details: "FaultDetails",
    },
    count: 8,
  },
  {
    shape: "fault details",
    source: "2.3",
    schema: FaultDetails,
    fields: { ...all("string", "source sourceDescription fmi fmiDescription"), occurrenceCount: "number", lamps: "string[]" },
    count: 6,
  },
  { shape: "pagination", source: "2.3", schema: Pagination, fields: all("integer", "totalItems totalPages pageSize pageIndex"), count: 4 },
  { shape: "live position", source: "2.4", schema: LivePosition, fields: livePosition, count: 49 },
  {
    shape: "tachograph response",
    source: "2.7",
    schema: TachoActivityPage,
    fields: { count: "integer required", data: "TachoDriver[] required" },
    count: 2,
  },
  {
    shape: "driver entry",
    source: "2.7",
    schema: TachoDriver,
    fields: { ...all("string", "driverId driverKey"), activities: "TachoActivity[]" },
    count: 3,
  },
  { shape: "tachograph activity", source: "2.7", schema: TachoActivity, fields: tachoActivity, count: 19 },
  {
    shape: "token response",
    source: "5.2",
    schema: AccessToken,
    fields: { success: "boolean", accessToken: "string", token_type: "string bearer", expires_in: "integer" },
    count: 4,
  },
];

describe("shapes of the interface", () => {
  it.each(shapes)("$shape ($source) has exactly $count fields", ({ schema, fields, count }) => {
    expect(Object.keys(fields)).toHaveLength(count);
    expect(fieldTable(schema)).toEqual(fields);
  });

  it("states the rules of a group: an id of 1 to 24 [a-z0-9], a name of at most 255, a read-only path", () => {
    expect(jsonSchemaOf(Group)["properties"]).toMatchObject({
      id: { minLength: 1, maxLength: 24, pattern: "^[a-z0-9]+$" },
      name: { maxLength: 255 },
      path: { readOnly: true },
    });
  });

  it.each(shapes)("$shape allows undocumented fields", ({ schema }) => {
    expect(jsonSchemaOf(schema)).not.toHaveProperty("additionalProperties");
  });
});
