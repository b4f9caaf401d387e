import type { NamedEntity } from "@fleetwire/core";
import {
  DRIVERS,
  type Driver,
  driverLabel,
  type Entity,
  GROUPS,
  groupLabel,
  LABEL_LENGTH,
  type NamedGroup,
  VEHICLES,
  vehicleLabel,
} from "../fleet/entities.ts";
import type { FleetContext } from "../fleet/fleet-context.ts";
import { ifReadable, readFleet } from "../fleet/fleet-reader.ts";
import type { FleetView } from "../fleet/fleet-view.ts";
import { type Position, SOLD } from "../fleet/position.ts";
import type { NameIndex } from "../names/name-index.ts";
import { MAX_CANDIDATES, NameQuestion, type UnresolvedName } from "../names/name-question.ts";
import { MAX_NAMES, type Match, type Resolution, resolveName, resolveSeveral } from "../names/resolve-name.ts";
import { singleLine } from "../text/clip-values.ts";
import { fold, rawWords } from "../text/spelling.ts";

export interface MatchOptions<Value> extends Pick<Entity<Value>, "noun" | "distinguishedBy" | "labelOf" | "recordOf"> {
  /** The argument that holds the name. */
  field: string;
  /** Whether to reject a match with a different spelling, or a vehicle found only by its group. Set for writes. */
  exactOnly?: boolean;
  /** What to do if the name matches nothing. */
  alternative?: string;
}

type Unresolved<Value> = Exclude<Resolution<Value>, { result: "found" }>;

/** Describes an unresolved name: which of several matches is meant, or whether one of the nearest names is. */
export async function unresolvedName<Value>(
  resolution: Unresolved<Value>,
  query: string,
  { field, noun, distinguishedBy, labelOf, recordOf, alternative }: MatchOptions<Value>,
): Promise<UnresolvedName> {
  const isAmbiguous = resolution.result === "ambiguous";
  const owner = isAmbiguous ? undefined : resolution.owner;
  const values = isAmbiguous ? resolution.matches.map(({ value }) => value) : owner ? [owner.value] : await resolution.nearest();
  return {
    result: resolution.result,
    field,
    query,
    noun,
    distinguishedBy,
    total: values.length,
    candidates: values.slice(0, MAX_CANDIDATES).map((value) => ({ label: labelOf(value), record: recordOf(value) })),
    ...(owner && { remark: `${singleLine(owner.code.toUpperCase(), LABEL_LENGTH)} is the ${owner.by} of ${labelOf(owner.value)}.` }),
    ...(!isAmbiguous && { alternative }),
  };
}

/** Returns the single match for a name; otherwise throws a {@link NameQuestion} with candidates. */
export const requireMatch = async <Value>(text: string, index: NameIndex<Value>, options: MatchOptions<Value>): Promise<Match<Value>> =>
  matchIn(await resolveName(text, index), text, options);

/** Like {@link requireMatch}, for a name that is already resolved. */
export async function matchIn<Value>(resolution: Resolution<Value>, text: string, options: MatchOptions<Value>): Promise<Match<Value>> {
  if (resolution.result !== "found") throw new NameQuestion(await unresolvedName(resolution, text, options));
  const { match } = resolution;
  const isLoose = match.respelt === true || match.matchedBy === "group";
  if (options.exactOnly && isLoose)
    throw new NameQuestion(await unresolvedName({ result: "notFound", nearest: async () => [match.value] }, text, options));
  return match;
}

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
async function groupsCalled(name: string, field: string, fleet: FleetView): Promise<readonly NamedGroup[]> {
  const resolution = await resolveName(name, await fleet.groups());
  const several = resolution.result === "ambiguous" ? resolution.matches.filter(({ respelt }) => !respelt).map(({ value }) => value) : [];
  return several.length > 1 && isShared(name, several) ? several : [(await matchIn(resolution, name, { ...GROUPS, field })).value];
}

/** Finds groups by their names, or by a word that they have in common; throws a `NameQuestion` if a name is uncertain. */
export async function groupsNamed(given: GivenNames, fleet: FleetView): Promise<readonly NamedGroup[]> {
  return [...new Set((await resolveSeveral(given, (name) => groupsCalled(name, "group", fleet))).flat())];
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

/** Finds a sold vehicle by name, since the fleet's own list does not contain sold vehicles. */
export async function soldVehicle(query: string, context: FleetContext): Promise<Match<Position> | undefined> {
  const view = await ifReadable(() => readFleet(context, { withSold: true }));
  if (!view) return undefined;
  const found = await resolveName(query, view.vehicles);
  return found.result === "found" && !found.match.respelt && found.match.value.status === SOLD ? found.match : undefined;
}

/** The remark for a question about a name that only a sold vehicle has. */
export async function soldRemark(
  { result }: Pick<Resolution<unknown>, "result">,
  query: string,
  context: FleetContext,
): Promise<{ remark?: string }> {
  const sold = result === "notFound" ? await soldVehicle(query, context) : undefined;
  return sold ? { remark: `${vehicleLabel(sold.value)} is sold.` } : {};
}

/** What results call a driver who is in no live position: "id", and the id or driver key. */
const SHOWN = /^\s*id\s+(\S.*?)\s*$/i;
const CODE = /^(?=.*\d|.{10})[a-z0-9]{6,}$/i;
/** Letters and digits in turn, unlike a name with a number. */
const GENERATED = /^(?=.{8,}$)([a-z]+\d+[a-z]|\d+[a-z]+\d)[a-z0-9]*$/i;

/** Returns the id in a text that results show for an unnamed driver. */
export const shownId = (text: string): string | undefined => SHOWN.exec(text)?.[1];

/** Returns a text that may be an id, or a misspelt name. */
export const possibleId = (text: string): string | undefined => CODE.exec(text.trim())?.[0];

/** An entity that a name or an id refers to. */
export interface NamedValue {
  id: string | undefined;
  label: string;
  /** What records may call it: its id, name, registration and VIN. */
  called: readonly string[];
  /** The vehicles that a driver reports from. */
  vehicles: readonly Position[];
  /** Whether it is a vehicle that is no longer in the fleet. */
  isSold: boolean;
}

/** An entity that live positions do not have. */
const unknownEntity = (id: string): NamedValue => ({
  id,
  label: `id ${singleLine(id, 40)}, not in live positions`,
  called: [id],
  vehicles: [],
  isSold: false,
});

/** How to find one kind of entity. */
export interface EntityFinder {
  hint: string;
  possessive: string;
  /** Resolves a name, which several groups may have in common; throws a `NameQuestion` if the match is not certain. */
  resolve: (query: string, field: string, fleet: FleetView) => Promise<readonly NamedValue[]>;
  /** Returns the entity with an id. */
  withId: (id: string, fleet: FleetView) => Promise<NamedValue>;
}

interface FinderSpec<Value> {
  entity: Entity<Value>;
  labelOf: (value: Value) => string;
  indexOf: (fleet: FleetView) => NameIndex<Value> | Promise<NameIndex<Value>>;
  texts: Pick<EntityFinder, "hint" | "possessive">;
  find?: (query: string, field: string, fleet: FleetView) => Promise<readonly Value[]>;
  /** Reads an id that results show although live positions do not have it. */
  unknownIdIn?: (query: string) => string | undefined;
}

function finder<Value>({ entity, labelOf, indexOf, texts, find, unknownIdIn }: FinderSpec<Value>): EntityFinder {
  const idOf = (value: Value) => entity.codes.find(({ by }) => by === "id")?.of(value);
  const named = (value: Value): NamedValue => {
    const own = [...entity.codes, ...entity.names.filter(({ by }) => by === "name")];
    const { vehicles = [], status } = value as Partial<Driver & Position>;
    return { id: idOf(value), label: labelOf(value), called: own.flatMap(({ of }) => of(value) || []), vehicles, isSold: status === SOLD };
  };
  return {
    ...texts,
    resolve: async (query, field, fleet) => {
      if (find) return (await find(query, field, fleet)).map(named);
      const resolution = await resolveName(query, await indexOf(fleet));
      const id = resolution.result === "notFound" ? unknownIdIn?.(query) : undefined;
      return [id === undefined ? named((await matchIn(resolution, query, { ...entity, field })).value) : unknownEntity(id)];
    },
    withId: async (id, fleet) => {
      const existing = (await indexOf(fleet)).get(id)?.value;
      return existing && idOf(existing) === id ? named(existing) : unknownEntity(id);
    },
  };
}

/** The kinds of entities that operations take the ids of. */
export const finders: Readonly<Record<NamedEntity, EntityFinder>> = {
  vehicle: finder({
    entity: VEHICLES,
    labelOf: vehicleLabel,
    indexOf: ({ vehicles }) => vehicles,
    texts: { hint: "Name, registration or id", possessive: "its" },
  }),
  driver: finder({
    entity: DRIVERS,
    labelOf: driverLabel,
    indexOf: (fleet) => fleet.drivers(),
    texts: { hint: "Name or id", possessive: "their" },
    unknownIdIn: (query) => shownId(query) ?? GENERATED.exec(query.trim())?.[0],
  }),
  group: finder({
    entity: GROUPS,
    labelOf: groupLabel,
    indexOf: (fleet) => fleet.groups(),
    texts: { hint: "Name or id", possessive: "its" },
    find: groupsCalled,
  }),
};
