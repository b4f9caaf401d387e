import * as z from "zod";
import { definitionOf } from "./schema-walk.ts";

/**
 * Bounds of a measurement. A number outside them, such as a telephone number or the 255 or 65535 of a sensor without a value, is not a measurement. The
 * interface states none; these are ours.
 */
export interface Measure {
  /** The smallest possible value. */
  readonly min: number;
  /** The largest possible value. */
  readonly max: number;
}

/**
 * Values that identify nobody. A recording keeps a `flag`, an `instant` (an ISO 8601 date or time in this century), a `duration` (hours and minutes), the name of
 * a `field` in the contract, a documented value of a `label` and a measurement, if it really is one, because a service may put anything in any field.
 * `language`: a tag such as en-GB. `make`: a vehicle maker. `faultCode`: an OBD or SAE J1939 code. `fileType`: a media type or a file extension.
 */
export type NonSensitiveKind =
  | "flag"
  | "instant"
  | "duration"
  | "country"
  | "language"
  | "make"
  | "faultCode"
  | "fileType"
  | "field"
  | "label"
  | Measure;

/**
 * Values that may identify people, vehicles or places. A recording always replaces them with pseudonyms. `person`: name of a driver or another user of the
 * fleet. `contact`: name of a contact at a customer. `name`: name of a vehicle, group, location or customer. `place`: part of an address. `latitude` and
 * `longitude`: degrees. `text`: free text, which may contain anything.
 */
export type SensitiveKind =
  | "id"
  | "person"
  | "contact"
  | "name"
  | "registration"
  | "vin"
  | "serial"
  | "latitude"
  | "longitude"
  | "place"
  | "email"
  | "phone"
  | "text"
  | "url"
  | "secret";

/** The kind of value that a field holds, which determines how sensitive it is. */
export type Sensitivity = NonSensitiveKind | SensitiveKind;

/** How private a field is. Determines what models see, and what recordings and errors contain. */
interface FieldPrivacy {
  /** The kind of the field's value or, for a list, of its entries. */
  holds: Sensitivity;
  /** Hidden from models on a private journey, which the `guard` or `journeyOf` fields of the same record indicate. */
  withheld?: true;
  /** Why the field is shown on a private journey even though it reveals a place. */
  shown?: string;
  /** Marks a privacy flag: the value that hides withheld fields. A value of the wrong type counts as this one, so that the flag fails closed. */
  guard?: boolean;
  /**
   * Identifies the vehicle or driver of the record. The record counts as private while live positions show that vehicle or driver on a private
   * journey, or cannot be read.
   */
  journeyOf?: "vehicle" | "driver";
  /**
   * Says when the record began, ended, or that it goes on. A record with these fields counts as private only if it may belong to the private journey that live
   * positions show.
   */
  spans?: "start" | "end" | "open";
  /** Marks an input that errors never repeat, even if the service does. */
  confidential?: true;
}

/** Bounds from 0 to a maximum. */
export const upTo = (max: number): Measure => ({ min: 0, max });

/** Bounds of a count. */
export const COUNT = upTo(9_999_999);
/** Bounds of an odometer reading in km. A 32-bit counter of metres without a value, and a telephone number with its country code, are larger. */
export const ODOMETER = upTo(4_000_000);
/** Bounds of a heading in degrees: a service may count from north in both directions. */
export const HEADING: Measure = { min: -180, max: 360 };
export const PERCENT = upTo(100);
/** Bounds in degrees, which are geographic. */
export const LATITUDE: Measure = { min: -90, max: 90 };
export const LONGITUDE: Measure = { min: -180, max: 180 };

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

/** Adds metadata to that of a field. Without any, it may hold anything. */
export const marked = <Schema extends z.ZodType>(mark: Partial<FieldMetadata>, schema: Schema): Schema =>
  annotate(schema, { ...(metadataOf(schema) ?? { holds: "text" }), ...mark });

/** A field hidden from models on a private journey. */
export const withheld = <Schema extends z.ZodType>(schema: Schema): Schema => marked({ withheld: true }, schema);
