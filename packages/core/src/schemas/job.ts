import * as z from "zod";
import { annotate, marked, measure, metadataOf, ofKind, text, upTo } from "./field-metadata.ts";
import { Double, Identifier, Int32, Latitude, Longitude, openEnum, UtcMinutes, UtcMinutesOrDay } from "./scalars.ts";
import type { ShapeSchema } from "./schema-walk.ts";
import type * as shapes from "./shapes.generated.ts";

/** An entry of a job's status history (interface 2.5). */
export const StatusHistoryEntry: ShapeSchema<shapes.StatusHistoryEntry> = z
  .object({
    date: text("instant").optional().describe("When the status changed"),
    personId: text("id").optional().describe("Identifier of the person who changed it"),
    name: text("person").optional().describe("Name"),
    statusChangeId: text("id").optional().describe("Identifier of the change"),
  })
  .meta({ id: "StatusHistoryEntry" });

export type StatusHistoryEntry = shapes.StatusHistoryEntry;

/** An entry of a job's history (interface 2.5). */
export const JobHistoryEntry: ShapeSchema<shapes.JobHistoryEntry> = z
  .object({
    date: text("instant").optional().describe("When the change happened"),
    personId: text("id").optional().describe("Identifier of the person"),
    name: text("person").optional().describe("Name"),
    assignedPersonName: text("person").optional().describe("Person the job was assigned to"),
    assignedAssetName: text("name").optional().describe("Vehicle the job was assigned to"),
  })
  .meta({ id: "JobHistoryEntry" });

export type JobHistoryEntry = shapes.JobHistoryEntry;

/** A file attached to a job (interface 2.5). */
export const ResourceFile: ShapeSchema<shapes.ResourceFile> = z
  .object({
    name: text("text").optional().describe("File name"),
    fileType: text("fileType").optional().describe("File type"),
    storageUrl: text("url").optional().describe("URL where the file is stored"),
    uploadUrl: text("url").optional().describe("URL to upload the file to"),
    presignedGetUrl: text("url").optional().describe("Presigned URL for reading the file"),
  })
  .meta({ id: "ResourceFile" });

export type ResourceFile = shapes.ResourceFile;

/** A type of job (interface 2.5). */
export const JobType: ShapeSchema<shapes.JobType> = z
  .object({
    id: text("id").optional().describe("Identifier of the job type"),
    label: text("text").optional().describe("Label"),
    description: text("text").optional().describe("Description"),
    global: z.boolean().optional().describe("Whether the type is global"),
    used: z.boolean().optional().describe("Whether the type is in use"),
    disabled: z.boolean().optional().describe("Whether the type is disabled"),
    key: text("label").optional().describe("Key"),
    earliestStartTime: measure(z.number(), upTo(86_400)).optional().describe("Earliest start; unit not stated"),
    latestStartTime: measure(z.number(), upTo(86_400)).optional().describe("Latest start; unit not stated"),
    duration: text("duration").optional().describe("Duration; format not stated"),
    notes: text("text").optional().describe("Notes"),
    resources: z.array(ResourceFile).optional().describe("Files"),
    sendJobReportOnCompletion: z.boolean().optional().describe("Whether a report is sent when the job is completed"),
    workflowId: text("id").optional().describe("Identifier of the workflow"),
  })
  .meta({ id: "JobType" });

export type JobType = shapes.JobType;

/** A photo taken on a job (interface 2.5). */
export const JobPhoto: ShapeSchema<shapes.JobPhoto> = z
  .object({
    date: text("instant").optional().describe("When the photo was taken"),
    downloadUrl: text("url").optional().describe("Where it can be downloaded"),
  })
  .meta({ id: "JobPhoto" });

export type JobPhoto = shapes.JobPhoto;

/** The signature given for a job (interface 2.5). */
export const JobSignature: ShapeSchema<shapes.JobSignature> = z
  .object({
    date: text("instant").optional().describe("When the signature was given"),
    downloadUrl: text("url").optional().describe("Where it can be downloaded"),
    signeeName: text("contact").optional().describe("Name of the person who signed"),
  })
  .meta({ id: "JobSignature" });

export type JobSignature = shapes.JobSignature;

/** The value of an answer to a task (interface 2.5). */
export const TaskAnswerValue: ShapeSchema<shapes.TaskAnswerValue> = z
  .object({
    stringValues: z.array(text("text")).optional().describe("String values"),
    integerValue: ofKind(z.number(), "serial").optional().describe("Integer value"),
    doubleValue: ofKind(z.number(), "serial").optional().describe("Floating-point value"),
    blobValues: z.array(text("text")).optional().describe("Binary values"),
  })
  .meta({ id: "TaskAnswerValue" });

export type TaskAnswerValue = shapes.TaskAnswerValue;

/** The answer to one task of a visit (interface 2.5). */
export const TaskAnswer: ShapeSchema<shapes.TaskAnswer> = z
  .object({
    title: text("text").optional().describe("Title of the task"),
    description: text("text").optional().describe("Description of the task"),
    key: text("label").optional().describe("Key of the task"),
    statusChangeId: text("id").optional().describe("Identifier of the status change"),
    timestamp: text("instant").optional().describe("When the task was answered"),
    nextTaskKey: text("label").optional().describe("Key of the next task"),
    onTransitionTo: text("label").optional().describe("Transition on which the task is asked"),
    mandatory: z.boolean().optional().describe("Whether an answer is required"),
    includeInReport: z.boolean().optional().describe("Whether the answer is included in the report"),
    value: TaskAnswerValue.optional().describe("The answer"),
    onTransitionToLabel: text("text").optional().describe("Label of that transition"),
    personId: text("id").optional().describe("Identifier of the person who answered"),
    personName: text("person").optional().describe("Name of the person who answered"),
  })
  .meta({ id: "TaskAnswer" });

export type TaskAnswer = shapes.TaskAnswer;

/** The result of a visit (interface 2.5). */
export const VisitResult: ShapeSchema<shapes.VisitResult> = z
  .object({
    jobScheduledStart: text("instant").optional().describe("Scheduled start of the job"),
    taskAnswers: z.array(TaskAnswer).optional().describe("Answers to the tasks"),
  })
  .meta({ id: "VisitResult" });

export type VisitResult = shapes.VisitResult;

/** The sub-status of a job: a key and a value (interface 2.5). */
export const SubStatus: ShapeSchema<shapes.SubStatus> = z
  .object({ key: text("label").optional().describe("Key"), value: text("text").optional().describe("Value") })
  .meta({ id: "SubStatus" });

export type SubStatus = shapes.SubStatus;

/** A job: a piece of work or a delivery (interface 2.5). */
export const Job: ShapeSchema<shapes.Job> = z
  .object({
    jobId: text("id").optional().describe("System-assigned identifier"),
    jobNumber: text("id").optional().describe("Job number; must be unique; generated if absent"),
    jobTitle: text("text").optional().describe("Title"),
    clientName: text("name").optional().describe("Name of the account's customer"),
    accountNumber: text("id").optional().describe("Account number"),
    contactName: marked({ confidential: true }, text("contact")).optional().describe("Person who receives the order"),
    contactEmail: marked({ confidential: true }, text("email")).optional().describe("That person's e-mail address"),
    contactPhone: marked({ confidential: true }, text("phone")).optional().describe("That person's telephone number"),
    notes: marked({ confidential: true }, text("text")).optional().describe("Notes"),
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
    linkedJobIndex: measure(z.string(), upTo(999))
      .optional()
      .describe("Position in the sequence of linked jobs; cannot be combined with linkingId"),
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
