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

/** Where a value is. */
export interface Place {
  field: string;
  /** Whether the record that contains the value is about a person. */
  ofDriver?: boolean;
}

/** Whether a record is about a person, judging by the name of the field that holds it or by a person's id among its own fields. */
export function isOfDriver(field: string, record: object): boolean {
  return (IS_A_DRIVER.test(field) && !OF_A_GROUP.test(field)) || Object.keys(record).some((name) => TELLS_WHO.test(name));
}

type Shapes = Map<string, boolean>;

/** Collects field names at any depth of a schema; true for those that hold a person's name wherever they occur. */
function collectNames(schema: z.core.$ZodType, found: Shapes, seen = new Set<z.core.$ZodType>()): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  for (const inner of nestedSchemas(schema)) collectNames(inner, found, seen);
  for (const [name, field] of Object.entries(definitionOf(schema).shape ?? {})) {
    found.set(name, metadataOf(field)?.holds === "person" && found.get(name) !== false);
    collectNames(field, found, seen);
  }
}

let names: ReadonlySet<string> | undefined;

/** Returns the fields of the fleet interface that hold a person's name in every record that has them. */
function personFields(): ReadonlySet<string> {
  if (names) return names;
  const found: Shapes = new Map();
  for (const { output } of Object.values<Operation>(operations)) collectNames(output, found);
  names = new Set([...found].flatMap(([name, fixedInput]) => (fixedInput ? [name] : [])));
  return names;
}

/** Copies a value, and maps its strings and field names. */
function withTexts(
  inner: unknown,
  place: Place,
  depth: number,
  textOf: (text: string, place: Place) => unknown,
  called = (field: string) => field,
): unknown {
  if (typeof inner === "string") return textOf(inner, place);
  if (typeof inner !== "object" || inner === null) return inner;
  if (depth === MAX_DEPTH) return undefined;
  if (Array.isArray(inner)) return inner.map((item) => withTexts(item, place, depth + 1, textOf, called));
  const ofDriver = isOfDriver(place.field, inner);
  return Object.fromEntries(
    Object.entries(inner).map(([field, item]) => [called(field), withTexts(item, { field, ofDriver }, depth + 1, textOf, called)]),
  );
}

/** Remembers the drivers' names in an undocumented value. */
export function learnUndocumented(value: unknown, place: Place, pseudonyms: Pseudonyms): void {
  withTexts(value, place, 0, (text, { field }) => {
    if (personFields().has(field)) pseudonyms.learn(text);
  });
}

/**
 * Replaces drivers' names in an undocumented value: in fields whose names suggest a driver's name, in name fields of records about a
 * person, and wherever a string or a field name is a known driver's name.
 */
export function hideUndocumented(value: unknown, place: Place, pseudonyms: Pseudonyms): unknown {
  const hidden = (text: string, { field, ofDriver }: Place) => {
    // A pseudonym for a blank string would suggest that there is a name.
    if (text.trim() === "") return text;
    const namesOne = (NAMES_A_DRIVER.test(field) && !OF_A_GROUP.test(field)) || (ofDriver && NAME.test(field));
    return namesOne ? pseudonyms.of(text) : (pseudonyms.ofKnown(text) ?? text);
  };
  return withTexts(value, place, 0, hidden, (field) => pseudonyms.ofKnown(field) ?? field);
}
