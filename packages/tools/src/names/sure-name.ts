import type { Position } from "../fleet/privacy.ts";
import { plainText } from "../results/cell.ts";
import { type Noun, VEHICLE } from "../results/counted.ts";
import { NameQuestion } from "../results/name-question.ts";
import type { Driver, NamedGroup, Place } from "./fleet-names.ts";
import type { NameIndex } from "./name-index.ts";
import { type Match, resolveName } from "./resolve-name.ts";

const LONGEST_LABEL = 40;

/** A text on one line; one that says nothing is as good as none. */
const textOf = (value: string | undefined) => (value === undefined ? undefined : plainText(value, LONGEST_LABEL) || undefined);

const label = (...parts: (string | undefined)[]) => {
  const [name = "without a name", more] = parts.flatMap((part) => textOf(part) ?? []);
  return more === undefined ? name : `${name} (${more})`;
};

/** A vehicle as people tell it from others. */
export const vehicleLabel = ({ assetName, assetRegistration, assetId }: Position) => label(assetName, assetRegistration, assetId);
export const driverLabel = ({ driverName, driverId }: Driver) => label(driverName, driverId);
export const groupLabel = ({ name, id }: NamedGroup) => label(name, id);

const shortTexts = (record: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(record).flatMap(([field, value]) => (textOf(value) === undefined ? [] : [[field, textOf(value)]])));

/** What a name may stand for, and how that is shown. */
export interface Kind<Value> {
  noun: Noun;
  /** What tells one from another. */
  tellBy: string;
  labelOf: (value: Value) => string;
  recordOf: (value: Value) => Readonly<Record<string, unknown>>;
}

export const VEHICLES: Kind<Position> = {
  noun: VEHICLE,
  tellBy: "registration",
  labelOf: (vehicle) => {
    const driver = textOf(vehicle.driverName);
    return `${vehicleLabel(vehicle)}${driver === undefined ? "" : `, driver ${driver}`}`;
  },
  recordOf: ({ assetId, assetName, assetRegistration, driverName }) => shortTexts({ assetId, assetName, assetRegistration, driverName }),
};

export const DRIVERS: Kind<Driver> = {
  noun: ["driver", "drivers"],
  tellBy: "full name or id",
  labelOf: driverLabel,
  recordOf: ({ driverId, driverName }) => shortTexts({ driverId, driverName }),
};

export const GROUPS: Kind<NamedGroup> = {
  noun: ["group", "groups"],
  tellBy: "full name or id",
  labelOf: groupLabel,
  recordOf: ({ id, name }) => shortTexts({ id, name }),
};

export const VEHICLES_AND_PLACES: Kind<Position | Place> = {
  noun: ["vehicle, driver or location", "vehicles, drivers and locations"],
  tellBy: "full name or registration",
  labelOf: (thing) => ("inside" in thing ? label(thing.name) : VEHICLES.labelOf(thing)),
  recordOf: (thing) => ("inside" in thing ? shortTexts({ locationName: thing.name }) : VEHICLES.recordOf(thing)),
};

export interface Naming<Value> extends Kind<Value> {
  /** The argument that holds the name. */
  field: string;
  /** Takes no other spelling, and no group for its only vehicle: for what is written, not only read. */
  toTheLetter?: boolean;
  /** What to do where it is none of those that are known. */
  orElse?: string;
}

/** What is meant by a name, or a {@link NameQuestion} with candidates. */
export function sureName<Value>(text: string, index: NameIndex<Value>, naming: Naming<Value>): Match<Value> {
  const { field, noun, tellBy, labelOf, recordOf, toTheLetter, orElse } = naming;
  const resolution = resolveName(text, index);
  const isLoose = ({ respelt, matchedBy }: Match<Value>) => respelt === true || matchedBy === "group";
  if (resolution.result === "found" && !(toTheLetter && isLoose(resolution.match))) return resolution.match;
  const several = resolution.result === "ambiguous";
  const values = several
    ? resolution.matches.map(({ value }) => value)
    : resolution.result === "found"
      ? [resolution.match.value]
      : resolution.nearest();
  throw new NameQuestion({
    result: several ? "ambiguous" : "notFound",
    field,
    said: text,
    noun,
    tellBy,
    candidates: values.map((value) => ({ label: labelOf(value), record: recordOf(value) })),
    ...(!several && { orElse }),
  });
}
