import { metadataOf, type Operation, operations } from "@fleetwire/core";
import { definitionOf, nestedSchemas } from "@fleetwire/core/internal";
import type * as z from "zod";
import type { Pseudonyms } from "./pseudonyms.ts";

// Any undocumented field may hold a name. Hiding too much is better than hiding too little.
const NAMES_A_DRIVER = /(driver|person).*name|name.*(driver|person)|^(driver|person)s?$/i;
const IS_A_DRIVER = /driver|person/i;
const OF_A_GROUP = /group/i;
const TELLS_WHO = /(driver|person)_?(id|key|number)$/i;
const NAME = /^((full|display|first|last|given|family|sur)_?)?name$/i;

/** Deeper than any record. Anything nested more deeply is dropped. */
const MAX_DEPTH = 100;

/** Where a value is: its field, the record that contains it, and the field that contains this record. */
export interface FieldContext {
  field: string;
  record?: object;
  recordField: string;
}

/** The context of a whole response. */
export const WHOLE: FieldContext = { field: "", recordField: "" };

/** Whether a record is about a person, judging by the name of the field that holds it or by a person's id among its own fields. */
function isOfDriver(field: string, record: object): boolean {
  return (IS_A_DRIVER.test(field) && !OF_A_GROUP.test(field)) || Object.keys(record).some((name) => TELLS_WHO.test(name));
}

/** Collects field names at any depth of a schema; true for those that hold a person's name wherever they occur. */
function collectNames(schema: z.core.$ZodType, found: Map<string, boolean>, seen = new Set<z.core.$ZodType>()): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  for (const inner of nestedSchemas(schema)) collectNames(inner, found, seen);
  for (const [name, field] of Object.entries(definitionOf(schema).shape ?? {})) {
    found.set(name, metadataOf(field)?.holds === "person" && found.get(name) !== false);
    collectNames(field, found, seen);
  }
}

let names: Map<string, boolean> | undefined;

/** Whether a field of the fleet interface holds a person's name in every record that has it. */
function holdsPerson(field: string): boolean {
  if (!names) {
    names = new Map();
    for (const { output } of Object.values<Operation>(operations)) collectNames(output, names);
  }
  return names.get(field) === true;
}

/** Maps a string in a field; `ofDriver` says whether the record that contains it is about a person. */
type TextOf = (text: string, field: string, ofDriver: boolean) => unknown;

/** Copies a value, and maps its strings and field names. */
function withTexts(value: unknown, field: string, ofDriver: boolean, textOf: TextOf, nameOf = (name: string) => name, depth = 0): unknown {
  if (typeof value === "string") return textOf(value, field, ofDriver);
  if (typeof value !== "object" || value === null) return value;
  if (depth === MAX_DEPTH) return undefined;
  if (Array.isArray(value)) return value.map((item) => withTexts(item, field, ofDriver, textOf, nameOf, depth + 1));
  const isTheirs = isOfDriver(field, value);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [nameOf(name), withTexts(inner, name, isTheirs, textOf, nameOf, depth + 1)]),
  );
}

/** Remembers the drivers' names in an undocumented value. */
export function learnUndocumented(value: unknown, field: string, pseudonyms: Pseudonyms): void {
  withTexts(value, field, false, (text, name) => {
    if (holdsPerson(name)) pseudonyms.learn(text);
  });
}

/**
 * Replaces drivers' names in an undocumented value: in fields whose names suggest a driver's name, in name fields of records about a
 * person, and wherever a string or a field name is a known driver's name.
 */
export function hideUndocumented(value: unknown, { field, record, recordField }: FieldContext, pseudonyms: Pseudonyms): unknown {
  const hidden: TextOf = (text, name, ofDriver) => {
    // A pseudonym for a blank string would suggest that there is a name.
    if (text.trim() === "") return text;
    const namesOne = (NAMES_A_DRIVER.test(name) && !OF_A_GROUP.test(name)) || (ofDriver && NAME.test(name));
    return namesOne ? pseudonyms.of(text) : (pseudonyms.ofKnown(text) ?? text);
  };
  const ofDriver = record !== undefined && isOfDriver(recordField, record);
  return withTexts(value, field, ofDriver, hidden, (name) => pseudonyms.ofKnown(name) ?? name);
}
