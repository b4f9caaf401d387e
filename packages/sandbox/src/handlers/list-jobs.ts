import type { Handler } from "../service/handler.ts";
import { JOB_TYPES } from "../service/job-types.ts";
import { jsonResponse } from "../service/refusal.ts";

const NOTE = "The interface documents only this path (4.6): the parameters, and the fields around the jobs, are the sandbox's own.";
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
const FILTERS = ["jobNumber", "status", "vehicleId", "personId", "groupName"] as const;

/**
 * Lists the created jobs, newest first. `jobNumber`, `status`, `vehicleId`, `personId`, `groupName`, `skip` and `limit` are the
 * sandbox's own parameters (interface 4.6).
 */
export const listJobs: Handler = ({ customer, query }) => {
  const wanted = FILTERS.map((field) => [field, query.text(field)] as const);
  const skip = query.integer("skip", 0, 0, Number.MAX_SAFE_INTEGER);
  const limit = query.integer("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
  const found = [...customer.jobs.jobs()].filter((job) => wanted.every(([field, value]) => value === undefined || job[field] === value));
  const jobs = found.toReversed().slice(skip, skip + limit);
  return jsonResponse({ note: NOTE, total: found.length, jobs, jobTypes: JOB_TYPES });
};
