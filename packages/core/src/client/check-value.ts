import type * as z from "zod";
import { type Check, checkOf } from "./compile-check.ts";
import { DriftCollector } from "./drift.ts";

/** State of one walk: what was found, and whether an integer came that a number cannot hold. */
export class Walk {
  // Once the last object of a class is collected, the runtime drops the fast code that reads it: one that stays keeps the check fast between answers.
  static readonly kept = new Walk();
  readonly drift = new DriftCollector();
  /** Names of 64-bit fields in which JSON.parse lost digits. */
  readonly inexact = new Set<string>();
  /** In a second walk, the names of those whose digits stand in strings by now. */
  readonly requoted: ReadonlySet<string>;

  constructor(requoted: ReadonlySet<string> = new Set()) {
    this.requoted = requoted;
  }
}

function keepInt64(check: Check, value: unknown, walk: Walk): boolean {
  if (Number.isSafeInteger(value)) return true;
  // Digits in a string are ours where the text was requoted to keep them; a service that sends a string sends a wrong type.
  if (typeof value === "string") return walk.requoted.has(check.name) && /^-?\d+$/.test(value);
  // What a first walk says of it is void: the text is read again. In the second one it could not be requoted.
  if (Number.isInteger(value)) walk.inexact.add(check.name);
  return false;
}

/** Whether a value may stay where it is. Objects and arrays are mended in place. */
function keep(check: Check, value: unknown, walk: Walk): boolean {
  switch (check.kind) {
    case "string":
      return typeof value === "string";
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "boolean":
      return typeof value === "boolean";
    case "enum":
      if (typeof value !== "string") return false;
      if (!check.values.has(value)) walk.drift.add(check, "unknown enum value");
      return true;
    case "array":
      if (!Array.isArray(value)) return false;
      mendArray(check.item as Check, value, walk);
      return true;
    case "object":
      if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
      mendObject(check, value as Record<string, unknown>, walk);
      return true;
    case "integer":
      return Number.isSafeInteger(value);
    case "int64":
      return keepInt64(check, value, walk);
    case "other":
      return check.accepts?.(value) === true;
  }
}

const lengthsAsSent = new WeakMap<readonly unknown[], number>();

/** How many entries a list had before the unreadable ones were left out. */
export function lengthAsSent(list: readonly unknown[]): number {
  return lengthsAsSent.get(list) ?? list.length;
}

function mendArray(item: Check, values: unknown[], walk: Walk): void {
  let kept = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    if (!keep(item, value, walk) && (value !== null || item.required))
      walk.drift.add(item, item.kind === "object" ? "dropped record" : "wrong type");
    // Most lists lose nothing, and writing each record where it stands already would cost as much as checking it.
    else if (kept++ !== at) values[kept - 1] = value;
  }
  if (kept === values.length) return;
  lengthsAsSent.set(values, values.length);
  values.length = kept;
}

function mendObject(check: Check, record: Record<string, unknown>, walk: Walk): void {
  const { fields, index, requiredFields } = check;
  let cursor = 0;
  let missing = requiredFields.length;
  for (const key in record) {
    // Records mostly come in the order of the schema: look at the next field before asking the map.
    let field = cursor < fields.length ? fields[cursor] : undefined;
    if (field?.name !== key) {
      const at = index.get(key);
      if (at === undefined) {
        walk.drift.addUnknownField(check, key);
        continue;
      }
      cursor = at;
      field = fields[at] as Check;
    }
    cursor++;
    const value = record[key];
    if (value === null) {
      record[key] = undefined;
      continue;
    }
    if (field.required) missing--;
    if (!keep(field, value, walk)) {
      record[key] = field.standIn;
      walk.drift.add(field, "wrong type");
    }
  }
  if (missing > 0) addMissing(requiredFields, record, walk);
}

function addMissing(requiredFields: readonly Check[], record: Record<string, unknown>, walk: Walk): void {
  for (const field of requiredFields) if (record[field.name] === undefined) walk.drift.add(field, "missing required");
}

/** Whether an answer has the overall shape of its schema, after it was mended. */
function hasShape({ requiredFields }: Check, body: unknown): boolean {
  return requiredFields.every(({ kind, name }) => kind !== "array" || (body as Record<string, unknown>)[name] !== undefined);
}

/**
 * Checks an answer against its schema and mends it in place: null becomes absent, a field of the wrong type is removed or stood in for, a record that
 * is no object is left out; unknown fields and values stay. False where the whole has another shape.
 */
export function checkValue(schema: z.core.$ZodType, body: unknown, walk: Walk): boolean {
  const check = checkOf(schema);
  return keep(check, body, walk) && hasShape(check, body);
}
