import { FleetError } from "@fleetwire/core";
import type { Position } from "../privacy.ts";
import { plainText } from "../results/cell.ts";
import type { Driver, NamedGroup, Place } from "./fleet-names.ts";
import type { NameIndex } from "./name-index.ts";
import { type Match, resolveName } from "./resolve-name.ts";

const CANDIDATES_NAMED = 4;
const LONGEST_LABEL = 40;

const label = (...parts: (string | undefined)[]) => {
  const [name = "without a name", more] = parts.filter((part) => part !== undefined && part !== "");
  const short = plainText(name, LONGEST_LABEL);
  return more === undefined ? short : `${short} (${plainText(more, LONGEST_LABEL)})`;
};

/** A vehicle as people tell it from others. */
export const vehicleLabel = ({ assetName, assetRegistration, assetId }: Position) => label(assetName, assetRegistration, assetId);
export const driverLabel = ({ driverName, driverId }: Driver) => label(driverName, driverId);
export const groupLabel = ({ name, id }: NamedGroup) => label(name, id);
export const placeLabel = ({ name }: Place) => label(name);

export interface Naming<Value> {
  /** The argument that holds the name. */
  field: string;
  /** What is looked for, in the plural. */
  what: string;
  labelOf: (value: Value) => string;
  /** Takes no other spelling, and no group for its only vehicle: for what is written, not only read. */
  toTheLetter?: boolean;
  /** What to do where it is none of those that are known. */
  orElse?: string;
}

/** What is meant by a name, or a refusal with candidates and one question to ask the person. */
export function sureName<Value>(
  text: string,
  index: NameIndex<Value>,
  { field, what, labelOf, toTheLetter, orElse }: Naming<Value>,
): Match<Value> {
  const said = plainText(text, 60);
  const resolution = resolveName(text, index);
  const isLoose = ({ respelt, matchedBy }: Match<Value>) => respelt === true || matchedBy === "group";
  if (resolution.result === "found" && !(toTheLetter && isLoose(resolution.match))) return resolution.match;
  if (resolution.result === "ambiguous") {
    const values = resolution.matches.map(({ value }) => labelOf(value));
    const more = values.length - CANDIDATES_NAMED;
    throw new FleetError("input", `${field}: ${values.length} ${what} fit "${said}"`, {
      advice: `Ask the person which one is meant: ${values.slice(0, CANDIDATES_NAMED).join("; ")}${more > 0 ? `; and ${more} more` : ""}?`,
    });
  }
  const near = resolution.result === "found" ? [resolution.match.value] : resolution.nearest();
  const question =
    near.length > 0 ? `Ask the person: is ${near.map(labelOf).join("; or ")} meant?` : `No ${what} are known from live positions.`;
  throw new FleetError("input", `${field}: none of the ${what} fits "${said}"`, {
    advice: orElse === undefined ? question : `${question} ${orElse}`,
  });
}
