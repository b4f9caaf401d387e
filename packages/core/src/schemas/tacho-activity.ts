import * as z from "zod";
import { marked, measure, ODOMETER, ofKind, text, upTo, withheld } from "./field-metadata.ts";
import { Count } from "./scalars.ts";
import type { ShapeSchema } from "./schema-walk.ts";
import type * as shapes from "./shapes.generated.ts";

/** One activity of a driver (interface 2.7). The values of type and activity, and the units of duration and distance, are undocumented. */
export const TachoActivity: ShapeSchema<shapes.TachoActivity> = z
  .object({
    assetId: marked({ journeyOf: "vehicle" }, text("id")).optional().describe("Identifier of the vehicle"),
    assetRegistration: marked({ journeyOf: "vehicle" }, text("registration")).optional().describe("Registration of the vehicle"),
    startTime: marked({ spans: "start" }, text("instant")).optional().describe("When the activity began"),
    type: text("label").optional().describe("Type; values undocumented"),
    activity: text("label").optional().describe("Activity; values undocumented"),
    startLatitude: withheld(ofKind(z.number(), "latitude")).optional().describe("Latitude where the activity began"),
    startLongitude: withheld(ofKind(z.number(), "longitude")).optional().describe("Longitude where the activity began"),
    duration: marked({ adds: true }, measure(z.number(), upTo(3_000_000)))
      .optional()
      .describe("Duration; unit not stated"),
    endTime: marked({ spans: "end" }, text("instant")).optional().describe("When the activity ended"),
    endLatitude: withheld(ofKind(z.number(), "latitude")).optional().describe("Latitude where the activity ended"),
    endLongitude: withheld(ofKind(z.number(), "longitude")).optional().describe("Longitude where the activity ended"),
    inProgress: marked({ spans: "open" }, z.boolean()).optional().describe("Whether the activity is still in progress"),
    flagDDD: z.boolean().optional().describe("Flag for tachograph file (DDD) data"),
    flagManualEntry: z.boolean().optional().describe("Flag for a manual entry"),
    vehicleFriendlyName: text("name").optional().describe("Display name of the vehicle"),
    driverCardSlot: measure(z.number(), upTo(9)).optional().describe("Slot of the driver card"),
    isStartOfShift: z.boolean().optional().describe("Whether the activity starts a shift"),
    isEndOfShift: z.boolean().optional().describe("Whether the activity ends a shift"),
    distance: marked({ adds: true }, measure(z.number(), ODOMETER)).optional().describe("Distance; unit not stated"),
  })
  .meta({ id: "TachoActivity" });

export type TachoActivity = shapes.TachoActivity;

/** A driver and the driver's activities (interface 2.7). */
export const TachoDriver: ShapeSchema<shapes.TachoDriver> = z
  .object({
    driverId: marked({ journeyOf: "driver" }, text("id")).optional().describe("Identifier of the driver"),
    driverKey: text("id").optional().describe("Full driver key"),
    activities: z.array(TachoActivity).optional().describe("Activities of the driver"),
  })
  .meta({ id: "TachoDriver" });

export type TachoDriver = shapes.TachoDriver;

/** Response to a tachograph query (interface 2.7). */
export const TachoActivityPage: ShapeSchema<shapes.TachoActivityPage> = z
  .object({ count: Count.describe("Total number of records found"), data: z.array(TachoDriver).describe("Drivers with their activities") })
  .meta({ id: "TachoActivityPage" });

export type TachoActivityPage = shapes.TachoActivityPage;

const SortOrder = z.enum(["ASC", "DESC"]);

/** The fifteen fields that results can be sorted by (interface 4.5). */
const sortKeys = [
  "driverId",
  "driverKey",
  "activities.assetId",
  "activities.startTime",
  "activities.type",
  "activities.activity",
  "activities.startLatitude",
  "activities.startLongitude",
  "activities.endTime",
  "activities.endLatitude",
  "activities.endLongitude",
  "activities.vehicleFriendlyName",
  "activities.driverCardSlot",
  "activities.isStartOfShift",
  "activities.isEndOfShift",
] as const;

/** The sort order of results: ascending or descending by field (interface 4.5). Fields are sent in the order given; their precedence is undocumented. */
export const TachoSort: ShapeSchema<shapes.TachoSort> = z.strictObject(
  Object.fromEntries(sortKeys.map((key) => [key, SortOrder.optional()])) as Record<
    (typeof sortKeys)[number],
    z.ZodOptional<typeof SortOrder>
  >,
);

export type TachoSort = shapes.TachoSort;
