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
import { type Of, upTo } from "./sensitivity.ts";

const resourceFile: Of<typeof ResourceFile> = {
  name: "text",
  fileType: "fileType",
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
  statusChangeTimestamp: "instant",
  statusChangeId: "id",
  scheduledStartDateTime: "instant",
  jobDuration: "duration",
  arrivalWindowStart: "instant",
  arrivalWindowEnd: "instant",
  personId: "id",
  vehicleId: "id",
  groupName: "name",
  personName: "name",
  vehicleName: "name",
  orderNumbers: "id",
  status: "label",
  driverNotes: "text",
  statusHistory: "shape",
  actualStart: "instant",
  actualEnd: "instant",
  overrideLat: "latitude",
  overrideLng: "longitude",
  jobHistory: "shape",
  jobRadius: upTo(1_000_000),
  eta: "instant",
  etaDistanceKms: upTo(50_000),
  lastEtaCalcTime: "instant",
  primaryResource: "label",
  jobTypeId: "id",
  jobType: "shape",
  jobPhotos: "shape",
  jobSignature: "shape",
  linkingId: "id",
  linkedJobDescription: "text",
  linkedJobIndex: upTo(999),
  resources: "shape",
  subStatus: "shape",
  lastServerTime: "instant",
  visitResults: "shape",
  subStatusLabel: "text",
  statusLabel: "label",
};

const statusHistoryEntry: Of<typeof StatusHistoryEntry> = { date: "instant", personId: "id", name: "text", statusChangeId: "id" };
const jobHistoryEntry: Of<typeof JobHistoryEntry> = {
  date: "instant",
  personId: "id",
  name: "text",
  assignedPersonName: "name",
  assignedAssetName: "name",
};
const jobType: Of<typeof JobType> = {
  id: "id",
  label: "text",
  description: "text",
  global: "flag",
  used: "flag",
  disabled: "flag",
  key: "label",
  earliestStartTime: upTo(86_400),
  latestStartTime: upTo(86_400),
  duration: "duration",
  notes: "text",
  resources: "shape",
  sendJobReportOnCompletion: "flag",
  workflowId: "id",
};
const jobPhoto: Of<typeof JobPhoto> = { date: "instant", downloadUrl: "url" };
const jobSignature: Of<typeof JobSignature> = { date: "instant", downloadUrl: "url", signeeName: "name" };
const subStatus: Of<typeof SubStatus> = { key: "label", value: "text" };
const taskAnswer: Of<typeof TaskAnswer> = {
  title: "text",
  description: "text",
  key: "label",
  statusChangeId: "id",
  timestamp: "instant",
  nextTaskKey: "label",
  onTransitionTo: "label",
  mandatory: "flag",
  includeInReport: "flag",
  value: "shape",
  onTransitionToLabel: "text",
  personId: "id",
  personName: "name",
};
// What a driver enters may be anything, a telephone number too.
const taskAnswerValue: Of<typeof TaskAnswerValue> = {
  stringValues: "text",
  integerValue: "serial",
  doubleValue: "serial",
  blobValues: "text",
};
const visitResult: Of<typeof VisitResult> = { jobScheduledStart: "instant", taskAnswers: "shape" };
const jobCreation: Of<typeof JobCreation> = { job: "shape", errors: "shape", csvUploadLink: "url" };
const jobError: Of<typeof JobError> = { field: "field", message: "text" };

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
