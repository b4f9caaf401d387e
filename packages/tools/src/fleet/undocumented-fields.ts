import { metadataOf, type Operation, operations } from "@fleetwire/core";
import type * as z from "zod";
import type { Pseudonyms } from "./pseudonyms.ts";

// Where no schema describes a field, a name may stand anywhere; rather too much is hidden than too little.
const NAMES_A_DRIVER = /(driver|person).*name|name.*(driver|person)|^(driver|person)s?$/i;
const IS_A_DRIVER = /driver|person/i;
const OF_A_GROUP = /group/i;
const TELLS_WHO = /(driver|person)_?(id|key|number)$/i;
const NAME = /^((full|display|first|last|given|family|sur)_?)?name$/i;

/** Deeper than any record is; what lies below is shown nowhere. */
const MAX_DEPTH = 100;

/** Where a value stands. */
export interface Place {
  field: string;
  /** The record, or one around it, is about a person. */
  ofDriver?: boolean;
}

/** Whether a record is about a person: the field that holds it says so, or an id beside its other fields does. */
export function isOfDriver(field: string, record: object): boolean {
  return (IS_A_DRIVER.test(field) && !OF_A_GROUP.test(field)) || Object.keys(record).some((name) => TELLS_WHO.test(name));
}

type Shapes = Map<string, boolean>;

/** Which fields of a shape, and of the shapes in it, hold a person's name wherever they stand. */
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

/** Fields of the interface that hold a person's name and nothing else, in whatever record they stand. */
function personFields(): ReadonlySet<string> {
  if (names) return names;
  const found: Shapes = new Map();
  for (const { output } of Object.values<Operation>(operations)) collectNames(output, found);
  names = new Set([...found].flatMap(([name, fixedInput]) => (fixedInput ? [name] : [])));
  return names;
}

/** A copy in which each text is what is made of it, and each field is called as it says. */
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

/** Learns the names in a value that no schema describes. */
export function learnUndocumented(value: unknown, place: Place, pseudonyms: Pseudonyms): void {
  withTexts(value, place, 0, (text, { field }) => {
    if (personFields().has(field)) pseudonyms.learn(text);
  });
}

/** A value that no schema describes with names replaced: in fields that seem to hold one, beside a driver's id, and wherever a text or a field's name is a known one. */
export function hideUndocumented(value: unknown, place: Place, pseudonyms: Pseudonyms): unknown {
  const hidden = (text: string, { field, ofDriver }: Place) => {
    // It names nobody, and a pseudonym would tell of somebody.
    if (text.trim() === "") return text;
    const namesOne = (NAMES_A_DRIVER.test(field) && !OF_A_GROUP.test(field)) || (ofDriver && NAME.test(field));
    return namesOne ? pseudonyms.of(text) : (pseudonyms.ofKnown(text) ?? text);
  };
  return withTexts(value, place, 0, hidden, (field) => pseudonyms.ofKnown(field) ?? field);
}
