import { openApiDocument, type Sensitivity } from "@fleetwire/core";
import { isDayFirstDate, parseDateTime } from "@fleetwire/core/internal";

const inCapitals = (text: string) => text.toUpperCase().replace(/[ -]/g, "_");

/** Values of enums, in capitals, and names of fields in the contract's OpenAPI document. */
const documented = { values: new Set<string>(), fields: new Set<string>() };

function collect(node: unknown): void {
  if (typeof node !== "object" || node === null) return;
  const { enum: listed, const: only, properties } = node as { enum?: unknown; const?: unknown; properties?: object };
  for (const value of [listed, only].flat()) if (typeof value === "string") documented.values.add(inCapitals(value));
  for (const name of Object.keys(properties ?? {})) documented.fields.add(name);
  for (const inner of Object.values(node)) collect(inner);
}

function documentedWords() {
  if (documented.fields.size === 0) collect(openApiDocument());
  return documented;
}

/** Whether a value, in any spelling, is documented: "In progress" is the same as `IN_PROGRESS`. */
export const isKnownValue = (text: string): boolean => documentedWords().values.has(inCapitals(text));

/** Whether a string is a date or a date-time. The day may precede the month (interface 2.5). */
export const isDated = (text: string): boolean => parseDateTime(text) !== undefined || isDayFirstDate(text);

const DURATION = /^(\d{1,3}:[0-5]\d(:[0-5]\d)?|PT(?=\d)(\d{1,3}H)?(\d{1,4}M)?(\d{1,5}S)?|\d{1,4})$/;

/** The texts that a recording keeps, by the kind of their field. No other text is kept: whatever is not listed may be personal. */
const KEPT: Readonly<Record<string, (text: string) => boolean>> = {
  flag: (text) => ["true", "false", "null"].includes(text),
  // Record times are in this century; an earlier date may be a date of birth.
  instant: (text) => text.startsWith("20") && isDated(text),
  duration: (text) => DURATION.test(text),
  field: (text) => text.split(/[.[\]]+/).every((part) => /^\d{0,4}$/.test(part) || documentedWords().fields.has(part)),
  label: isKnownValue,
};

/** Whether a recording keeps values of this kind if they have its form. */
export const mayBeKept = (kind: Sensitivity): boolean => typeof kind === "object" || Object.hasOwn(KEPT, kind);

/** Whether a recording keeps a value of a field of this kind. In a query, numbers and booleans are strings. */
export function isKept(value: string | number, kind: Sensitivity): boolean {
  if (typeof kind === "object") {
    const number = typeof value === "string" && /^-?\d{1,9}(\.\d{1,9})?$/.test(value) ? Number(value) : value;
    return typeof number === "number" && number >= kind.min && number <= kind.max;
  }
  return typeof value === "string" && Object.hasOwn(KEPT, kind) && KEPT[kind]?.(value) === true;
}
