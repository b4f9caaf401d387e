import * as z from "zod";
import { type FieldPrivacy, LATITUDE, LONGITUDE, type Measure, type Sensitivity } from "./field-privacy.ts";
import { definitionOf } from "./schema-walk.ts";

/** Units stated in the interface. */
type Unit = "km/h" | "km" | "m" | "degrees" | "l" | "%" | "h" | "min" | "s" | "rpm";

/** What a field means beyond its type. */
export interface FieldMetadata extends FieldPrivacy {
  /** Unit of the field's numbers, such as "km/h", if the interface states one. */
  unit?: string;
  /** A field of the same record that tells more of the same, such as litres beside percent; shown beside this one. */
  beside?: string;
  /** A field of the same record which, if it is known, shows that this one is absent because there is none. */
  knownBy?: string;
  /** Whether the values of several records add up, as distances do. */
  adds?: true;
  /** The records in which the service omits the field on request, such as "speed-sensitive groups". */
  omittedFor?: string;
}

/**
 * Registry of field metadata: `z.string().register(fieldMetadata, { holds: "person" })`. Not part of the JSON Schema. Read it with {@link metadataOf}.
 */
export const fieldMetadata = z.registry<FieldMetadata>();

/** Metadata implied by the type: a boolean identifies nobody, and the values of an enum are documented. */
function metadataOfType(type: string): FieldMetadata | undefined {
  if (type === "boolean") return { holds: "flag" };
  return type === "enum" || type === "literal" ? { holds: "label" } : undefined;
}

/**
 * Returns the metadata of a field's schema, including that of the schemas it wraps (optional, nullable, list). Returns undefined for an object, whose fields
 * have their own metadata, and for a schema without metadata, which may hold anything.
 */
export function metadataOf(schema: z.core.$ZodType): FieldMetadata | undefined {
  const { type, innerType, element, in: input, out } = definitionOf(schema);
  const below = innerType ?? element;
  const inner = below ? metadataOf(below) : input && out ? (metadataOf(input) ?? metadataOf(out)) : metadataOfType(type);
  const own = fieldMetadata.get(schema);
  return own || inner ? ({ ...inner, ...own } as FieldMetadata) : undefined;
}

/** Returns the bounds of a field's plausible values, if it has any: those of coordinates, and of measurements whose unit is stated. */
export function plausibleRange({ holds, unit }: FieldMetadata): Measure | undefined {
  if (holds === "latitude") return LATITUDE;
  if (holds === "longitude") return LONGITUDE;
  return typeof holds === "object" && unit !== undefined ? holds : undefined;
}

/** Returns a copy of a schema with the given metadata; without metadata, the schema itself. The original may be shared, so it is not changed. */
export function annotate<Schema extends z.ZodType>(schema: Schema, metadata: FieldMetadata | undefined): Schema {
  if (!metadata) return schema;
  const copy = schema.clone();
  fieldMetadata.add(copy, metadata);
  return copy;
}

/** A field whose values are of this kind. */
export const ofKind = <Schema extends z.ZodType>(schema: Schema, holds: Sensitivity): Schema => annotate(schema, { holds });

/** A string field whose values are of this kind. */
export const text = (holds: Sensitivity): z.ZodString => ofKind(z.string(), holds);

/** A number within these bounds, with its unit if the interface states one. */
export const measure = <Schema extends z.ZodType>(schema: Schema, holds: Measure, unit?: Unit): Schema =>
  annotate(schema, { holds, ...(unit && { unit }) });

// A field without metadata may hold anything.
const metadataOrText = (schema: z.core.$ZodType): FieldMetadata => metadataOf(schema) ?? { holds: "text" };

/** A field hidden from models on a private journey. */
export const withheld = <Schema extends z.ZodType>(schema: Schema): Schema =>
  annotate(schema, { ...metadataOrText(schema), withheld: true });

/** A field that a record lacks because there is none, if it has the other one. */
export const knownBy = <Schema extends z.ZodType>(other: string, schema: Schema): Schema =>
  annotate(schema, { ...metadataOrText(schema), knownBy: other });

/** A field that identifies whose private journey hides the withheld fields of its record. */
export const journeyOf = <Schema extends z.ZodType>(whose: "vehicle" | "driver", schema: Schema): Schema =>
  annotate(schema, { ...metadataOrText(schema), journeyOf: whose });

/** A field whose values in several records add up. */
export const adding = <Schema extends z.ZodType>(schema: Schema): Schema => annotate(schema, { ...metadataOrText(schema), adds: true });

/** A field that says when its record began, ended, or whether it goes on. */
export const spans = <Schema extends z.ZodType>(what: NonNullable<FieldMetadata["spans"]>, schema: Schema): Schema =>
  annotate(schema, { ...metadataOrText(schema), spans: what });

/** An input that errors never repeat, even if the service does. */
export const confidential = <Schema extends z.ZodType>(schema: Schema): Schema =>
  annotate(schema, { ...metadataOrText(schema), confidential: true });
