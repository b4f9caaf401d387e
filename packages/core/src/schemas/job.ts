import * as z from "zod";
import { annotate, confidential, measure, metadataOf, text, upTo } from "./field-metadata.ts";
import { JobHistoryEntry, JobPhoto, JobSignature, JobType, ResourceFile, StatusHistoryEntry, SubStatus, VisitResult } from "./job-parts.ts";
import { Double, Identifier, Int32, Latitude, Longitude, openEnum, UtcMinutes, UtcMinutesOrDay } from "./scalars.ts";
import type { ShapeSchema } from "./schema-walk.ts";
import type * as shapes from "./shapes.generated.ts";

/** A job: a piece of work or a delivery (interface 2.5). */
export const Job: ShapeSchema<shapes.Job> = z
  .object({
    jobId: text("id").optional().describe("System-assigned identifier"),
    jobNumber: text("id").optional().describe("Job number; must be unique; generated if absent"),
    jobTitle: text("text").optional().describe("Title"),
    clientName: text("name").optional().describe("Name of the account's customer"),
    accountNumber: text("id").optional().describe("Account number"),
    contactName: confidential(text("contact")).optional().describe("Person who receives the order"),
    contactEmail: confidential(text("email")).optional().describe("That person's e-mail address"),
    contactPhone: confidential(text("phone")).optional().describe("That person's telephone number"),
    notes: confidential(text("text")).optional().describe("Notes"),
    lat: Latitude.optional().describe("Latitude of the delivery; give it together with lng, instead of or in addition to an address"),
    lng: Longitude.optional().describe("Longitude of the delivery; give it together with lat"),
    address: text("place").optional().describe("Full address; required unless lat and lng are given"),
    statusChangeTimestamp: text("instant").optional().describe("When the status changed"),
    statusChangeId: text("id").optional().describe("Identifier of the status change"),
    scheduledStartDateTime: text("instant").optional().describe("Scheduled start in UTC, YYYY-MM-DDTHH:mmZ or YYYY-DD-MM"),
    jobDuration: text("duration").optional().describe("Scheduled duration in hours and minutes; format not stated"),
    arrivalWindowStart: text("instant").optional().describe("Start of the arrival window in UTC, YYYY-MM-DDTHH:mmZ"),
    arrivalWindowEnd: text("instant").optional().describe("End of the arrival window in UTC, YYYY-MM-DDTHH:mmZ"),
    personId: text("id").optional().describe("Identifier of an existing driver, whose name becomes personName"),
    vehicleId: text("id").optional().describe("Identifier of an existing vehicle, whose name becomes vehicleName"),
    groupName: text("name").optional().describe("Name of an existing group; defaults to the root group"),
    personName: text("person").optional().describe("Name of the driver; defaults to the default driver of vehicleName, if there is one"),
    vehicleName: text("name").optional().describe("Name of an existing vehicle, whose default driver becomes personName"),
    orderNumbers: z.array(text("id")).optional().describe("Order numbers"),
    status: openEnum(["NEW", "ASSIGNED", "RECEIVED", "IN_PROGRESS", "VISITED", "CANCELLED", "MISSED", "ACCEPTED", "INCOMPLETE", "$UNKNOWN"])
      .optional()
      .describe("Status"),
    driverNotes: text("text").optional().describe("Driver's notes"),
    statusHistory: z.array(StatusHistoryEntry).optional().describe("Status changes"),
    actualStart: text("instant").optional().describe("When work began"),
    actualEnd: text("instant").optional().describe("When work ended"),
    overrideLat: Latitude.optional().describe("Overriding latitude"),
    overrideLng: Longitude.optional().describe("Overriding longitude"),
    jobHistory: z.array(JobHistoryEntry).optional().describe("History of the job"),
    jobRadius: measure(Int32, upTo(1_000_000), "m").optional().describe("Radius in metres; defaults to 200"),
    eta: text("instant").optional().describe("Estimated time of arrival"),
    etaDistanceKms: measure(Double, upTo(50_000), "km").optional().describe("Remaining distance in km"),
    lastEtaCalcTime: text("instant").optional().describe("When that estimate was calculated"),
    primaryResource: openEnum(["DRIVER", "VEHICLE", "$UNKNOWN"]).optional().describe("Whether the job belongs to a driver or a vehicle"),
    jobTypeId: text("id").optional().describe("Identifier of an existing job type"),
    jobType: JobType.optional().describe("Type of the job"),
    jobPhotos: z.array(JobPhoto).optional().describe("Photos"),
    jobSignature: JobSignature.optional().describe("Signature"),
    linkingId: text("id")
      .optional()
      .describe(
        "Alphanumeric identifier that links jobs; set it to an empty string to have one generated; cannot be combined with linkedJobIndex",
      ),
    linkedJobDescription: text("text").optional().describe("Description of the linked job"),
    linkedJobIndex: measure(z.string().optional(), upTo(999)).describe(
      "Position in the sequence of linked jobs; cannot be combined with linkingId",
    ),
    resources: z.array(ResourceFile).optional().describe("Files to upload, at most 3"),
    subStatus: SubStatus.optional().describe("Sub-status"),
    lastServerTime: text("instant").optional().describe("Server time"),
    visitResults: z.array(VisitResult).optional().describe("Results of visits"),
    subStatusLabel: text("text").optional().describe("Label of the sub-status"),
    statusLabel: text("label").optional().describe("Label of the status"),
  })
  .meta({ id: "Job" });

export type Job = shapes.Job;

/** Returns a schema with the description and metadata of a {@link Job} field. */
const described = <Schema extends z.ZodType>(schema: Schema, field: keyof typeof Job.shape): Schema =>
  annotate(schema.meta({ description: Job.shape[field].description }), metadataOf(Job.shape[field]));

/** A {@link Job} with the rules for creating one (interface 2.5, part 8). */
export const JobRequest: ShapeSchema<shapes.JobRequest> = Job.extend({
  scheduledStartDateTime: described(UtcMinutesOrDay.optional(), "scheduledStartDateTime"),
  arrivalWindowStart: described(UtcMinutes.optional(), "arrivalWindowStart"),
  arrivalWindowEnd: described(UtcMinutes.optional(), "arrivalWindowEnd"),
  personId: described(Identifier.optional(), "personId"),
  vehicleId: described(Identifier.optional(), "vehicleId"),
  status: described(z.enum(["NEW", "ASSIGNED", "IN_PROGRESS", "VISITED", "CANCELLED"]).optional(), "status"),
  primaryResource: described(z.enum(["DRIVER", "VEHICLE", "$UNKNOWN"]).optional(), "primaryResource"),
  linkingId: described(
    z
      .string()
      .regex(/^[A-Za-z0-9]*$/, "must consist of letters and digits only, or be empty")
      .optional(),
    "linkingId",
  ),
  jobRadius: described(
    Int32.min(-(2 ** 31))
      .max(2 ** 31 - 1)
      .optional(),
    "jobRadius",
  ),
  resources: described(z.array(ResourceFile).max(3, "must have at most 3 entries").optional(), "resources"),
}).meta({ id: "JobRequest" });

export type JobRequest = shapes.JobRequest;

/** A rejected field of a job (interface 2.6). */
export const JobError: ShapeSchema<shapes.JobError> = z
  .object({ field: text("field").optional().describe("Rejected field"), message: text("text").optional().describe("Why it was rejected") })
  .meta({ id: "JobError" });

export type JobError = shapes.JobError;

/** Response to a job creation (interface 2.6). */
export const JobCreation: ShapeSchema<shapes.JobCreation> = z
  .object({
    job: Job.optional().describe("The created job"),
    errors: z.array(JobError).optional().describe("Rejected fields"),
    csvUploadLink: text("url").optional().describe("Link for a CSV upload"),
  })
  .meta({ id: "JobCreation" });

export type JobCreation = shapes.JobCreation;
