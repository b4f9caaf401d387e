import { driverWithVehicle, groupLabel, LABEL_LENGTH, labelWithDriver, locationLabel } from "../fleet/entity-labels.ts";
import { type Driver, isLocation, type Location, type NamedGroup } from "../fleet/fleet-names.ts";
import type { Position } from "../fleet/position.ts";
import type { NameIndex } from "../names/name-index.ts";
import { MAX_CANDIDATES, NameQuestion, type UnresolvedName } from "../names/name-question.ts";
import { type Match, type Resolution, resolveName } from "../names/resolve-name.ts";
import { singleLine, singleLineOrUndefined } from "../text/clip-values.ts";
import { type Noun, VEHICLE } from "../text/pluralize.ts";

/** Returns the non-empty fields of a record, each shortened and on a single line. */
const shortTexts = (record: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(record).flatMap(([field, value]) => {
      const text = singleLineOrUndefined(value, LABEL_LENGTH);
      return text === undefined ? [] : [[field, text]];
    }),
  );

/** How to present a kind of entity. */
export interface EntityKind<Value> {
  noun: Noun;
  /** What distinguishes entities of this kind. */
  distinguishedBy: string;
  labelOf: (value: Value) => string;
  recordOf: (value: Value) => Readonly<Record<string, unknown>>;
}

export const VEHICLES: EntityKind<Position> = {
  noun: VEHICLE,
  distinguishedBy: "registration",
  labelOf: labelWithDriver,
  recordOf: ({ assetId, assetName, assetRegistration, driverName }) => shortTexts({ assetId, assetName, assetRegistration, driverName }),
};

export const DRIVERS: EntityKind<Driver> = {
  noun: ["driver", "drivers"],
  distinguishedBy: "full name or id",
  labelOf: driverWithVehicle,
  recordOf: ({ driverId, driverName }) => shortTexts({ driverId, driverName }),
};

export const GROUPS: EntityKind<NamedGroup> = {
  noun: ["group", "groups"],
  distinguishedBy: "full name or id",
  labelOf: groupLabel,
  recordOf: ({ id, name }) => shortTexts({ id, name }),
};

export const VEHICLES_AND_LOCATIONS: EntityKind<Position | Location> = {
  noun: ["vehicle, driver or location", "vehicles, drivers and locations"],
  distinguishedBy: "full name or registration",
  labelOf: (thing) => (isLocation(thing) ? locationLabel(thing) : VEHICLES.labelOf(thing)),
  recordOf: (thing) => (isLocation(thing) ? shortTexts({ locationName: thing.name }) : VEHICLES.recordOf(thing)),
};

export interface MatchOptions<Value> extends EntityKind<Value> {
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
