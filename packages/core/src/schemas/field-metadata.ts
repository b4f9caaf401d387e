import * as z from "zod";
import type { Measure, Sensitivity } from "./field-privacy.ts";

/** Units that the interface states. */
type Unit = "km/h" | "km" | "m" | "degrees" | "l" | "%" | "h" | "min" | "s" | "rpm";

/** What a field is, beyond its type: privacy, pseudonyms, recordings, units and the redaction of errors depend on it. */
export interface FieldMetadata {
  /** What its values, or the entries of its list, may tell. */
  holds: Sensitivity;
  /** The unit of its numbers, where the interface states one: "km/h". */
  unit?: string;
  /** Withheld from a model on a private journey, which the guard of the same record tells. */
  withheld?: true;
  /** Why it is shown there all the same, although it tells a place. */
  shown?: string;
  /** Of a flag that protects somebody: the value that withholds, which also counts where the flag cannot be read, so that it fails closed. */
  guard?: boolean;
  /** Of an input: private, so errors do not repeat it where the service does. */
  confidential?: true;
}

/**
 * The facts of fields, registered on their schemas: `z.string().register(fieldMetadata, { holds: "person" })`. They are no part of a JSON Schema. Read them
 * with {@link metadataOf}.
 */
export const fieldMetadata = z.registry<FieldMetadata>();

interface Inside {
  type: string;
  innerType?: z.core.$ZodType;
  element?: z.core.$ZodType;
  in?: z.core.$ZodType;
  out?: z.core.$ZodType;
}

/** What a type says by itself: true and false tell of nobody, and listed values are documented. */
function factsOfType(type: string): FieldMetadata | undefined {
  if (type === "boolean") return { holds: "flag" };
  return type === "enum" || type === "literal" ? { holds: "label" } : undefined;
}

/**
 * What a field's schema says of it, or of what is optional, nullable or a list in it; undefined for an object, whose fields have facts of their own, and for
 * what says nothing of itself: it may hold anything.
 */
export function metadataOf(schema: z.core.$ZodType): FieldMetadata | undefined {
  const { type, innerType, element, in: input, out } = schema._zod.def as Inside;
  const below = innerType ?? element;
  const inner = below ? metadataOf(below) : input && out ? (metadataOf(input) ?? metadataOf(out)) : factsOfType(type);
  const own = fieldMetadata.get(schema);
  return own || inner ? ({ ...inner, ...own } as FieldMetadata) : undefined;
}

/** A copy of a schema that states these facts, if any: the schema itself may be shared. */
export function annotate<Schema extends z.ZodType>(schema: Schema, facts: FieldMetadata | undefined): Schema {
  if (!facts) return schema;
  const copy = schema.clone();
  fieldMetadata.add(copy, facts);
  return copy;
}

/** A field of this schema that holds this. */
export const ofKind = <Schema extends z.ZodType>(schema: Schema, holds: Sensitivity): Schema => annotate(schema, { holds });

/** A text that holds this. */
export const text = (holds: Sensitivity): z.ZodString => ofKind(z.string(), holds);

/** A number between these bounds, in a unit where the interface states one. */
export const measure = <Schema extends z.ZodType>(schema: Schema, holds: Measure, unit?: Unit): Schema =>
  annotate(schema, { holds, ...(unit && { unit }) });

// What says nothing of itself may hold anything.
const statedBy = (schema: z.core.$ZodType): FieldMetadata => metadataOf(schema) ?? { holds: "text" };

/** A field that is withheld from a model on a private journey. */
export const withheld = <Schema extends z.ZodType>(schema: Schema): Schema => annotate(schema, { ...statedBy(schema), withheld: true });

/** An input that errors do not repeat where the service does. */
export const confidential = <Schema extends z.ZodType>(schema: Schema): Schema =>
  annotate(schema, { ...statedBy(schema), confidential: true });
