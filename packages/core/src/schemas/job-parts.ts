import * as z from "zod";
import { measure, ofKind, text, upTo } from "./field-metadata.ts";
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
