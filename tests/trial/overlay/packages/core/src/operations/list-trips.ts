import { defineOperation } from "../define-operation.ts";
import type { Operation } from "../operation.ts";
import { Count, Identifier, UtcInstant } from "../schemas/scalars.ts";
import { TripsPage } from "../schemas/trip.ts";
import type { ListTripsInput } from "./inputs.generated.ts";

export const listTrips: Operation<ListTripsInput, TripsPage> = defineOperation({
  name: "listTrips",
  summary: "List the trips of a vehicle, page by page",
  source: "interface 4.7",
  method: "GET",
  path: "/public/v1/customer/{customerId}/vehicle/{vehicleId}/trips",
  servers: ["base"],
  auth: ["basic"],
  params: { vehicleId: Identifier.describe("The vehicle whose trips are listed") },
  query: {
    startDate: UtcInstant.optional().describe("Only trips that started at this UTC time or later"),
    endDate: UtcInstant.optional().describe("Only trips that ended at this UTC time or earlier"),
    pageIndex: Count.min(0).optional().describe("Index of the page, from 0"),
    pageSize: Count.min(1).optional().describe("Trips on a page; default and maximum are not documented"),
  },
  output: TripsPage,
  effect: "read",
  paging: {
    kind: "page",
    index: "pageIndex",
    size: "pageSize",
    items: "items",
    totalItems: "pagination.totalItems",
    totalPages: "pagination.totalPages",
  },
  probe: ({ vehicleId }) => (vehicleId === undefined ? undefined : { vehicleId, pageSize: 1, pageIndex: 0 }),
  tool: {
    title: "List trips",
    description: "Trips of one vehicle: when, from where to where, how far, who drove.",
    toolset: "trips",
    names: { vehicleId: "vehicle" },
    period: ["startDate", "endDate"],
    rows: {
      path: "items",
      noun: ["trip", "trips"],
      columns: ["startDateTime", "endDateTime", "startAddress", "endAddress", "distance", "driverName", "maxSpeed"],
    },
  },
});
