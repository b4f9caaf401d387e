import type { Job, JobCreation, JobError } from "@fleetwire/core";
import { distanceKm } from "@fleetwire/core/internal";
import { writeInstant } from "../service/date-times.ts";
import type { Call, Handler } from "../service/handler.ts";
import { JOB_TYPES } from "../service/job-types.ts";
import { jsonResponse, refuse } from "../service/refusal.ts";
import { objectFields } from "../service/request-body.ts";
import { vehicleState } from "../simulation/vehicle-state.ts";
import { type Assignment, assign, type RefuseField } from "./job-assignment.ts";
import { jobPlace } from "./job-place.ts";
import { checkJob, readJob } from "./job-rules.ts";

const DEFAULT_RADIUS_METRES = 200;
const STATUS_LABELS: Record<string, string> = {
  NEW: "New",
  ASSIGNED: "Assigned",
  IN_PROGRESS: "In progress",
  VISITED: "Visited",
  CANCELLED: "Cancelled",
};
/** Roads are longer than straight lines, and vehicles rarely drive at top speed. */
const DETOUR = 1.28;
const AVERAGE_SPEED = 62;

/** The statuses of a job to which nobody is still driving. */
const ENDED: ReadonlySet<string | undefined> = new Set(["VISITED", "CANCELLED"]);

/** When the vehicle could arrive, unless it is on a private journey or the job has ended. */
function arrival({ now }: Call, { vehicle }: Assignment, { lat, lng, status }: Job): Partial<Job> {
  if (!vehicle || lat === undefined || lng === undefined || ENDED.has(status)) return {};
  const { where, isPrivate } = vehicleState(vehicle, now);
  if (isPrivate) return {};
  const km = Math.round(distanceKm(where, { latitude: lat, longitude: lng }) * DETOUR * 10) / 10;
  return { eta: writeInstant(now + (km / AVERAGE_SPEED) * 3_600_000), etaDistanceKms: km, lastEtaCalcTime: writeInstant(now) };
}

/** Gives each file an upload URL that needs no credentials, and a download URL (chosen). */
function fileUrls({ customer, jobUrl, uploads }: Call, files: Job["resources"]): Partial<Job> {
  if (!files) return {};
  const resources = files.map(({ name, fileType }) => {
    const id = customer.jobs.nextId();
    uploads.open(id);
    const url = `${jobUrl}/uploads/${id}`;
    return { ...(name !== undefined && { name }), ...(fileType !== undefined && { fileType }), uploadUrl: url, presignedGetUrl: url };
  });
  return { resources };
}

function assignmentFields({ vehicle, driver }: Assignment): Partial<Job> {
  return {
    ...(vehicle && { vehicleId: vehicle.id, vehicleName: vehicle.name }),
    ...(driver && { personId: driver.id, personName: driver.name }),
  };
}

/** The status and history fields that the service sets. */
function historyFields({ customer, now }: Call, status: string, { personId, personName, vehicleName }: Partial<Job>): Partial<Job> {
  const date = writeInstant(now);
  const statusChangeId = customer.jobs.nextId();
  const assigned = {
    ...(personName !== undefined && { assignedPersonName: personName }),
    ...(vehicleName !== undefined && { assignedAssetName: vehicleName }),
  };
  return {
    status,
    statusLabel: STATUS_LABELS[status] ?? status,
    statusChangeTimestamp: date,
    statusChangeId,
    statusHistory: [{ date, name: status, statusChangeId, ...(personId !== undefined && { personId }) }],
    jobHistory: [{ date, name: "CREATED", ...(personId !== undefined && { personId }), ...assigned }],
    lastServerTime: date,
  };
}

/** Creates a job, or returns an error for each invalid field (interface 2.5, 2.6, 4.4). A rejection has status 200 and no job (chosen). */
export const createJob: Handler = (call) => {
  const { body, customer, duplicateJobs, query } = call;
  if (query.text("override") !== "null") query.flag("override");
  const errors: JobError[] = [];
  const refuseField: RefuseField = (field, message) => {
    if (!errors.some((error) => error.field === field)) errors.push({ field, message });
  };

  const given = readJob(objectFields(body), refuseField);
  checkJob(given, refuseField);
  const place = jobPlace(given, customer, refuseField);
  const assignment = assign(given, customer, call.now, refuseField);
  const groupName = given.groupName ?? customer.groups.root.name;
  if (customer.groups.named(groupName) === undefined) refuseField("groupName", "does not name an existing group");
  const duplicate = given.jobNumber ? customer.jobs.numbered(given.jobNumber) : undefined;
  if (duplicate && duplicateJobs === "conflict") throw refuse(409, "duplicate", "Another job has this jobNumber", "jobNumber");
  if (duplicate && duplicateJobs === "refuse") refuseField("jobNumber", "is already used by another job");
  if (errors.length > 0) return jsonResponse({ errors } satisfies JobCreation);

  const assigned = assignmentFields(assignment);
  const type = JOB_TYPES.find(({ id }) => id === given.jobTypeId);
  const primaryResource = assignment.vehicle ? "VEHICLE" : assignment.driver ? "DRIVER" : undefined;
  const job = {
    jobRadius: DEFAULT_RADIUS_METRES,
    ...(primaryResource !== undefined && { primaryResource }),
    ...given,
    jobId: duplicate?.jobId ?? customer.jobs.nextId(),
    ...place,
    ...assigned,
    groupName,
    ...(given.linkingId === "" && { linkingId: customer.jobs.nextId() }),
    ...(type && { jobType: type }),
    ...fileUrls(call, given.resources),
    ...historyFields(call, given.status ?? (primaryResource ? "ASSIGNED" : "NEW"), assigned),
    ...arrival(call, assignment, { ...place, status: given.status }),
    jobNumber: given.jobNumber || customer.jobs.nextNumber(),
  } satisfies Job;
  customer.jobs.save(job);
  return jsonResponse({ job } satisfies JobCreation);
};
