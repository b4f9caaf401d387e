import { FleetError, Group, operations } from "@fleetwire/core";
import { parseInput } from "@fleetwire/core/internal";
import * as z from "zod";
import { DRIVERS, driverLabel, GROUPS, VEHICLES, vehicleLabel, vehicleName } from "../fleet/entities.ts";
import type { FleetContext } from "../fleet/fleet-context.ts";
import { ifReadable, readFleet } from "../fleet/fleet-reader.ts";
import type { FleetView } from "../fleet/fleet-view.ts";
import { type Position, SOLD } from "../fleet/position.ts";
import { requireMatch } from "../lookup/find-entities.ts";
import { resolveSeveral } from "../names/resolve-name.ts";
import { recordResult, writeOutputSchema } from "../query/record-result.ts";
import { fieldTypes } from "../query/tool-input.ts";
import { quotation, singleLine } from "../text/clip-values.ts";
import { timesOf } from "../text/time.ts";
import { type PreviewLine, writeTool } from "../writes/write-tool.ts";

const NameList = z.array(z.string().min(1));
type Names = string | readonly string[];

interface Named {
  group?: string;
  parent?: string;
  vehicles?: Names;
  drivers?: Names;
  replace?: boolean;
}

const UNKNOWN_MEMBERS =
  "Members are known from live positions only; if lists replace the current members, anyone not listed has left the group.";

const refuse = (message: string, advice: string) => new FleetError("input", message, { advice });

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
    if (Object.keys(input).length === 1) throw refuse("update_group: nothing to change", "Pass name, parent, vehicles or drivers");
    if (input.parentId === input.id) throw refuse("update_group: a group cannot be its own parent", "Ask the user which parent is meant");
    return { input, preview: () => groupPreview(input, context) };
  },
  send: async (input, context) => {
    const { fleet, settings, privacy, callOptions } = context;
    const group = privacy.withSent(operations.updateGroup, await fleet.updateGroup(input, callOptions), input);
    const shown = { times: timesOf(context) };
    const notes = input.vehicleIds || input.personIds ? [UNKNOWN_MEMBERS] : [];
    return {
      outcome: "updated",
      result: (remarks = []) => recordResult("Group updated.", "group", group, shown, settings.maxResultTokens, [...remarks, ...notes]),
    };
  },
});

/** Pairs of an argument that takes names and the input field that takes ids. */
const EITHER = [
  ["group", "id"],
  ["parent", "parentId"],
  ["vehicles", "vehicleIds"],
  ["drivers", "personIds"],
] as const;

async function groupId(name: string, field: string, idField: string, fleet: FleetView): Promise<string> {
  const alternative = `For a group without vehicles and drivers, pass its id as ${idField}.`;
  return (await requireMatch(name, await fleet.groups(), { ...GROUPS, field, exactOnly: true, alternative })).value.id;
}

/** Returns the ids of named vehicles or drivers. Throws if one has none: the list would silently omit it. */
const memberIds = (field: string, names: Names, idOf: (name: string) => Promise<readonly [id: string | undefined, label: string]>) =>
  resolveSeveral(names, async (name) => {
    const [id, label] = await idOf(name);
    if (id !== undefined) return id;
    throw refuse(`${field}: the live positions have no id for ${quotation(label)}`, "Tell the user that it cannot be in a group");
  });

/**
 * Converts names to the operation's input. Unless the lists are to replace the current ones, new members are sent together with the known ones, so that it
 * does not matter whether the service adds to the list or replaces it.
 */
async function inputOf(args: Named & Record<string, unknown>, context: FleetContext) {
  const { group, parent, vehicles, drivers, replace = false, ...given } = args;
  if (group === undefined && given["id"] === undefined) throw refuse("update_group: group is missing", "Pass the group's name");
  const twice = EITHER.find(([word, field]) => args[word] !== undefined && args[field] !== undefined);
  if (twice) throw refuse(`update_group: ${twice.join(" and ")} were both given`, "Pass only one");
  // An empty list adds nobody: sending the known members in its place could remove others. Next to a list with names, hosts send it for a missing
  // one.
  const keepsEmpty = replace && ![vehicles, drivers].some((names) => names?.length);
  const [named, people] = [vehicles, drivers].map((names) => (names?.length || keepsEmpty ? names : undefined));
  if (replace && !named && !people) throw refuse("update_group: replace needs vehicles or drivers", "Pass the members to keep or add");
  if ([group, parent, named, people].every((part) => part === undefined)) return given;
  const fleet = await readFleet(context, { withSold: true });
  const id = group === undefined ? given["id"] : await groupId(group, "group", "id", fleet);
  const { vehicles: allVehicles, persons } = entriesOf(replace ? [] : fleet.positions);
  // Sorted, so that a confirmation token still matches if the service returns the list in another order.
  const staying = (entries: Entries) => idsIn(entries, id).sort();
  const vehicleId = async (name: string) => {
    const { value } = await requireMatch(name, fleet.vehicles, { ...VEHICLES, field: "vehicles", exactOnly: true });
    return [value.assetId, vehicleLabel(value)] as const;
  };
  const driverId = async (name: string) => {
    const { value } = await requireMatch(name, await fleet.drivers(), { ...DRIVERS, field: "drivers", exactOnly: true });
    return [value.driverId, driverLabel(value)] as const;
  };
  return {
    ...given,
    id,
    ...(parent !== undefined && { parentId: await groupId(parent, "parent", "parentId", fleet) }),
    ...(named && { vehicleIds: [...new Set([...staying(allVehicles), ...(await memberIds("vehicles", named, vehicleId))])] }),
    ...(people && { personIds: [...new Set([...staying(persons), ...(await memberIds("drivers", people, driverId))])] }),
  };
}

/** Longer lists are shown by id, and only the changes by name. */
const MAX_NAMED = 30;
/** Longer than any name in the interface, so that none is cut in what a user approves. */
const MAX_NAME_LENGTH = 255;

/** A vehicle or driver in the live positions, and the ids of the groups that it is in. */
interface Entry {
  name: string;
  groups: readonly string[];
}

type Entries = ReadonlyMap<string, Entry>;

/** Returns the vehicles and drivers in the live positions, by id. */
function entriesOf(positions: readonly Position[]): Record<"vehicles" | "persons", Entries> {
  const [vehicles, persons] = [new Map<string, Entry>(), new Map<string, Entry>()];
  const add = (entries: Map<string, Entry>, id: string | undefined, name: string, group: string | undefined) => {
    if (id !== undefined) entries.set(id, { name, groups: [...(entries.get(id)?.groups ?? []), ...(group === undefined ? [] : [group])] });
  };
  for (const position of positions) {
    const { assetId, assetGroupId, driverId, driverName, driverGroupId, status } = position;
    add(vehicles, assetId, `${vehicleName(position)}${status === SOLD ? ", sold" : ""}`, assetGroupId);
    add(persons, driverId, driverName ?? driverId ?? "", driverGroupId);
  }
  return { vehicles, persons };
}

const idsIn = (entries: Entries, group: unknown) =>
  [...entries].flatMap(([id, { groups }]) => (groups.some((one) => one === group) ? [id] : []));

const named = (id: string, name: string | undefined) => (name === undefined ? id : `${singleLine(name, MAX_NAME_LENGTH)} (${id})`);

const listed = (ids: readonly string[], entries: Entries) => ids.map((id) => named(id, entries.get(id)?.name)).join(", ");

const sentLine = (label: string, ids: readonly string[], entries: Entries) =>
  `${label}, list to send (${ids.length}): ${ids.length === 0 ? "empty" : ids.length <= MAX_NAMED ? listed(ids, entries) : ids.join(", ")}`;

/**
 * Describes what a list would change, including who would leave if it replaces the current list. The interface does not say whether it
 * does.
 */
function listLines(label: string, ids: readonly string[], entries: Entries, group: string, groupNames: NamesById): string[] {
  const [sent, members] = [new Set(ids), new Set(idsIn(entries, group))];
  const gone = [...members].filter((id) => !sent.has(id));
  const joining = ids.filter((id) => !members.has(id));
  const moved = joining.map((id) => {
    const from = entries.get(id)?.groups.at(-1);
    return `${listed([id], entries)}${from === undefined ? "" : ` from ${named(from, groupNames.get(from))}`}`;
  });
  return [
    sentLine(label, ids, entries),
    ...(joining.length === 0 ? [] : [`${label} joining (${joining.length}): ${moved.join(", ")}`]),
    `${label} leaving if the list replaces the current one (${gone.length}): ${gone.length === 0 ? "none known" : listed(gone, entries)}`,
  ];
}

type NamesById = ReadonlyMap<string, string>;

interface GroupInput {
  id: string;
  name?: string | undefined;
  parentId?: string | undefined;
  vehicleIds?: readonly string[] | undefined;
  personIds?: readonly string[] | undefined;
}

/** Returns the names of groups by id, except groups without vehicles and drivers. */
const groupsOf = (positions: readonly Position[]): NamesById =>
  new Map(
    positions.flatMap(({ assetGroupId, assetGroupName, driverGroupId, driverGroupName }) =>
      [[driverGroupId, driverGroupName] as const, [assetGroupId, assetGroupName] as const].flatMap(([id, name]) =>
        id !== undefined && name ? [[id, name] as const] : [],
      ),
    ),
  );

/** Describes a group update. Members are known only from live positions, including those of sold vehicles. */
async function groupPreview(input: GroupInput, context: FleetContext): Promise<PreviewLine[]> {
  const { id, name, parentId, vehicleIds, personIds } = input;
  const positions = (await ifReadable(() => readFleet(context, { withSold: true })))?.positions;
  const groups = groupsOf(positions ?? []);
  const lines = [
    `group: ${named(id, groups.get(id))}`,
    ...(name === undefined ? [] : [{ field: "new name", value: name }]),
    ...(parentId === undefined ? [] : [`new parent: ${named(parentId, groups.get(parentId))}`]),
  ];
  const entries = entriesOf(positions ?? []);
  const changes = [["vehicles", vehicleIds] as const, ["persons", personIds] as const].flatMap(([label, ids]) => {
    if (ids === undefined) return [];
    return positions ? listLines(label, ids, entries[label], id, groups) : [sentLine(label, ids, entries[label])];
  });
  if (changes.length === 0) return lines;
  const limits = positions
    ? "Members are known from live positions only: others may leave too."
    : "Current members could not be read; anyone not listed may leave.";
  return [...lines, ...changes, limits];
}
