import * as z from "zod";
import { DateTime, Double, Float, GuardingFlag, Int64, Latitude, Longitude, openEnum } from "./scalars.ts";
import type { ShapeSchema } from "./shape-schema.ts";
import type * as shapes from "./shapes.generated.ts";

/**
 * Latest position and status of a vehicle or other asset (interface 2.4). The values of status, assetType and ignitionStatus are not documented.
 */
export const LivePosition: ShapeSchema<shapes.LivePosition> = z
  .object({
    assetRegistration: z.string().optional().describe("Registration"),
    assetName: z.string().optional().describe("Name that people use for the asset"),
    assetVin: z.string().optional().describe("Vehicle identification number"),
    assetId: z.string().optional().describe("Identifier given by the system; never changes"),
    driverId: z.string().optional().describe("Identifier of the driver, given by the system; never changes"),
    driverName: z.string().optional().describe("Name of the driver"),
    driverGroupId: z.string().optional().describe("Identifier of the driver's group"),
    driverGroupName: z.string().optional().describe("Name of the driver's group"),
    assetGroupId: z.string().optional().describe("Identifier of the asset's group"),
    assetGroupName: z.string().optional().describe("Name of the asset's group"),
    date: DateTime.optional().describe("When the latest tracking event happened"),
    status: z.string().optional().describe("Status of the vehicle; values not documented beyond SOLD"),
    eventType: openEnum(["driving", "idling", "stopped", "ping", "input", "unknown", "defect"])
      .optional()
      .describe(
        "Kind of the latest tracking event: ping is a timed report (a trailer's, say), input a change at an attached device, unknown a report of an electric vehicle on its charging, defect a fault read from the bus",
      ),
    speed: Double.optional().describe("Speed in km/h; left out on request where a group is speed sensitive"),
    odometer: Double.optional().describe("Odometer in km at the latest event"),
    heading: Double.optional().describe("Heading in degrees clockwise from north"),
    latitude: Latitude.optional(),
    longitude: Longitude.optional(),
    road: z.string().optional().describe("Road of the address"),
    roadNumber: z.string().optional().describe("Number in the road"),
    city: z.string().optional().describe("City of the address"),
    postCode: z.string().optional().describe("Postcode of the address"),
    country: z.string().optional().describe("Country of the address"),
    formattedAddress: z.string().optional().describe("Address on one line, parts separated by commas in the order of its country"),
    division: z.string().optional().describe("Region, county or state of the address"),
    locationName: z.string().optional().describe("Point of interest whose geo-fence the asset is in"),
    locationGroupName: z.string().optional().describe("Category of that point of interest"),
    locationId: z.string().optional().describe("Identifier of that point of interest"),
    privacy: GuardingFlag.optional().describe("Whether the journey is private"),
    tags: z.array(z.string()).optional().describe("Tags"),
    assetType: z.string().optional().describe("Type of asset; values not documented"),
    energyType: openEnum(["UNDEFINED", "EV", "PHEV", "HEV", "FECV", "ICE", "CNG", "LNG", "LPG", "BI-FUEL"])
      .optional()
      .describe("Kind of drive"),
    fuelType: z
      .array(openEnum(["PETROL", "DIESEL", "PROPANE", "METHANE", "ELECTRIC", "HYDROGEN"]))
      .optional()
      .describe("Primary fuel, then the secondary one"),
    electricRangeKm: Float.optional().describe("Electric range in km"),
    electricRangeKmEstimated: z.boolean().optional().describe("Whether that range is an estimate"),
    electricBatteryLevelPercent: Float.optional().describe("Traction battery level in percent"),
    electricBatteryLevelPercentEstimated: z.boolean().optional().describe("Whether that level is an estimate"),
    electricCharging: z.boolean().optional().describe("Whether the vehicle is charging"),
    electricChargingTimeRemainingMins: Float.optional().describe("Minutes of charging left"),
    fuelLevelLitres: Float.optional().describe("Fuel level in litres"),
    fuelLevelPercentage: Float.optional().describe("Fuel level in percent"),
    engineTotalHours: Float.optional().describe("Engine hours, decimal, at the latest event"),
    engineRpm: Float.optional().describe("Engine speed in revolutions a minute"),
    engineTotalHoursType: openEnum(["CAN", "ESTIMATED"])
      .optional()
      .describe("Engine hours read from the bus (CAN) or worked out from journeys (ESTIMATED)"),
    serialNumber: Int64.optional().describe("Serial number of the tracking device; digits in a string where a number would not be exact"),
    ignitionStatus: z.string().optional().describe("Ignition; values not documented"),
    batteryVoltage: Float.optional().describe("Charge of the tracking device's own battery"),
    externalPowerVoltage: Float.optional().describe("Charge of an external power source"),
    activeFaultCodes: z.array(z.string()).optional().describe("Codes of the faults that are active"),
  })
  .meta({ id: "LivePosition" });

export type LivePosition = shapes.LivePosition;
