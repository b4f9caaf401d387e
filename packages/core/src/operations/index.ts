import { createJob } from "./create-job.ts";
import { listJobs } from "./list-jobs.ts";
import { listLivePositions } from "./list-live-positions.ts";
import { listTireEvents } from "./list-tire-events.ts";
import { listVehicleFaults } from "./list-vehicle-faults.ts";
import { queryTachoActivity } from "./query-tacho-activity.ts";
import { requestAccessToken } from "./request-access-token.ts";
import { updateGroup } from "./update-group.ts";

/** All operations of the interface, by name. */
export const operations = {
  requestAccessToken,
  updateGroup,
  listVehicleFaults,
  listLivePositions,
  createJob,
  queryTachoActivity,
  listTireEvents,
  listJobs,
} as const;

/** The type of {@link operations}, with the input and output types of each. */
export type Operations = typeof operations;
/** Name of an operation and of its client method. */
export type OperationName = keyof Operations;
