import * as z from "zod";
import { measure, ODOMETER, text, upTo } from "./field-metadata.ts";
import { Count, DateTime } from "./scalars.ts";
import type { ShapeSchema } from "./schema-walk.ts";
import type * as shapes from "./shapes.generated.ts";

/** The source of a fault, and details from the vehicle bus (interface 2.3). */
export const FaultDetails: ShapeSchema<shapes.FaultDetails> = z
  .object({
    source: text("label").optional().describe("Component that reported the fault"),
    sourceDescription: text("text").optional().describe("Description of that component"),
    occurrenceCount: measure(z.number(), upTo(100_000)).optional().describe("How often the fault occurred"),
    fmi: text("label").optional().describe("Failure mode identifier"),
    fmiDescription: text("text").optional().describe("Description of the failure mode"),
    lamps: z.array(text("label")).optional().describe("Warning lamps that were lit"),
  })
  .meta({ id: "FaultDetails" });

export type FaultDetails = shapes.FaultDetails;

/** One fault of a vehicle (interface 2.3). The interface does not state the unit of the odometer readings. */
export const Fault: ShapeSchema<shapes.Fault> = z
  .object({
    description: text("text").optional().describe("Description of the fault"),
    code: text("faultCode").optional().describe("Fault code"),
    startDate: DateTime.optional().describe("When the fault began"),
    endDate: DateTime.optional().describe("When the fault ended"),
    startOdometer: measure(z.number(), ODOMETER).optional().describe("Odometer when the fault began; unit not stated"),
    endOdometer: measure(z.number(), ODOMETER).optional().describe("Odometer when the fault ended; unit not stated"),
    inProgress: z.boolean().optional().describe("Whether the fault is still active (open)"),
    details: FaultDetails.optional().describe("Source of the fault, and details from the vehicle bus"),
  })
  .meta({ id: "Fault" });

export type Fault = shapes.Fault;

/** A vehicle and its faults (interface 2.3). */
export const VehicleFaults: ShapeSchema<shapes.VehicleFaults> = z
  .object({
    id: text("id").optional().describe("Identifier of the vehicle"),
    groupName: text("name").optional().describe("Name of the vehicle's group"),
    groupId: text("id").optional().describe("Identifier of the vehicle's group"),
    make: text("make").optional().describe("Make of the vehicle"),
    model: text("text").optional().describe("Model of the vehicle"),
    version: text("text").optional().describe("Version of the model"),
    assetRegistration: text("registration").optional().describe("Registration of the vehicle"),
    assetName: text("name").optional().describe("Name of the vehicle"),
    driverId: text("id").optional().describe("Identifier of the driver"),
    faults: z.array(Fault).optional().describe("Faults of the vehicle"),
  })
  .meta({ id: "VehicleFaults" });

export type VehicleFaults = shapes.VehicleFaults;

/** The position of a page within the list (interface 2.3). */
export const Pagination: ShapeSchema<shapes.Pagination> = z
  .object({
    totalItems: Count.optional().describe("Total number of items"),
    totalPages: Count.optional().describe("Total number of pages"),
    pageSize: Count.optional().describe("Items per page"),
    pageIndex: Count.optional().describe("Index of this page, from 0"),
  })
  .meta({ id: "Pagination" });

export type Pagination = shapes.Pagination;

/** One page of vehicle faults (interface 2.3). */
export const VehicleFaultsPage: ShapeSchema<shapes.VehicleFaultsPage> = z
  .object({
    items: z.array(VehicleFaults).optional().describe("Vehicles with their faults"),
    pagination: Pagination.optional().describe("Position of this page within the list"),
  })
  .meta({ id: "VehicleFaultsPage" });

export type VehicleFaultsPage = shapes.VehicleFaultsPage;
