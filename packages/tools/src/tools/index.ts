import { FleetError, type Operation, operations } from "@fleetwire/core";
import { derivedTool, toolNameOf } from "../query/derived-tool.ts";
import { schemaWithAge } from "../text/result-marks.ts";
import type { Tool } from "../writes/write-tool.ts";
import { createJob } from "./create-job.ts";
import { driverHoursTool } from "./driver-hours.ts";
import { driverInfringements } from "./driver-infringements.ts";
import { findNearestVehicles } from "./find-nearest-vehicles.ts";
import { listLivePositions } from "./list-live-positions.ts";
import { listVehicleFaults } from "./list-vehicle-faults.ts";
import { locateVehicle } from "./locate-vehicle.ts";
import { queryTachoActivity } from "./query-tacho-activity.ts";
import { summarizeDriverActivity } from "./summarize-driver-activity.ts";
import { summarizeFleet } from "./summarize-fleet.ts";
import { tripsAndStops } from "./trips-and-stops.ts";
import { updateGroup } from "./update-group.ts";
import { watchFleet } from "./watch-fleet.ts";
import { whereWas } from "./where-was.ts";

/** The tools of each toolset, in the order in which models see them. */
type Toolsets = Readonly<Record<string, readonly Tool[]>>;

/** The toolsets in order, each with the tools that do more than call one operation. */
const sets: Readonly<Record<string, readonly Tool[]>> = {
  positions: [locateVehicle, findNearestVehicles, summarizeFleet],
  faults: [],
  tacho: [driverHoursTool, driverInfringements, summarizeDriverActivity, tripsAndStops, whereWas],
  jobs: [],
  tires: [],
  groups: [],
  watch: [watchFleet],
};

/** Tools for single operations that have additions or their own code. The tools of all other read operations are derived. */
const overridden: readonly Tool[] = [listLivePositions, listVehicleFaults, queryTachoActivity, createJob, updateGroup];

const toolOf = (operation: Operation): readonly Tool[] => {
  const customTools = overridden.find(({ name }) => name === toolNameOf(operation.name));
  if (customTools) return [customTools];
  return operation.tool && operation.effect === "read" ? [derivedTool(operation)] : [];
};

const offered = Object.values<Operation>(operations).filter(({ tool }) => tool !== undefined);
const setNames = new Set([...Object.keys(sets), ...offered.flatMap(({ tool }) => tool?.toolset ?? [])]);

/** Adds the age of the data to the output schema of a read. */
const withDataAge = (tool: Tool): Tool => (tool.effect === "read" ? { ...tool, outputSchema: schemaWithAge(tool.outputSchema) } : tool);

/** The tools of each toolset: those that do more than call one operation, then reads, then writes. */
export const toolsets: Toolsets = Object.fromEntries(
  [...setNames].map((set) => {
    const ofOperations = offered.filter(({ tool }) => tool?.toolset === set).flatMap(toolOf);
    const readsFirst = ofOperations.sort((a, b) => Number(a.effect !== "read") - Number(b.effect !== "read"));
    return [set, [...(sets[set] ?? []), ...readsFirst].map(withDataAge)];
  }),
);

export const tools: readonly Tool[] = Object.values(toolsets).flat();

const invalidOperation = (problem: string) =>
  new FleetError("config", `operations: ${problem}`, { advice: "Pass read operations, each with `tool` and a unique name" });

function customTool(operation: Operation): Tool {
  try {
    return withDataAge(derivedTool(operation));
  } catch (error) {
    throw error instanceof TypeError ? invalidOperation(error.message) : error;
  }
}

/** Returns the toolsets, with the tools of custom operations appended. */
export function toolsetsWith(customTools: readonly Operation[]): Toolsets {
  const all = new Map(Object.entries(toolsets));
  for (const operation of customTools) {
    const tool = customTool(operation);
    if ([...all.values()].flat().some(({ name }) => name === tool.name)) throw invalidOperation(`two tools are named ${tool.name}`);
    const set = operation.tool?.toolset ?? "";
    all.set(set, [...(all.get(set) ?? []), tool]);
  }
  return Object.fromEntries(all);
}
