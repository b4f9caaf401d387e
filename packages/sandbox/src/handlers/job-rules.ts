import { Job, JobRequest, jsonSchemaOf } from "@fleetwire/core";
import { isDayFirstDate } from "@fleetwire/core/internal";
import { readForm } from "../service/date-times.ts";
import { JOB_TYPES } from "../service/job-types.ts";
import type { RefuseField } from "./job-assignment.ts";

/** The five statuses allowed on creation (interface 2.5). */
const STATUSES = jsonSchemaOf(JobRequest.shape.status)["enum"] as readonly string[];
const MAX_RESOURCES = 3;

/** Parses the fields of a job and rejects wrong types. Fields that the service sets are ignored (chosen). */
export function readJob(body: Readonly<Record<string, unknown>>, refuse: RefuseField): Job {
  const parsed = Job.safeParse(body);
  const wrong = new Set(parsed.error?.issues.map((issue) => String(issue.path[0])));
  for (const issue of parsed.error?.issues ?? []) {
    const inside = issue.path.slice(1).join(".");
    refuse(String(issue.path[0]) as keyof Job, `${inside ? `${inside}: ` : ""}${issue.message}`);
  }
  const right = Object.fromEntries(Object.entries(body).filter(([field]) => !wrong.has(field)));
  const job = parsed.data ?? Job.safeParse(right).data ?? {};
  const { jobId: _id, statusHistory: _statuses, jobHistory: _changes, jobType: _type, lastServerTime: _time, ...given } = job;
  return given;
}

function checkTimes(job: Job, refuse: RefuseField): void {
  const minutes = "must be UTC in the format YYYY-MM-DDTHH:mmZ";
  const { scheduledStartDateTime: start, arrivalWindowStart: opens, arrivalWindowEnd: closes } = job;
  if (start !== undefined && readForm(start, "minutes") === undefined && !isDayFirstDate(start))
    refuse("scheduledStartDateTime", `${minutes}, or a day in the format YYYY-DD-MM`);
  const from = opens === undefined ? undefined : readForm(opens, "minutes");
  const to = closes === undefined ? undefined : readForm(closes, "minutes");
  if (opens !== undefined && from === undefined) refuse("arrivalWindowStart", minutes);
  if (closes !== undefined && to === undefined) refuse("arrivalWindowEnd", minutes);
  if (from !== undefined && to !== undefined && to < from) refuse("arrivalWindowEnd", "must not be before arrivalWindowStart");
}

/** The rules that depend only on the job itself (interface 2.5). */
export function checkJob(job: Job, refuse: RefuseField): void {
  checkTimes(job, refuse);
  if (job.status !== undefined && !STATUSES.includes(job.status)) refuse("status", `must be one of ${STATUSES.join(", ")}`);
  if (job.linkingId !== undefined && job.linkedJobIndex !== undefined)
    refuse("linkedJobIndex", "must not be given together with linkingId");
  if (!JobRequest.shape.linkingId.safeParse(job.linkingId).success) refuse("linkingId", "must consist of letters and digits");
  if ((job.resources?.length ?? 0) > MAX_RESOURCES) refuse("resources", `may contain at most ${MAX_RESOURCES} files`);
  if (job.resources?.some((file) => !file.name?.trim())) refuse("resources", "must have a name for each file");
  if (job.jobRadius !== undefined && job.jobRadius < 0) refuse("jobRadius", "must not be negative");
  const type = JOB_TYPES.find(({ id }) => id === job.jobTypeId);
  if (job.jobTypeId !== undefined && (!type || type.disabled)) refuse("jobTypeId", "does not name an existing job type");
}
