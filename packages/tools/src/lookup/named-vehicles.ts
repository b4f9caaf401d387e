import { vehicleLabel } from "../fleet/entity-labels.ts";
import type { NamedGroup } from "../fleet/fleet-names.ts";
import type { FleetView } from "../fleet/fleet-view.ts";
import type { Position } from "../fleet/position.ts";
import type { NameIndex } from "../names/name-index.ts";
import { resolveName } from "../names/resolve-name.ts";
import { MAX_NAMES, resolveSeveral } from "../names/several-names.ts";
import { fold, rawWords } from "../text/spelling.ts";
import { GROUPS, type MatchOptions, matchIn, requireMatch, VEHICLES } from "./single-match.ts";

/** Names, in a text or as a list. */
export type GivenNames = string | readonly string[];

/** Whether a name means all of these groups, because it is what their different names have in common. */
function isShared(name: string, groups: readonly NamedGroup[]): boolean {
  const names = groups.map((group) => rawWords(fold(group.name ?? "")));
  const different = new Set(names.map((words) => words.join(" ")));
  if (different.size < groups.length || groups.length > MAX_NAMES) return false;
  return rawWords(fold(name)).some((word) => names.every((words) => words.includes(word)));
}

/** Finds the groups of a name: one or, if it is a word that several have in common, all of these. */
export async function groupsCalled(
  name: string,
  groups: NameIndex<NamedGroup>,
  options: MatchOptions<NamedGroup>,
): Promise<readonly NamedGroup[]> {
  const resolution = await resolveName(name, groups);
  const several = resolution.result === "ambiguous" ? resolution.matches.filter(({ respelt }) => !respelt).map(({ value }) => value) : [];
  return several.length > 1 && isShared(name, several) ? several : [(await matchIn(resolution, name, options)).value];
}

/** Finds groups by their names, or by a word that they have in common; throws a `NameQuestion` if a name is uncertain. */
export async function groupsNamed(given: GivenNames, fleet: FleetView): Promise<readonly NamedGroup[]> {
  const groups = await fleet.groups();
  return [...new Set((await resolveSeveral(given, (name) => groupsCalled(name, groups, { ...GROUPS, field: "group" }))).flat())];
}

/** Finds vehicles by their names; throws a `NameQuestion` if one is uncertain. */
export async function vehiclesNamed(given: GivenNames, { vehicles }: Pick<FleetView, "vehicles">): Promise<readonly Position[]> {
  const one = async (name: string) => (await requireMatch(name, vehicles, { ...VEHICLES, field: "vehicle" })).value;
  return [...new Set(await resolveSeveral(given, one))];
}

const MAX_LABELLED = 4;

/** Lists labels, the first few if there are many. */
export const labelsOf = <Value>(values: readonly Value[], labelOf: (value: Value) => string, max = MAX_LABELLED): string =>
  `${values
    .slice(0, max)
    .map((one) => labelOf(one))
    .join(", ")}${values.length > max ? ` and ${values.length - max} more` : ""}`;

export const vehicleLabels = (vehicles: readonly Position[]): string => labelsOf(vehicles, vehicleLabel);
