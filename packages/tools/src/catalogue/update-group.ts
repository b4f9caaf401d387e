import { FleetError, Group, operations, parseInput } from "@fleetwire/core";
import * as z from "zod";
import { fieldTypes } from "../arguments/tool-input.ts";
import { readFleet } from "../fleet/fleet-reader.ts";
import { driverLabel, vehicleLabel } from "../names/labels.ts";
import { DRIVERS, GROUPS, requireMatch, VEHICLES } from "../names/single-match.ts";
import { quotation } from "../results/quotation.ts";
import { recordResult, writeOutputSchema } from "../results/record-result.ts";
import { timesOf } from "../results/time.ts";
import type { ToolContext } from "../tool.ts";
import { groupPreview } from "../writes/group-preview.ts";
import { writeTool } from "./operation-tool.ts";

interface Named {
  group?: string;
  addVehicles?: string[];
  addPersons?: string[];
}

const UNKNOWN_MEMBERS =
  "Members are known from live positions only; if lists replace the current members, anyone not listed has left the group.";

const refuse = (message: string, advice: string) => new FleetError("input", `update_group: ${message}`, { advice });

/** Returns the id of a named entity. Throws if it has none: the list would silently omit the entity. */
function idOf(field: string, label: string, id: string | undefined): string {
  if (id !== undefined) return id;
  throw new FleetError("input", `${field}: the live positions have no id for ${quotation(label)}`, {
    advice: "Pass a complete list of ids instead",
  });
}

const unique = (ids: readonly string[]) => [...new Set(ids)];

/**
 * Converts names to the operation's input. New members are sent together with the known ones, so that it does not matter whether the
 * service adds to the list or replaces it.
 */
async function inputOf({ group, addVehicles = [], addPersons = [], ...given }: Named & Record<string, unknown>, context: ToolContext) {
  if (group === undefined && given["id"] === undefined) throw refuse("group is missing", "Pass the group's name");
  if (group === undefined && addVehicles.length === 0 && addPersons.length === 0) return given;
  if (given["id"] !== undefined && group !== undefined) throw refuse("group and id were both given", "Pass only one");
  if ((addVehicles.length > 0 && given["vehicleIds"]) || (addPersons.length > 0 && given["personIds"]))
    throw refuse("a list to set and names to add were both given", "Pass only one");
  const fleet = await readFleet(context, { withSold: true });
  const id =
    group === undefined ? given["id"] : requireMatch(group, await fleet.groups(), { ...GROUPS, field: "group", exactOnly: true }).value.id;
  const drivers = await fleet.drivers();
  const vehicles = addVehicles.map((name) => {
    const { value } = requireMatch(name, fleet.vehicles, { ...VEHICLES, field: "addVehicles", exactOnly: true });
    return idOf("addVehicles", vehicleLabel(value), value.assetId);
  });
  const persons = addPersons.map((name) => {
    const { value } = requireMatch(name, drivers, { ...DRIVERS, field: "addPersons", exactOnly: true });
    return idOf("addPersons", driverLabel(value), value.driverId);
  });
  // Sorted, so that a confirmation token still matches if the service returns the list in another order.
  const members = fleet.positions.flatMap(({ assetGroupId, assetId }) => (assetGroupId === id ? (assetId ?? []) : [])).sort();
  const people = fleet.positions.flatMap(({ driverGroupId, driverId }) => (driverGroupId === id ? (driverId ?? []) : [])).sort();
  return {
    ...given,
    id,
    ...(vehicles.length > 0 && { vehicleIds: unique([...members, ...vehicles]) }),
    ...(persons.length > 0 && { personIds: unique([...people, ...persons]) }),
  };
}

export const updateGroup = writeTool(operations.updateGroup, {
  arguments: {
    group: z.string().min(1).optional().describe("Group by name"),
    addVehicles: z.array(z.string().min(1)).optional().describe("Vehicles to add, by name"),
    addPersons: z.array(z.string().min(1)).optional().describe("Drivers to add, by name"),
  },
  outputSchema: writeOutputSchema("group", fieldTypes(Group)),
  plan: async (args, context) => {
    const input = parseInput(operations.updateGroup, await inputOf(args, context)) as { id: string };
    return { input, preview: () => groupPreview(input, context) };
  },
  send: async (input, context) => {
    const { fleet, settings, callOptions } = context;
    const times = timesOf(context);
    const group = await fleet.updateGroup(input, callOptions);
    const lists = input.vehicleIds !== undefined || input.personIds !== undefined;
    const notes = lists ? [UNKNOWN_MEMBERS] : [];
    return {
      outcome: "updated",
      result: (remarks = []) => recordResult("Group updated.", "group", group, { times }, settings.maxResultTokens, [...remarks, ...notes]),
    };
  },
});
