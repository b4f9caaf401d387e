import * as z from "zod";
import { Double, Identifier, Int32, Latitude, Longitude, openEnum, UtcMinutes, UtcMinutesOrDay } from "./scalars.ts";
import type { ShapeSchema } from "./shape-schema.ts";
import type * as shapes from "./shapes.generated.ts";

/** An entry of a job's status history (interface 2.5). */
export const StatusHistoryEntry: ShapeSchema<shapes.StatusHistoryEntry> = z
  .object({
    date: z.string().optional().describe("When the status changed"),
    personId: z.string().optional().describe("Identifier of the person who changed it"),
    name: z.string().optional().describe("Name"),
    statusChangeId: z.string().optional().describe("Identifier of the change"),
  })
  .meta({ id: "StatusHistoryEntry" });

export type StatusHistoryEntry = shapes.StatusHistoryEntry;

/** An entry of a job's history (interface 2.5). */
export const JobHistoryEntry: ShapeSchema<shapes.JobHistoryEntry> = z
  .object({
    date: z.string().optional().describe("When it happened"),
    personId: z.string().optional().describe("Identifier of the person who did it"),
    name: z.string().optional().describe("Name"),
    assignedPersonName: z.string().optional().describe("Person the job was assigned to"),
    assignedAssetName: z.string().optional().describe("Vehicle the job was assigned to"),
  })
  .meta({ id: "JobHistoryEntry" });

export type JobHistoryEntry = shapes.JobHistoryEntry;

/** A file of a job (interface 2.5). */
export const ResourceFile: ShapeSchema<shapes.ResourceFile> = z
  .object({
    name: z.string().optional().describe("File name"),
    fileType: z.string().optional().describe("File type"),
    storageUrl: z.string().optional().describe("Where the file is stored"),
    uploadUrl: z.string().optional().describe("Where the file is uploaded to"),
    presignedGetUrl: z.string().optional().describe("Signed address to read the file from"),
  })
  .meta({ id: "ResourceFile" });

export type ResourceFile = shapes.ResourceFile;

/** A type of job (interface 2.5). */
export const JobType: ShapeSchema<shapes.JobType> = z
  .object({
    id: z.string().optional().describe("Identifier of the job type"),
    label: z.string().optional().describe("Label"),
    description: z.string().optional().describe("Description"),
    global: z.boolean().optional().describe("Whether the type is global"),
    used: z.boolean().optional().describe("Whether the type is in use"),
    disabled: z.boolean().optional().describe("Whether the type is disabled"),
    key: z.string().optional().describe("Key"),
    earliestStartTime: z.number().optional().describe("Earliest start; unit not stated"),
    latestStartTime: z.number().optional().describe("Latest start; unit not stated"),
    duration: z.string().optional().describe("Duration; form not stated"),
    notes: z.string().optional().describe("Notes"),
    resources: z.array(ResourceFile).optional().describe("Files"),
    sendJobReportOnCompletion: z.boolean().optional().describe("Whether a report is sent when the job is done"),
    workflowId: z.string().optional().describe("Identifier of the workflow"),
  })
  .meta({ id: "JobType" });

export type JobType = shapes.JobType;

/** A photo taken on a job (interface 2.5). */
export const JobPhoto: ShapeSchema<shapes.JobPhoto> = z
  .object({
    date: z.string().optional().describe("When it was taken"),
    downloadUrl: z.string().optional().describe("Where it can be downloaded"),
  })
  .meta({ id: "JobPhoto" });

export type JobPhoto = shapes.JobPhoto;

/** The signature given for a job (interface 2.5). */
export const JobSignature: ShapeSchema<shapes.JobSignature> = z
  .object({
    date: z.string().optional().describe("When it was given"),
    downloadUrl: z.string().optional().describe("Where it can be downloaded"),
    signeeName: z.string().optional().describe("Who signed"),
  })
  .meta({ id: "JobSignature" });

export type JobSignature = shapes.JobSignature;

/** The value of a task's answer (interface 2.5). */
export const TaskAnswerValue: ShapeSchema<shapes.TaskAnswerValue> = z
  .object({
    stringValues: z.array(z.string()).optional().describe("Texts"),
    integerValue: z.number().optional().describe("Whole number"),
    doubleValue: z.number().optional().describe("Number"),
    blobValues: z.array(z.string()).optional().describe("Binary values"),
  })
  .meta({ id: "TaskAnswerValue" });

export type TaskAnswerValue = shapes.TaskAnswerValue;

/** The answer to one task of a visit (interface 2.5). */
export const TaskAnswer: ShapeSchema<shapes.TaskAnswer> = z
  .object({
    title: z.string().optional().describe("Title of the task"),
    description: z.string().optional().describe("Description of the task"),
    key: z.string().optional().describe("Key of the task"),
    statusChangeId: z.string().optional().describe("Identifier of the status change"),
    timestamp: z.string().optional().describe("When it was answered"),
    nextTaskKey: z.string().optional().describe("Key of the task that follows"),
    onTransitionTo: z.string().optional().describe("Transition on which the task is asked"),
    mandatory: z.boolean().optional().describe("Whether an answer is required"),
    includeInReport: z.boolean().optional().describe("Whether the answer goes into the report"),
    value: TaskAnswerValue.optional().describe("The answer"),
    onTransitionToLabel: z.string().optional().describe("Label of that transition"),
    personId: z.string().optional().describe("Identifier of the person who answered"),
    personName: z.string().optional().describe("Name of the person who answered"),
  })
  .meta({ id: "TaskAnswer" });

export type TaskAnswer = shapes.TaskAnswer;

/** The result of a visit (interface 2.5). */
export const VisitResult: ShapeSchema<shapes.VisitResult> = z
  .object({
    jobScheduledStart: z.string().optional().describe("Scheduled start of the job"),
    taskAnswers: z.array(TaskAnswer).optional().describe("Answers to the tasks"),
  })
  .meta({ id: "VisitResult" });

export type VisitResult = shapes.VisitResult;

/** A key and its value below the status of a job (interface 2.5). */
export const SubStatus: ShapeSchema<shapes.SubStatus> = z
  .object({
    key: z.string().optional().describe("Key"),
    value: z.string().optional().describe("Value"),
  })
  .meta({ id: "SubStatus" });

export type SubStatus = shapes.SubStatus;

/** A job, a piece of work or a delivery (interface 2.5). */
export const Job: ShapeSchema<shapes.Job> = z
  .object({
    jobId: z.string().optional().describe("Identifier given by the system"),
    jobNumber: z.string().optional().describe("Number of the job; must be unique, made up where absent"),
    jobTitle: z.string().optional().describe("Title"),
    clientName: z.string().optional().describe("Name of the account's customer"),
    accountNumber: z.string().optional().describe("Account number"),
    contactName: z.string().optional().describe("Person who receives the order"),
    contactEmail: z.string().optional().describe("That person's e-mail address"),
    contactPhone: z.string().optional().describe("That person's telephone number"),
    notes: z.string().optional().describe("Notes"),
    lat: Latitude.optional().describe("Latitude of the delivery; with lng, in place of or beside an address"),
    lng: Longitude.optional().describe("Longitude of the delivery; with lat"),
    address: z.string().optional().describe("Full address; needed unless lat and lng are given"),
    statusChangeTimestamp: z.string().optional().describe("When the status changed"),
    statusChangeId: z.string().optional().describe("Identifier of the status change"),
    scheduledStartDateTime: z.string().optional().describe("Scheduled start in UTC, YYYY-MM-DDTHH:mmZ or YYYY-DD-MM"),
    jobDuration: z.string().optional().describe("Scheduled duration in hours and minutes; form not stated"),
    arrivalWindowStart: z.string().optional().describe("Start of the arrival window in UTC, YYYY-MM-DDTHH:mmZ"),
    arrivalWindowEnd: z.string().optional().describe("End of the arrival window in UTC, YYYY-MM-DDTHH:mmZ"),
    personId: z.string().optional().describe("Identifier of an existing driver, who becomes personName"),
    vehicleId: z.string().optional().describe("Identifier of an existing vehicle, which becomes vehicleName"),
    groupName: z.string().optional().describe("Name of an existing group; the root group where absent"),
    personName: z.string().optional().describe("Name of the driver; with vehicleName, the vehicle's default driver if it has one"),
    vehicleName: z.string().optional().describe("Name of an existing vehicle, whose default driver becomes personName"),
    orderNumbers: z.array(z.string()).optional().describe("Order numbers"),
    status: openEnum(["NEW", "ASSIGNED", "RECEIVED", "IN_PROGRESS", "VISITED", "CANCELLED", "MISSED", "ACCEPTED", "INCOMPLETE", "$UNKNOWN"])
      .optional()
      .describe("Status"),
    driverNotes: z.string().optional().describe("Notes of the driver"),
    statusHistory: z.array(StatusHistoryEntry).optional().describe("Changes of status"),
    actualStart: z.string().optional().describe("When work began"),
    actualEnd: z.string().optional().describe("When work ended"),
    overrideLat: Latitude.optional().describe("Latitude that overrides"),
    overrideLng: Longitude.optional().describe("Longitude that overrides"),
    jobHistory: z.array(JobHistoryEntry).optional().describe("What happened to the job"),
    jobRadius: Int32.optional().describe("Radius in metres; 200 where absent"),
    eta: z.string().optional().describe("Estimated time of arrival"),
    etaDistanceKms: Double.optional().describe("Distance left in km"),
    lastEtaCalcTime: z.string().optional().describe("When that estimate was made"),
    primaryResource: openEnum(["DRIVER", "VEHICLE", "$UNKNOWN"]).optional().describe("Whether the job belongs to a driver or a vehicle"),
    jobTypeId: z.string().optional().describe("Identifier of an existing job type"),
    jobType: JobType.optional().describe("Type of the job"),
    jobPhotos: z.array(JobPhoto).optional().describe("Photos"),
    jobSignature: JobSignature.optional().describe("Signature"),
    linkingId: z.string().optional().describe("Alphanumeric identifier that links jobs; empty to have one made; not with linkedJobIndex"),
    linkedJobDescription: z.string().optional().describe("Description of the linked job"),
    linkedJobIndex: z.string().optional().describe("Place in the sequence of linked jobs; not with linkingId"),
    resources: z.array(ResourceFile).optional().describe("Files to upload, at most 3"),
    subStatus: SubStatus.optional().describe("Status below the status"),
    lastServerTime: z.string().optional().describe("Time of the server"),
    visitResults: z.array(VisitResult).optional().describe("Results of visits"),
    subStatusLabel: z.string().optional().describe("Label of the sub-status"),
    statusLabel: z.string().optional().describe("Label of the status"),
  })
  .meta({ id: "Job" });

export type Job = shapes.Job;

const described = <Schema extends z.ZodType>(schema: Schema, field: keyof typeof Job.shape): Schema =>
  schema.describe(Job.shape[field].description ?? "");

/** A job as it may be sent: {@link Job} with the rules that hold on creation (interface 2.5, part 8). */
export const JobRequest = Job.extend({
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

/** A refusal of one field of a job (interface 2.6). */
export const JobError: ShapeSchema<shapes.JobError> = z
  .object({
    field: z.string().optional().describe("Field that was refused"),
    message: z.string().optional().describe("Why"),
  })
  .meta({ id: "JobError" });

export type JobError = shapes.JobError;

/** Answer to the creation of a job (interface 2.6). */
export const JobCreation: ShapeSchema<shapes.JobCreation> = z
  .object({
    job: Job.optional().describe("The job that was created"),
    errors: z.array(JobError).optional().describe("Fields that were refused"),
    csvUploadLink: z.string().optional().describe("Link for an upload in CSV form"),
  })
  .meta({ id: "JobCreation" });

export type JobCreation = shapes.JobCreation;
