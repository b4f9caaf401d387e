import { defineOperation } from "../define-operation.ts";
import type { Operation } from "../operation.ts";
import { Count, Identifier, UtcSeconds } from "../schemas/scalars.ts";
import { VehicleFaultsPage } from "../schemas/vehicle-fault.ts";
import type { ListVehicleFaultsInput } from "./inputs.generated.ts";

export const listVehicleFaults: Operation<ListVehicleFaultsInput, VehicleFaultsPage> = defineOperation({
  name: "listVehicleFaults",
  summary: "List vehicles and their faults, page by page",
  source: "interface 4.2",
  method: "GET",
  path: "/public/v1/customer/{customerId}/vehicle/faults",
  servers: ["base"],
  auth: ["basic"],
  query: {
    vehicleId: Identifier.optional().describe("Only this vehicle"),
    groupId: Identifier.optional().describe("Only this group"),
    startDate: UtcSeconds.optional().describe("From this UTC time; documented as the earliest service due date"),
    endDate: UtcSeconds.optional().describe("Until this UTC time; documented as the latest service due date"),
    pageSize: Count.min(1).optional().describe("Items per page; default and maximum undocumented"),
    pageIndex: Count.min(0).optional().describe("Page index, from 0"),
  },
  output: VehicleFaultsPage,
  effect: "read",
  paging: {
    kind: "page",
    index: "pageIndex",
    size: "pageSize",
    items: "items",
    totalItems: "pagination.totalItems",
    totalPages: "pagination.totalPages",
    pageSize: "pagination.pageSize",
  },
  probe: () => ({ pageSize: 1, pageIndex: 0 }),
  tool: {
    title: "List vehicle faults",
    description:
      "Vehicle faults, latest first, and vehicles affected. Fields: inProgress (open), code, description, lamps, occurrenceCount, startOdometer, startDate, endDate, assetType, city.",
    toolset: "faults",
    hints: { startDate: "When active: today, last month, first/last date", vehicleId: "", groupId: "" },
    names: { vehicleId: "vehicle", groupId: "group" },
    period: ["startDate", "endDate"],
    rows: {
      path: "items.faults",
      noun: ["fault", "faults"],
      totalNoun: ["vehicle", "vehicles"],
      columns: ["assetName", "code", "description", "startDate", "endDate", "inProgress", "lamps", "occurrenceCount"],
      spread: ["details"],
      query: {
        example: "inProgress=true, lamps=red",
        order: "-startDate",
        ties: ["id", "code"],
        vehicle: "id",
        active: ["startDate", "endDate", "inProgress"],
      },
    },
  },
});
