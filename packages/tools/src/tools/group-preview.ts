import { vehicleName } from "../fleet/entity-labels.ts";
import type { FleetContext } from "../fleet/fleet-context.ts";
import { ifReadable, readFleet } from "../fleet/fleet-reader.ts";
import { type Position, SOLD } from "../fleet/position.ts";
import { singleLine } from "../text/clip-values.ts";
import type { PreviewLine } from "../writes/write-tool.ts";

/** For longer lists, only the changes are shown. */
const MAX_LISTED = 30;
const MAX_NAME_LENGTH = 40;

type NamesById = ReadonlyMap<string, string>;

interface Members {
  vehicles: NamesById;
  persons: NamesById;
}

const NO_MEMBERS: Members = { vehicles: new Map(), persons: new Map() };

const named = (id: string, names: NamesById) => (names.has(id) ? `${singleLine(names.get(id) ?? "", MAX_NAME_LENGTH)} (${id})` : id);

const listed = (ids: readonly string[], names: NamesById) => ids.map((id) => named(id, names)).join(", ");

/** Returns all vehicles and drivers in the live positions, or those in one group. */
function membersOf(positions: readonly Position[], group: string | undefined): Members {
  const vehicles = new Map<string, string>();
  const persons = new Map<string, string>();
  for (const position of positions) {
    const { assetId, assetGroupId, driverId, driverName, driverGroupId, status } = position;
    const inGroup = (id: string | undefined) => group === undefined || id === group;
    if (assetId !== undefined && inGroup(assetGroupId)) vehicles.set(assetId, `${vehicleName(position)}${status === SOLD ? ", sold" : ""}`);
    if (driverId !== undefined && inGroup(driverGroupId)) persons.set(driverId, driverName ?? driverId);
  }
  return { vehicles, persons };
}

const sentLine = (label: string, ids: readonly string[], everyone: NamesById) =>
  `${label}, list to send (${ids.length}): ${ids.length === 0 ? "empty" : listed(ids, everyone)}`;

/**
 * Describes what a list would change, including who would leave if it replaces the current list. The interface does not say whether it
 * does.
 */
function listLines(label: string, ids: readonly string[], everyone: NamesById, members: NamesById): string[] {
  const sent = new Set(ids);
  const gone = [...members.keys()].filter((id) => !sent.has(id));
  const joining = ids.filter((id) => !members.has(id));
  const staying = ids.length - joining.length;
  return [
    ids.length <= MAX_LISTED
      ? sentLine(label, ids, everyone)
      : `${label}, list to send (${ids.length}): ${staying} current members, and those joining`,
    ...(joining.length === 0 ? [] : [`${label} joining (${joining.length}): ${listed(joining, everyone)}`]),
    `${label} leaving if the list replaces the current one (${gone.length}): ${gone.length === 0 ? "none known" : listed(gone, members)}`,
  ];
}

interface GroupInput {
  id: string;
  name?: string | undefined;
  parentId?: string | undefined;
  vehicleIds?: readonly string[] | undefined;
  personIds?: readonly string[] | undefined;
}

/** Reads all vehicles known to the service, including sold ones, with their drivers; undefined if that fails. */
async function readPositions(context: FleetContext): Promise<readonly Position[] | undefined> {
  return (await ifReadable(() => readFleet(context, { withSold: true })))?.positions;
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
export async function groupPreview(input: GroupInput, context: FleetContext): Promise<PreviewLine[]> {
  const { id, name, parentId, vehicleIds, personIds } = input;
  const positions = await readPositions(context);
  const groups = groupsOf(positions ?? []);
  const lines = [
    `group: ${named(id, groups)}`,
    ...(name === undefined ? [] : [{ field: "new name", value: name }]),
    ...(parentId === undefined ? [] : [`new parent: ${named(parentId, groups)}`]),
  ];
  const lists = [["vehicles", vehicleIds] as const, ["persons", personIds] as const];
  const [everyone, members] = positions ? [membersOf(positions, undefined), membersOf(positions, id)] : [NO_MEMBERS, NO_MEMBERS];
  const changes = lists.flatMap(([label, ids]) => {
    if (ids === undefined) return [];
    return positions ? listLines(label, ids, everyone[label], members[label]) : [sentLine(label, ids, everyone[label])];
  });
  if (changes.length === 0) return lines;
  const limits = positions
    ? "Members are known from live positions only: others may leave too."
    : "Current members could not be read; anyone not listed may leave.";
  return [...lines, ...changes, limits];
}
