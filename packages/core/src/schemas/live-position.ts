import * as z from "zod";
import { annotate, HEADING, marked, measure, ODOMETER, ofKind, PERCENT, text, upTo, withheld } from "./field-metadata.ts";
import { DateTime, Double, Float, GuardingFlag, Int64, Latitude, Longitude, openEnum } from "./scalars.ts";
import type { ShapeSchema } from "./schema-walk.ts";
import type * as shapes from "./shapes.generated.ts";

/** Latest position and status of a vehicle or other asset (interface 2.4). The values of status, assetType and ignitionStatus are undocumented. */
export const LivePosition: ShapeSchema<shapes.LivePosition> = z
  .object({
    assetRegistration: text("registration").optional().describe("Registration"),
    assetName: text("name").optional().describe("Display name of the asset"),
    assetVin: text("vin").optional().describe("Vehicle identification number"),
    assetId: text("id").optional().describe("System-assigned identifier; never changes"),
    driverId: text("id").optional().describe("System-assigned identifier of the driver; never changes"),
    driverName: text("person").optional().describe("Name of the driver"),
    driverGroupId: text("id").optional().describe("Identifier of the driver's group"),
    driverGroupName: text("name").optional().describe("Name of the driver's group"),
    assetGroupId: text("id").optional().describe("Identifier of the asset's group"),
    assetGroupName: text("name").optional().describe("Name of the asset's group"),
    date: DateTime.optional().describe("When the latest tracking event happened"),
    status: text("label").optional().describe("Status of the vehicle; SOLD is the only documented value"),
    eventType: openEnum(["driving", "idling", "stopped", "ping", "input", "unknown", "defect"])
      .optional()
      .describe(
        "Type of the latest tracking event. ping: a timed report, for example from a trailer; input: a change at an attached device; unknown: a charging report from an electric vehicle; defect: a fault read from the vehicle bus",
      ),
    speed: annotate(Double, { holds: upTo(250), unit: "km/h", withheld: true, omittedFor: "speed-sensitive groups" })
      .optional()
      .describe("Speed in km/h; omitted on request if a group is speed sensitive"),
    odometer: measure(Double, ODOMETER, "km").optional().describe("Odometer in km at the latest event"),
    heading: withheld(measure(Double, HEADING, "degrees"))
      .optional()
      .describe("Heading in degrees clockwise from north"),
    latitude: withheld(Latitude).optional(),
    longitude: withheld(Longitude).optional(),
    road: withheld(text("place")).optional().describe("Road of the address"),
    roadNumber: withheld(text("place")).optional().describe("House number"),
    city: withheld(text("place")).optional().describe("City of the address"),
    postCode: withheld(text("place")).optional().describe("Postcode of the address"),
    country: withheld(text("country")).optional().describe("Country of the address"),
    formattedAddress: withheld(text("place")).optional().describe("Address on one line, comma-separated in the order used in its country"),
    division: withheld(text("place")).optional().describe("Region, county or state of the address"),
    locationName: marked({ knownBy: "latitude" }, withheld(text("name")))
      .optional()
      .describe("Point of interest whose geo-fence the asset is in"),
    locationGroupName: marked({ knownBy: "latitude" }, withheld(text("name")))
      .optional()
      .describe("Category of that point of interest"),
    locationId: marked({ knownBy: "latitude" }, withheld(text("id")))
      .optional()
      .describe("Identifier of that point of interest"),
    privacy: GuardingFlag.optional().describe("Whether the journey is private"),
    tags: z.array(text("text")).optional().describe("Tags"),
    assetType: text("label").optional().describe("Type of asset; values undocumented"),
    energyType: annotate(openEnum(["UNDEFINED", "EV", "PHEV", "HEV", "FECV", "ICE", "CNG", "LNG", "LPG", "BI-FUEL"]), {
      holds: "label",
      beside: "electricBatteryLevelPercent",
    })
      .optional()
      .describe("Powertrain type"),
    fuelType: z
      .array(openEnum(["PETROL", "DIESEL", "PROPANE", "METHANE", "ELECTRIC", "HYDROGEN"]))
      .optional()
      .describe("Primary fuel, then secondary fuel"),
    electricRangeKm: measure(Float, upTo(3_000), "km").optional().describe("Electric range in km"),
    electricRangeKmEstimated: z.boolean().optional().describe("Whether that range is an estimate"),
    electricBatteryLevelPercent: annotate(Float, { holds: PERCENT, unit: "%", beside: "electricRangeKm" })
      .optional()
      .describe("Traction battery level in percent"),
    electricBatteryLevelPercentEstimated: z.boolean().optional().describe("Whether that level is an estimate"),
    electricCharging: z.boolean().optional().describe("Whether the vehicle is charging"),
    electricChargingTimeRemainingMins: measure(Float, upTo(10_000), "min").optional().describe("Remaining charging time in minutes"),
    fuelLevelLitres: measure(Float, upTo(10_000), "l").optional().describe("Fuel level in litres"),
    fuelLevelPercentage: annotate(Float, { holds: PERCENT, unit: "%", beside: "fuelLevelLitres" })
      .optional()
      .describe("Fuel level in percent"),
    engineTotalHours: measure(Float, upTo(65_000), "h").optional().describe("Engine hours at the latest event, as a decimal number"),
    engineRpm: measure(Float, upTo(8_100), "rpm").optional().describe("Engine speed in revolutions per minute"),
    engineTotalHoursType: openEnum(["CAN", "ESTIMATED"])
      .optional()
      .describe("Whether the engine hours were read from the vehicle bus (CAN) or calculated from journeys (ESTIMATED)"),
    serialNumber: ofKind(Int64, "serial")
      .optional()
      .describe("Serial number of the tracking device; a string of digits if a number cannot represent it exactly"),
    ignitionStatus: text("label").optional().describe("Ignition status; values undocumented"),
    batteryVoltage: measure(Float, upTo(100_000)).optional().describe("Charge of the tracking device's own battery"),
    externalPowerVoltage: measure(Float, upTo(100_000)).optional().describe("Charge of an external power source"),
    activeFaultCodes: z.array(text("faultCode")).optional().describe("Codes of active faults"),
  })
  .meta({ id: "LivePosition" });

export type LivePosition = shapes.LivePosition;
