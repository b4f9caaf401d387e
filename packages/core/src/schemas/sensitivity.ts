import type * as z from "zod";

/** A number that is a measurement lies in between; one that does not, such as a telephone number, is none. */
export interface Measure {
  /** The least that it can be. */
  readonly least: number;
  /** The most that it can be. */
  readonly most: number;
}

/**
 * What a field holds that tells of nobody. A recording shows such a value only where it is of this kind: a service may put anything anywhere. `shape` is an
 * object, or a list of them, whose fields have kinds of their own; `flag` true or false; `instant` a day or a time of this century, ISO 8601; `duration`
 * hours and minutes; `country` a country's name or code; `make` a known maker; `faultCode` a code of OBD or SAE J1939; `fileType` a media type or an
 * ending; `field` the name of a field of the contract; `label` a documented value, or one word in capitals; `sort` an order of tachograph activities.
 */
export type PlainKind =
  | "shape"
  | "flag"
  | "instant"
  | "duration"
  | "country"
  | "make"
  | "faultCode"
  | "fileType"
  | "field"
  | "label"
  | "sort"
  | Measure;

/** What a value tells of people, vehicles and places: a recording always shows a pseudonym in its place. `text` is whatever somebody wrote. */
export type TellingKind =
  | "id"
  | "name"
  | "registration"
  | "vin"
  | "serial"
  | "latitude"
  | "longitude"
  | "email"
  | "phone"
  | "text"
  | "url"
  | "secret";

/** What a field may tell of people, vehicles and places. */
export type Sensitivity = PlainKind | TellingKind;

// Every field is named, so that a new one does not compile before somebody has thought about it.
export type Of<Schema extends z.ZodObject> = { readonly [Field in keyof z.infer<Schema>]-?: Sensitivity };

/** A measurement of at most so much. */
export const upTo = (most: number): Measure => ({ least: 0, most });

/** How many there are of something. */
export const COUNT = upTo(9_999_999);
/** In km. No vehicle has come further, and a telephone number with its prefix is larger. */
export const ODOMETER = upTo(5_000_000);
export const PERCENT = upTo(100);
