import type { Handlers } from "../service/handler.ts";
import { createJob } from "./create-job.ts";
import { listJobs } from "./list-jobs.ts";
import { listLivePositions } from "./list-live-positions.ts";
import { listTireEvents } from "./list-tire-events.ts";
import { listVehicleFaults } from "./list-vehicle-faults.ts";
import { queryTachoActivity } from "./query-tacho-activity.ts";
import { requestAccessToken } from "./request-access-token.ts";
import { updateGroup } from "./update-group.ts";

export const handlers: Handlers = {
  requestAccessToken,
  updateGroup,
  listVehicleFaults,
  listLivePositions,
  createJob,
  queryTachoActivity,
  listTireEvents,
  listJobs,
};
