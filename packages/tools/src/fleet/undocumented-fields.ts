import { metadataOf, type Operation, operations } from "@fleetwire/core";
import type * as z from "zod";
import type { Pseudonyms } from "./pseudonyms.ts";

// Undocumented fields may hold a name anywhere; hiding too much is better than too little.
const NAMES_A_DRIVER = /(driver|person).*name|name.*(driver|person)|^(driver|person)s?$/i;
const IS_A_DRIVER = /driver|person/i;
const OF_A_GROUP = /group/i;
const TELLS_WHO = /(driver|person)_?(id|key|number)$/i;
const NAME = /^((full|display|first|last|given|family|sur)_?)?name$/i;

/** Deeper than any record; nothing below is ever shown. */
const MAX_DEPTH = 100;

/** The location of a value. */
export interface Place {
  field: string;
  /** Whether this record, or one around it, is about a person. */
  ofDriver?: boolean;
}

/** Whether a record is about a person, judging by the field that holds it or by an id among its fields. */
export function isOfDriver(field: string, record: object): boolean {
  return (IS_A_DRIVER.test(field) && !OF_A_GROUP.test(field)) || Object.keys(record).some((name) => TELLS_WHO.test(name));
}

type Shapes = Map<string, boolean>;

/** Collects the fields of a shape, at any depth, that hold a person's name wherever they occur. */
function collectNames(schema: z.core.$ZodType, found: Shapes, seen = new Set<z.core.$ZodType>()): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  const {
    innerType,
    element,
    shape = {},
  } = schema._zod.def as {
    innerType?: z.core.$ZodType;
    element?: z.core.$ZodType;
    shape?: Readonly<Record<string, z.core.$ZodType>>;
  };
  const inner = innerType ?? element;
  if (inner) collectNames(inner, found, seen);
  for (const [name, field] of Object.entries(shape)) {
    found.set(name, metadataOf(field)?.holds === "person" && found.get(name) !== false);
    collectNames(field, found, seen);
  }
}

let names: ReadonlySet<string> | undefined;

/** Fields of the interface that always hold a person's name, in any record. */
function personFields(): ReadonlySet<string> {
  if (names) return names;
  const found: Shapes = new Map();
  for (const { output } of Object.values<Operation>(operations)) collectNames(output, found);
  names = new Set([...found].flatMap(([name, fixedInput]) => (fixedInput ? [name] : [])));
  return names;
}

/** Copies a value, mapping each string and renaming each field. */
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

/** Learns the names in an undocumented value. */
export function learnUndocumented(value: unknown, place: Place, pseudonyms: Pseudonyms): void {
  withTexts(value, place, 0, (text, { field }) => {
    if (personFields().has(field)) pseudonyms.learn(text);
  });
}

/**
 * Replaces names in an undocumented value: in fields that look like names, next to a driver's id, and wherever a string or field name is a
 * known name.
 */
export function hideUndocumented(value: unknown, place: Place, pseudonyms: Pseudonyms): unknown {
  const hidden = (text: string, { field, ofDriver }: Place) => {
    // Blank strings name nobody; a pseudonym would suggest otherwise.
    if (text.trim() === "") return text;
    const namesOne = (NAMES_A_DRIVER.test(field) && !OF_A_GROUP.test(field)) || (ofDriver && NAME.test(field));
    return namesOne ? pseudonyms.of(text) : (pseudonyms.ofKnown(text) ?? text);
  };
  return withTexts(value, place, 0, hidden, (field) => pseudonyms.ofKnown(field) ?? field);
}
