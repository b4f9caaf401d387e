import { tellingAge } from "../read-age.ts";
import type { Tool } from "../tool.ts";
import { createJob } from "./create-job.ts";
import { listJobs } from "./list-jobs.ts";
import { listLivePositions } from "./list-live-positions.ts";
import { listTireEvents } from "./list-tire-events.ts";
import { listVehicleFaults } from "./list-vehicle-faults.ts";
import { locateVehicle } from "./locate-vehicle.ts";
import { queryTachoActivity } from "./query-tacho-activity.ts";
import { updateGroup } from "./update-group.ts";

const catalogue: readonly Tool[] = [
  locateVehicle,
  listLivePositions,
  listVehicleFaults,
  queryTachoActivity,
  listJobs,
  listTireEvents,
  createJob,
  updateGroup,
];

/** The catalogue, in the order it is listed. */
export const tools: readonly Tool[] = catalogue.map((tool) => (tool.effect === "read" ? tellingAge(tool) : tool));
