import * as z from "zod";
import { defineOperation } from "../define-operation.ts";
import type { Operation } from "../operation.ts";
import { text } from "../schemas/field-metadata.ts";
import { LivePosition } from "../schemas/live-position.ts";
import { Identifier, UtcInstant } from "../schemas/scalars.ts";
import type { ListLivePositionsInput } from "./inputs.generated.ts";

// The service could treat an empty filter as no filter.
const filter = z.array(Identifier).min(1, "must not be empty; omit it to get all");

export const listLivePositions: Operation<ListLivePositionsInput, LivePosition[]> = defineOperation({
  name: "listLivePositions",
  summary: "List the latest position and status of vehicles",
  source: "interface 4.3",
  method: "GET",
  path: "/public/v1/customer/{customerId}/tracking/live",
  servers: ["base"],
  auth: ["basic", "bearer"],
  query: {
    vehicleIds: filter.optional().describe("Only these vehicles"),
    groupIds: filter.optional().describe("Only these groups"),
    driverIds: filter.optional().describe("Only these drivers"),
    fromDateTime: UtcInstant.optional().describe("Only from this UTC time onwards"),
    showAllVehicleStatus: z.boolean().optional().describe("Include vehicles with status SOLD"),
    locale: text("language").optional().describe("Language, such as en-GB"),
    hideSpeedIfSpeedSensitive: z.boolean().optional().describe("Omit the speed if the vehicle's or driver's group is speed sensitive"),
  },
  output: z.array(LivePosition),
  effect: "read",
  probe: ({ now }) => ({ fromDateTime: now }),
  tool: {
    title: "List live positions",
    description:
      "Position and state of many vehicles. Fields: assetType, energyType, eventType, moving, speed, odometer, fuelLevelPercentage, electricBatteryLevelPercent, electricRangeKm, ignitionStatus, tags, city, country, status (SOLD).",
    toolset: "positions",
    inputs: ["vehicleIds", "groupIds", "driverIds", "fromDateTime", "showAllVehicleStatus", "locale"],
    unlisted: ["fromDateTime", "showAllVehicleStatus", "locale"],
    hints: { groupIds: "", driverIds: "" },
    names: { vehicleIds: "vehicle", groupIds: "group", driverIds: "driver" },
    rows: {
      path: "",
      noun: ["vehicle", "vehicles"],
      columns: ["assetName", "eventType", "speed", "city", "driverName", "date"],
      query: { example: "speed>80, city=Lyon|Paris", order: "assetName", ties: ["assetName", "assetId"] },
    },
  },
});
