import { describe, expect, it } from "vitest";
import {
  Job,
  JobCreation,
  JobError,
  JobHistoryEntry,
  JobPhoto,
  JobRequest,
  JobSignature,
  JobType,
  jsonSchemaOf,
  ResourceFile,
  StatusHistoryEntry,
  SubStatus,
  TaskAnswer,
  TaskAnswerValue,
  VisitResult,
} from "../src/index.ts";
import { all, type FieldTable, fieldTable } from "./field-table.ts";

// Written by hand from the interface description, 2.5 and 2.6, never from the schemas.
const job: FieldTable = {
  ...all(
    "string",
    `jobId jobNumber jobTitle clientName accountNumber contactName contactEmail contactPhone notes address statusChangeTimestamp
     statusChangeId scheduledStartDateTime jobDuration arrivalWindowStart arrivalWindowEnd personId vehicleId groupName personName
     vehicleName driverNotes actualStart actualEnd eta lastEtaCalcTime jobTypeId linkingId linkedJobDescription linkedJobIndex
     lastServerTime subStatusLabel statusLabel`,
  ),
  ...all("number double", "lat lng overrideLat overrideLng etaDistanceKms"),
  orderNumbers: "string[]",
  status: "string NEW|ASSIGNED|RECEIVED|IN_PROGRESS|VISITED|CANCELLED|MISSED|ACCEPTED|INCOMPLETE|$UNKNOWN",
  statusHistory: "StatusHistoryEntry[]",
  jobHistory: "JobHistoryEntry[]",
  jobRadius: "integer int32",
  primaryResource: "string DRIVER|VEHICLE|$UNKNOWN",
  jobType: "JobType",
  jobPhotos: "JobPhoto[]",
  jobSignature: "JobSignature",
  resources: "ResourceFile[]",
  subStatus: "SubStatus",
  visitResults: "VisitResult[]",
};

const nested = [
  { shape: "status history entry", schema: StatusHistoryEntry, fields: all("string", "date personId name statusChangeId") },
  {
    shape: "job history entry",
    schema: JobHistoryEntry,
    fields: all("string", "date personId name assignedPersonName assignedAssetName"),
  },
  {
    shape: "job type",
    schema: JobType,
    fields: {
      ...all("string", "id label description key duration notes workflowId"),
      ...all("boolean", "global used disabled sendJobReportOnCompletion"),
      ...all("number", "earliestStartTime latestStartTime"),
      resources: "ResourceFile[]",
    },
  },
  { shape: "resource file", schema: ResourceFile, fields: all("string", "name fileType storageUrl uploadUrl presignedGetUrl") },
  { shape: "job photo", schema: JobPhoto, fields: all("string", "date downloadUrl") },
  { shape: "job signature", schema: JobSignature, fields: all("string", "date downloadUrl signeeName") },
  { shape: "visit result", schema: VisitResult, fields: { jobScheduledStart: "string", taskAnswers: "TaskAnswer[]" } },
  {
    shape: "task answer",
    schema: TaskAnswer,
    fields: {
      ...all("string", "title description key statusChangeId timestamp nextTaskKey onTransitionTo onTransitionToLabel personId personName"),
      ...all("boolean", "mandatory includeInReport"),
      value: "TaskAnswerValue",
    },
  },
  {
    shape: "task answer value",
    schema: TaskAnswerValue,
    fields: { ...all("string[]", "stringValues blobValues"), ...all("number", "integerValue doubleValue") },
  },
];

describe("the job (interface 2.5)", () => {
  it("has exactly 50 fields", () => {
    expect(Object.keys(job)).toHaveLength(50);
    expect(fieldTable(Job)).toEqual(job);
  });

  it("has nine nested shapes", () => expect(nested).toHaveLength(9));

  it.each(nested)("$shape", ({ schema, fields }) => {
    expect(fieldTable(schema)).toEqual(fields);
  });

  it("has a sub-status of key and value", () => expect(fieldTable(SubStatus)).toEqual(all("string", "key value")));
});

describe("the job in a request", () => {
  it("has the same fields and only the five allowed statuses", () => {
    expect(fieldTable(JobRequest)).toEqual({ ...job, status: "string NEW|ASSIGNED|IN_PROGRESS|VISITED|CANCELLED" });
  });

  it("states its limits: at most 3 resources, UTC to the minute", () => {
    expect(jsonSchemaOf(JobRequest)["properties"]).toMatchObject({
      resources: { maxItems: 3 },
      arrivalWindowStart: { pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}Z$" },
      arrivalWindowEnd: { pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}Z$" },
    });
  });
});

describe("the response to a job creation (interface 2.6)", () => {
  it("has the job, errors and a link", () => {
    expect(fieldTable(JobCreation)).toEqual({ job: "Job", errors: "JobError[]", csvUploadLink: "string" });
    expect(fieldTable(JobError)).toEqual(all("string", "field message"));
  });
});
