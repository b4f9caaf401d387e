/** A number that is a measurement lies in between; one that does not, such as a telephone number, is none. */
export interface Measure {
  /** The least that it can be. */
  readonly min: number;
  /** The most that it can be. */
  readonly max: number;
}

/**
 * What a field holds that tells of nobody. A recording shows such a value only where it is of this kind: a service may put anything anywhere. `flag` is true
 * or false; `instant` a day or a time of this century, ISO 8601; `duration` hours and minutes; `country` a country's name or code; `language` a tag such as
 * en-GB; `make` a known maker; `faultCode` a code of OBD or SAE J1939; `fileType` a media type or an ending; `field` the name of a field of the contract;
 * `label` a documented value, or one word in capitals.
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
 * What a value tells of people, vehicles and places: a recording always shows a pseudonym in its place. `person` is the name of a driver or of another user
 * of the fleet, `contact` that of a person at a customer, `name` that of a vehicle, group, location or customer; `place` is a part of an address; `latitude`
 * and `longitude` are in degrees; `text` is whatever somebody wrote, and may hold anything.
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

/** What a field may tell of people, vehicles and places. */
export type Sensitivity = NonSensitiveKind | SensitiveKind;

/** A measurement of at most so much. */
export const upTo = (max: number): Measure => ({ min: 0, max });

/** How many there are of something. */
export const COUNT = upTo(9_999_999);
/** In km. No vehicle has come further, and a telephone number with its prefix is larger. */
export const ODOMETER = upTo(5_000_000);
export const PERCENT = upTo(100);
