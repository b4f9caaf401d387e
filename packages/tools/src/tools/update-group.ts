import { FleetError, Group, operations } from "@fleetwire/core";
import { parseInput } from "@fleetwire/core/internal";
import * as z from "zod";
import { driverLabel, vehicleLabel } from "../fleet/entity-labels.ts";
import type { FleetContext } from "../fleet/fleet-context.ts";
import { readFleet } from "../fleet/fleet-reader.ts";
import type { FleetView } from "../fleet/fleet-view.ts";
import { DRIVERS, GROUPS, requireMatch, VEHICLES } from "../lookup/single-match.ts";
import { resolveSeveral } from "../names/several-names.ts";
import { recordResult, writeOutputSchema } from "../query/record-result.ts";
import { fieldTypes } from "../query/tool-input.ts";
import { quotation } from "../text/clip-values.ts";
import { timesOf } from "../text/time.ts";
import { writeTool } from "../writes/operation-write.ts";
import { groupPreview } from "./group-preview.ts";

const NameList = z.array(z.string().min(1));

interface Named {
  group?: string;
  parent?: string;
  vehicles?: Names;
  drivers?: Names;
  replace?: boolean;
}

const UNKNOWN_MEMBERS =
  "Members are known from live positions only; if lists replace the current members, anyone not listed has left the group.";

const refuse = (message: string, advice: string) => new FleetError("input", `update_group: ${message}`, { advice });

/** Returns the id of a named entity. Throws if it has none: the list would silently omit the entity. */
function idOf(field: string, label: string, id: string | undefined): string {
  if (id !== undefined) return id;
  throw new FleetError("input", `${field}: the live positions have no id for ${quotation(label)}`, {
    advice: "Tell the user that it cannot be in a group",
  });
}

const unique = (ids: readonly string[]) => [...new Set(ids)];

type Names = string | readonly string[];

/** Resolves names, registrations and ids of vehicles. */
const vehicleIds = (names: Names, { vehicles }: FleetView): Promise<string[]> =>
  resolveSeveral(names, async (name) => {
    const { value } = await requireMatch(name, vehicles, { ...VEHICLES, field: "vehicles", exactOnly: true });
    return idOf("vehicles", vehicleLabel(value), value.assetId);
  });

async function driverIds(names: Names, fleet: FleetView): Promise<string[]> {
  const drivers = await fleet.drivers();
  return resolveSeveral(names, async (name) => {
    const { value } = await requireMatch(name, drivers, { ...DRIVERS, field: "drivers", exactOnly: true });
    return idOf("drivers", driverLabel(value), value.driverId);
  });
}

async function groupId(name: string, field: string, idField: string, fleet: FleetView): Promise<string> {
  const alternative = `For a group without vehicles and drivers, pass its id as ${idField}.`;
  return (await requireMatch(name, await fleet.groups(), { ...GROUPS, field, exactOnly: true, alternative })).value.id;
}

/** Pairs of an argument that takes names and the input field that takes ids. */
const EITHER = [
  ["group", "id"],
  ["parent", "parentId"],
  ["vehicles", "vehicleIds"],
  ["drivers", "personIds"],
] as const;

/**
 * Converts names to the operation's input. Unless the lists are to replace the current ones, new members are sent together with the known ones, so that it
 * does not matter whether the service adds to the list or replaces it.
 */
async function inputOf(args: Named & Record<string, unknown>, context: FleetContext) {
  const { group, parent, vehicles, drivers, replace = false, ...given } = args;
  if (group === undefined && given["id"] === undefined) throw refuse("group is missing", "Pass the group's name");
  const twice = EITHER.find(([word, field]) => args[word] !== undefined && args[field] !== undefined);
  if (twice) throw refuse(`${twice.join(" and ")} were both given`, "Pass only one");
  // An empty list adds nobody: sending the known members in its place could remove others. Next to a list with names, hosts send it for a missing
  // one.
  const keepsEmpty = replace && ![vehicles, drivers].some((names) => names?.length);
  const [named, people] = [vehicles, drivers].map((names) => (names?.length || keepsEmpty ? names : undefined));
  if (replace && !named && !people) throw refuse("replace needs vehicles or drivers", "Pass the members to keep or add");
  if ([group, parent, named, people].every((part) => part === undefined)) return given;
  const fleet = await readFleet(context, { withSold: true });
  const id = group === undefined ? given["id"] : await groupId(group, "group", "id", fleet);
  // Sorted, so that a confirmation token still matches if the service returns the list in another order.
  const members = replace
    ? []
    : fleet.positions.flatMap(({ assetGroupId, assetId }) => (assetGroupId === id ? (assetId ?? []) : [])).sort();
  const staff = replace
    ? []
    : fleet.positions.flatMap(({ driverGroupId, driverId }) => (driverGroupId === id ? (driverId ?? []) : [])).sort();
  return {
    ...given,
    id,
    ...(parent !== undefined && { parentId: await groupId(parent, "parent", "parentId", fleet) }),
    ...(named && { vehicleIds: unique([...members, ...(await vehicleIds(named, fleet))]) }),
    ...(people && { personIds: unique([...staff, ...(await driverIds(people, fleet))]) }),
  };
}

export const updateGroup = writeTool(operations.updateGroup, {
  arguments: {
    group: z.string().min(1).optional().describe("Name or id"),
    parent: z.string().min(1).optional().describe("New parent group"),
    vehicles: NameList.optional().describe("To add"),
    drivers: NameList.optional().describe("To add"),
    replace: z.boolean().optional().describe("Remove all other members"),
  },
  accepts: {
    name: Group.shape.name.unwrap().regex(/\S/, "must not be blank").optional(),
    vehicles: z.union([z.string().min(1), NameList]).optional(),
    drivers: z.union([z.string().min(1), NameList]).optional(),
  },
  outputSchema: writeOutputSchema("group", fieldTypes(Group)),
  plan: async (args, context) => {
    const input = parseInput(operations.updateGroup, await inputOf(args, context)) as { id: string; parentId?: string };
    if (Object.keys(input).length === 1) throw refuse("nothing to change", "Pass name, parent, vehicles or drivers");
    if (input.parentId === input.id) throw refuse("a group cannot be its own parent", "Ask the user which parent is meant");
    return { input, preview: () => groupPreview(input, context) };
  },
  send: async (input, context) => {
    const { fleet, settings, privacy, callOptions } = context;
    const times = timesOf(context);
    const group = privacy.withSent(operations.updateGroup, await fleet.updateGroup(input, callOptions), input);
    const lists = input.vehicleIds !== undefined || input.personIds !== undefined;
    const notes = lists ? [UNKNOWN_MEMBERS] : [];
    return {
      outcome: "updated",
      result: (remarks = []) => recordResult("Group updated.", "group", group, { times }, settings.maxResultTokens, [...remarks, ...notes]),
    };
  },
});
