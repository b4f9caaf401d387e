import type * as z from "zod";
import type {
  Job,
  JobCreation,
  JobError,
  JobHistoryEntry,
  JobPhoto,
  JobSignature,
  JobType,
  ResourceFile,
  StatusHistoryEntry,
  SubStatus,
  TaskAnswer,
  TaskAnswerValue,
  VisitResult,
} from "./job.ts";

/**
 * What a value tells of people, vehicles and places, so that a recording can show a pseudonym in its place. `plain` tells nothing; `label` is one of
 * a few words, unless it is not; `text` is whatever somebody wrote.
 */
export type Sensitivity =
  | "plain"
  | "label"
  | "id"
  | "name"
  | "registration"
  | "vin"
  | "serial"
  | "latitude"
  | "longitude"
  | "email"
  | "phone"
  | "text"
  | "url"
  | "secret";

// Every field is named, so that a new one does not compile before somebody has thought about it.
export type Of<Schema extends z.ZodObject> = { readonly [Field in keyof z.infer<Schema>]-?: Sensitivity };

const resourceFile: Of<typeof ResourceFile> = {
  name: "text",
  fileType: "plain",
  storageUrl: "url",
  uploadUrl: "url",
  presignedGetUrl: "url",
};

const job: Of<typeof Job> = {
  jobId: "id",
  jobNumber: "id",
  jobTitle: "text",
  clientName: "name",
  accountNumber: "id",
  contactName: "name",
  contactEmail: "email",
  contactPhone: "phone",
  notes: "text",
  lat: "latitude",
  lng: "longitude",
  address: "text",
  statusChangeTimestamp: "plain",
  statusChangeId: "id",
  scheduledStartDateTime: "plain",
  jobDuration: "plain",
  arrivalWindowStart: "plain",
  arrivalWindowEnd: "plain",
  personId: "id",
  vehicleId: "id",
  groupName: "name",
  personName: "name",
  vehicleName: "name",
  orderNumbers: "id",
  status: "label",
  driverNotes: "text",
  statusHistory: "plain",
  actualStart: "plain",
  actualEnd: "plain",
  overrideLat: "latitude",
  overrideLng: "longitude",
  jobHistory: "plain",
  jobRadius: "plain",
  eta: "plain",
  etaDistanceKms: "plain",
  lastEtaCalcTime: "plain",
  primaryResource: "label",
  jobTypeId: "id",
  jobType: "plain",
  jobPhotos: "plain",
  jobSignature: "plain",
  linkingId: "id",
  linkedJobDescription: "text",
  linkedJobIndex: "plain",
  resources: "plain",
  subStatus: "plain",
  lastServerTime: "plain",
  visitResults: "plain",
  subStatusLabel: "text",
  statusLabel: "label",
};

const statusHistoryEntry: Of<typeof StatusHistoryEntry> = { date: "plain", personId: "id", name: "text", statusChangeId: "id" };
const jobHistoryEntry: Of<typeof JobHistoryEntry> = {
  date: "plain",
  personId: "id",
  name: "text",
  assignedPersonName: "name",
  assignedAssetName: "name",
};
const jobType: Of<typeof JobType> = {
  id: "id",
  label: "text",
  description: "text",
  global: "plain",
  used: "plain",
  disabled: "plain",
  key: "label",
  earliestStartTime: "plain",
  latestStartTime: "plain",
  duration: "plain",
  notes: "text",
  resources: "plain",
  sendJobReportOnCompletion: "plain",
  workflowId: "id",
};
const jobPhoto: Of<typeof JobPhoto> = { date: "plain", downloadUrl: "url" };
const jobSignature: Of<typeof JobSignature> = { date: "plain", downloadUrl: "url", signeeName: "name" };
const subStatus: Of<typeof SubStatus> = { key: "label", value: "text" };
const taskAnswer: Of<typeof TaskAnswer> = {
  title: "text",
  description: "text",
  key: "label",
  statusChangeId: "id",
  timestamp: "plain",
  nextTaskKey: "label",
  onTransitionTo: "label",
  mandatory: "plain",
  includeInReport: "plain",
  value: "plain",
  onTransitionToLabel: "text",
  personId: "id",
  personName: "name",
};
const taskAnswerValue: Of<typeof TaskAnswerValue> = {
  stringValues: "text",
  integerValue: "plain",
  doubleValue: "plain",
  blobValues: "text",
};
const visitResult: Of<typeof VisitResult> = { jobScheduledStart: "plain", taskAnswers: "plain" };
const jobCreation: Of<typeof JobCreation> = { job: "plain", errors: "plain", csvUploadLink: "url" };
const jobError: Of<typeof JobError> = { field: "plain", message: "text" };

/** By the name of a shape and the name of its field. */
export const jobSensitivities = {
  Job: job,
  JobRequest: job,
  StatusHistoryEntry: statusHistoryEntry,
  JobHistoryEntry: jobHistoryEntry,
  ResourceFile: resourceFile,
  JobType: jobType,
  JobPhoto: jobPhoto,
  JobSignature: jobSignature,
  SubStatus: subStatus,
  TaskAnswer: taskAnswer,
  TaskAnswerValue: taskAnswerValue,
  VisitResult: visitResult,
  JobCreation: jobCreation,
  JobError: jobError,
};
