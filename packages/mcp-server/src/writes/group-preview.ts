import { FleetError } from "@fleetwire/core";
import { maskPositions, type Position } from "../privacy.ts";
import type { ToolContext } from "../tool.ts";

const NAMED = 12;

type Named = ReadonlyMap<string, string>;

interface Members {
  vehicles: Named;
  persons: Named;
}

const listed = (ids: readonly string[], names: Named) => {
  const told = ids.slice(0, NAMED).map((id) => (names.has(id) ? `${names.get(id)} (${id})` : id));
  return `${told.join(", ")}${ids.length > NAMED ? `, and ${ids.length - NAMED} more` : ""}`;
};

/** Everyone the live positions know, and who of them is in the group. */
function membersOf(positions: readonly Position[], group: string | undefined): Members {
  const vehicles = new Map<string, string>();
  const persons = new Map<string, string>();
  for (const { assetId, assetName, assetRegistration, assetGroupId, driverId, driverName, driverGroupId } of positions) {
    const inGroup = (id: string | undefined) => group === undefined || id === group;
    if (assetId !== undefined && inGroup(assetGroupId)) vehicles.set(assetId, assetName ?? assetRegistration ?? assetId);
    if (driverId !== undefined && inGroup(driverGroupId)) persons.set(driverId, driverName ?? driverId);
  }
  return { vehicles, persons };
}

/** What a list means, and who would go if it replaces the one that is there: the interface does not say whether it does. */
function listLines(label: string, ids: readonly string[], everyone: Named, members: Named): string[] {
  const sent = new Set(ids);
  const gone = [...members.keys()].filter((id) => !sent.has(id));
  return [
    `${label}, the list that is sent (${ids.length}): ${ids.length === 0 ? "empty" : listed(ids, everyone)}`,
    `${label} that would leave the group if the list replaces the one that is there (${gone.length}): ${gone.length === 0 ? "none known" : listed(gone, members)}`,
  ];
}

interface GroupInput {
  id: string;
  name?: string | undefined;
  parentId?: string | undefined;
  vehicleIds?: readonly string[] | undefined;
  personIds?: readonly string[] | undefined;
}

/** A group update in words. Members are known from live positions only, sold vehicles included. */
export async function groupPreview(input: GroupInput, context: ToolContext): Promise<string[]> {
  const { id, name, parentId, vehicleIds, personIds } = input;
  const lines = [
    `group: ${id}`,
    ...(name === undefined ? [] : [`new name: ${name === "" ? "empty" : name}`]),
    ...(parentId === undefined ? [] : [`new parent: ${parentId}`]),
  ];
  if (vehicleIds === undefined && personIds === undefined) return lines;
  const { fleet, settings, callOptions } = context;
  try {
    const query = { showAllVehicleStatus: true, hideSpeedIfSpeedSensitive: settings.privacy !== "off" };
    const positions = maskPositions(await fleet.listLivePositions(query, callOptions), context);
    const [everyone, members] = [membersOf(positions, undefined), membersOf(positions, id)];
    return [
      ...lines,
      ...(vehicleIds === undefined ? [] : listLines("vehicles", vehicleIds, everyone.vehicles, members.vehicles)),
      ...(personIds === undefined ? [] : listLines("persons", personIds, everyone.persons, members.persons)),
      "Members are known from live positions only: others may leave too.",
    ];
  } catch (error) {
    if (!(error instanceof FleetError) || error.code === "aborted") throw error;
    const none: Named = new Map();
    return [
      ...lines,
      ...(vehicleIds === undefined ? [] : [`vehicles, the list that is sent (${vehicleIds.length}): ${listed(vehicleIds, none)}`]),
      ...(personIds === undefined ? [] : [`persons, the list that is sent (${personIds.length}): ${listed(personIds, none)}`]),
      "Who is in the group now could not be read; whoever is not in a list may leave.",
    ];
  }
}
