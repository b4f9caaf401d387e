import { agedSchema } from "../results/read-age.ts";
import type { Tool } from "../tool.ts";
import { createJob } from "./create-job.ts";
import { findNearestVehicles } from "./find-nearest-vehicles.ts";
import { listJobs } from "./list-jobs.ts";
import { listLivePositions } from "./list-live-positions.ts";
import { listTireEvents } from "./list-tire-events.ts";
import { listVehicleFaults } from "./list-vehicle-faults.ts";
import { locateVehicle } from "./locate-vehicle.ts";
import { queryTachoActivity } from "./query-tacho-activity.ts";
import { summarizeDriverActivity } from "./summarize-driver-activity.ts";
import { summarizeFleet } from "./summarize-fleet.ts";
import { updateGroup } from "./update-group.ts";

/** The catalogue by sets that can be chosen; in each, the tools in the order they are listed. */
const catalogue = {
  positions: [locateVehicle, findNearestVehicles, summarizeFleet, listLivePositions],
  faults: [listVehicleFaults],
  tacho: [summarizeDriverActivity, queryTachoActivity],
  jobs: [listJobs, createJob],
  tires: [listTireEvents],
  groups: [updateGroup],
} satisfies Record<string, readonly Tool[]>;

const entries = Object.entries<readonly Tool[]>(catalogue).map(
  ([set, members]) =>
    [set, members.map((tool) => (tool.effect === "read" ? { ...tool, outputSchema: agedSchema(tool.outputSchema) } : tool))] as const,
);

/** The tools of each set. */
export const toolsets: Readonly<Record<string, readonly Tool[]>> = Object.fromEntries(entries);

export const tools: readonly Tool[] = entries.flatMap(([, members]) => members);
