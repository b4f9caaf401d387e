import type { NonSensitiveKind, SensitiveKind, Sensitivity } from "@fleetwire/core";
import { isDayFirstDate, parseDateTime } from "@fleetwire/core/internal";
import { isCountry, isDocumentedField, isKnownValue, isLanguage, MAKERS } from "./known-words.ts";

const SENSITIVE: Readonly<Record<SensitiveKind, true>> = {
  id: true,
  person: true,
  contact: true,
  name: true,
  registration: true,
  vin: true,
  serial: true,
  latitude: true,
  longitude: true,
  place: true,
  email: true,
  phone: true,
  text: true,
  url: true,
  secret: true,
};

export const isSensitive = (kind: Sensitivity): kind is SensitiveKind => typeof kind === "string" && kind in SENSITIVE;

/** Whether a string is a date or a date-time. The day may precede the month (interface 2.5). */
export const isDated = (text: string): boolean => parseDateTime(text) !== undefined || isDayFirstDate(text);

/** Record times are in this century; an earlier date may be a date of birth. */
const isInstant = (text: string) => text.startsWith("20") && isDated(text);

const DURATIONS = [/^\d{1,3}:[0-5]\d(:[0-5]\d)?$/, /^PT(?=\d)(\d{1,3}H)?(\d{1,4}M)?(\d{1,5}S)?$/, /^\d{1,4}$/];

/** OBD codes (P0117), SAE J1939 codes (SPN 110 FMI 3), and numbers too short to be phone numbers. */
const FAULT_CODES = [/^[PCBU][0-3][0-9A-F]{3}(-[0-9A-F]{2})?$/, /^SPN ?\d{1,6}([ ,/]+FMI ?\d{1,2})?$/, /^\d{1,6}([-/.:]\d{1,2})?$/];

const FILE_TYPES =
  /^((application|image|text|video|audio)\/)?(pdf|jpe?g|png|gif|webp|heic|heif|tiff?|bmp|svg(\+xml)?|txt|plain|csv|html|xml|json|zip|mp[34]|mpeg|docx?|xlsx?|msword|octet-stream)$/i;

/** Code-like uppercase words, or numbers of up to three digits. */
const CAPITALS = /^(\$?[A-Z]{2,24}([_-][A-Z]{2,24}){0,3}|\d{1,3})$/;

const TEXTS: Readonly<Record<Exclude<NonSensitiveKind, object | "flag">, (text: string) => boolean>> = {
  instant: isInstant,
  duration: (text) => DURATIONS.some((form) => form.test(text)),
  country: isCountry,
  language: isLanguage,
  make: (text) => MAKERS.has(text.toLowerCase()),
  faultCode: (text) => FAULT_CODES.some((form) => form.test(text)),
  fileType: (text) => FILE_TYPES.test(text),
  field: (text) => text.split(/[.[\]]+/).every((part) => /^\d{0,4}$/.test(part) || isDocumentedField(part)),
  label: (text) => isKnownValue(text) || CAPITALS.test(text),
};

/** Whether a value looks like the kind documented for its field. In a query, numbers and booleans are strings. */
export function isOfKind(value: unknown, kind: NonSensitiveKind): boolean {
  if (value === null || value === "") return true;
  if (typeof kind === "object") {
    const number = typeof value === "string" && /^-?\d{1,9}(\.\d{1,9})?$/.test(value) ? Number(value) : value;
    return typeof number === "number" && number >= kind.min && number <= kind.max;
  }
  if (kind === "flag") return typeof value === "boolean" || value === "true" || value === "false" || value === "null";
  return typeof value === "string" && TEXTS[kind](value);
}
