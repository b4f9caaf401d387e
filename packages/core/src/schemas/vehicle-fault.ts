import * as z from "zod";
import { DateTime } from "./scalars.ts";
import type { ShapeSchema } from "./shape-schema.ts";
import type * as shapes from "./shapes.generated.ts";

/** Where a fault came from and what the bus said of it (interface 2.3). */
export const FaultDetails: ShapeSchema<shapes.FaultDetails> = z
  .object({
    source: z.string().optional().describe("Component that reported the fault"),
    sourceDescription: z.string().optional().describe("That component in words"),
    occurrenceCount: z.number().optional().describe("How often the fault occurred"),
    fmi: z.string().optional().describe("Failure mode identifier"),
    fmiDescription: z.string().optional().describe("The failure mode in words"),
    lamps: z.array(z.string()).optional().describe("Warning lamps that were lit"),
  })
  .meta({ id: "FaultDetails" });

export type FaultDetails = shapes.FaultDetails;

/** One fault of a vehicle (interface 2.3). The unit of the odometer readings is not stated there. */
export const Fault: ShapeSchema<shapes.Fault> = z
  .object({
    description: z.string().optional().describe("The fault in words"),
    code: z.string().optional().describe("Fault code"),
    startDate: DateTime.optional().describe("When the fault began"),
    endDate: DateTime.optional().describe("When the fault ended"),
    startOdometer: z.number().optional().describe("Odometer when the fault began; unit not stated"),
    endOdometer: z.number().optional().describe("Odometer when the fault ended; unit not stated"),
    inProgress: z.boolean().optional().describe("Whether the fault is still there"),
    details: FaultDetails.optional().describe("Where the fault came from"),
  })
  .meta({ id: "Fault" });

export type Fault = shapes.Fault;

/** A vehicle and its faults (interface 2.3). */
export const VehicleFaults: ShapeSchema<shapes.VehicleFaults> = z
  .object({
    id: z.string().optional().describe("Identifier of the vehicle"),
    groupName: z.string().optional().describe("Name of the vehicle's group"),
    groupId: z.string().optional().describe("Identifier of the vehicle's group"),
    make: z.string().optional().describe("Maker of the vehicle"),
    model: z.string().optional().describe("Model of the vehicle"),
    version: z.string().optional().describe("Version of the model"),
    assetRegistration: z.string().optional().describe("Registration of the vehicle"),
    assetName: z.string().optional().describe("Name of the vehicle"),
    driverId: z.string().optional().describe("Identifier of the driver"),
    faults: z.array(Fault).optional().describe("Faults of the vehicle"),
  })
  .meta({ id: "VehicleFaults" });

export type VehicleFaults = shapes.VehicleFaults;

/** Which part of the whole a page is (interface 2.3). */
export const Pagination: ShapeSchema<shapes.Pagination> = z
  .object({
    totalItems: z.int().optional().describe("Items in all"),
    totalPages: z.int().optional().describe("Pages in all"),
    pageSize: z.int().optional().describe("Items on a page"),
    pageIndex: z.int().optional().describe("Index of this page, from 0"),
  })
  .meta({ id: "Pagination" });

export type Pagination = shapes.Pagination;

/** One page of vehicle faults (interface 2.3). */
export const VehicleFaultsPage: ShapeSchema<shapes.VehicleFaultsPage> = z
  .object({
    items: z.array(VehicleFaults).optional().describe("Vehicles with their faults"),
    pagination: Pagination.optional().describe("Where this page stands"),
  })
  .meta({ id: "VehicleFaultsPage" });

export type VehicleFaultsPage = shapes.VehicleFaultsPage;
