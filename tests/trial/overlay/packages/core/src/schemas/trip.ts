import * as z from "zod";
import { measure, text, withheld } from "./field-metadata.ts";
import { upTo } from "./field-privacy.ts";
import { DateTime, Double, GuardingFlag } from "./scalars.ts";
import type { ShapeSchema } from "./shape-schema.ts";
import type * as shapes from "./shapes.generated.ts";
import { Pagination } from "./vehicle-fault.ts";

/** One drive of a vehicle, from departure to stop (interface 4.7). */
export const Trip: ShapeSchema<shapes.Trip> = z
  .object({
    tripId: text("id").optional().describe("Identifier of the trip"),
    vehicleId: text("id").optional().describe("Identifier of the vehicle"),
    vehicleName: text("name").optional().describe("Name of the vehicle"),
    startDateTime: DateTime.optional().describe("When the vehicle departed"),
    endDateTime: DateTime.optional().describe("When it stopped"),
    distance: measure(Double, upTo(5_000), "km").optional().describe("Distance in km"),
    startAddress: withheld(text("place")).optional().describe("Address of departure, on one line"),
    endAddress: withheld(text("place")).optional().describe("Address where it stopped, on one line"),
    driverName: text("person").optional().describe("Name of the driver"),
    maxSpeed: withheld(measure(Double, upTo(500), "km/h"))
      .optional()
      .describe("Highest speed in km/h"),
    privacy: GuardingFlag.optional().describe("Whether the trip is private"),
  })
  .meta({ id: "Trip" });

export type Trip = shapes.Trip;

/** One page of trips (interface 4.7). */
export const TripsPage: ShapeSchema<shapes.TripsPage> = z
  .object({
    items: z.array(Trip).optional().describe("Trips"),
    pagination: Pagination.optional().describe("Position of this page"),
  })
  .meta({ id: "TripsPage" });

export type TripsPage = shapes.TripsPage;
