import type * as z from "zod";
import { type Check, checkOf } from "./compile-check.ts";
import { DriftCollector } from "./drift.ts";

/** The state of checking one response: the drift found, and the fields that lost digits. */
export class CheckRun {
  // Once the last instance of a class is garbage-collected, the engine drops its optimized code. Retaining one keeps the check fast between responses.
  static readonly retained = new CheckRun();
  readonly drift = new DriftCollector();
  /** Names of 64-bit fields whose digits JSON.parse lost. */
  readonly inexact = new Set<string>();
  /** In a second run, the names of the fields whose digits are now in strings. */
  readonly requoted: ReadonlySet<string>;

  constructor(requoted: ReadonlySet<string> = new Set()) {
    this.requoted = requoted;
  }
}

function checkInt64(check: Check, value: unknown, run: CheckRun): boolean {
  if (Number.isSafeInteger(value)) return true;
  // A string of digits is valid only if we quoted it ourselves to keep its digits; one sent by the service has the wrong type.
  if (typeof value === "string") return run.requoted.has(check.name) && /^-?\d+$/.test(value);
  // The drift of the first run does not matter, because the text is parsed again. In the second run, the value could not be quoted.
  if (Number.isInteger(value)) run.inexact.add(check.name);
  return false;
}

/** Whether a value has the right type. Repairs objects and arrays in place. */
function accepts(check: Check, value: unknown, run: CheckRun): boolean {
  switch (check.kind) {
    case "string":
      return typeof value === "string";
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "boolean":
      return typeof value === "boolean";
    case "enum":
      if (typeof value !== "string") return false;
      if (!check.values.has(value)) run.drift.add(check, "unknown enum value");
      return true;
    case "array":
      if (!Array.isArray(value)) return false;
      repairArray(check.item as Check, value, run);
      return true;
    case "object":
      if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
      repairObject(check, value as Record<string, unknown>, run);
      return true;
    case "integer":
      return Number.isSafeInteger(value);
    case "int64":
      return checkInt64(check, value, run);
    case "other":
      return check.accepts?.(value) === true;
  }
}

const originalLengths = new WeakMap<readonly unknown[], number>();

/** The length of a list before invalid entries were dropped. */
export function originalLength(list: readonly unknown[]): number {
  return originalLengths.get(list) ?? list.length;
}

function repairArray(item: Check, values: unknown[], run: CheckRun): void {
  let length = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    if (!accepts(item, value, run) && (value !== null || item.required))
      run.drift.add(item, item.kind === "object" ? "dropped record" : "wrong type");
    // Most lists lose no entry, and writing every record back to its own place would cost as much as checking it.
    else if (length++ !== at) values[length - 1] = value;
  }
  if (length === values.length) return;
  originalLengths.set(values, values.length);
  values.length = length;
}

function repairObject(check: Check, record: Record<string, unknown>, run: CheckRun): void {
  const { fields, index, requiredFields } = check;
  let cursor = 0;
  let missing = requiredFields.length;
  for (const key in record) {
    // Records usually follow the order of the schema, so try the next field before looking it up.
    let field = cursor < fields.length ? fields[cursor] : undefined;
    if (field?.name !== key) {
      const at = index.get(key);
      if (at === undefined) {
        run.drift.addUnknownField(check, key);
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
    if (!accepts(field, value, run)) {
      record[key] = field.fallback;
      run.drift.add(field, "wrong type");
    }
  }
  if (missing > 0) addMissing(requiredFields, record, run);
}

function addMissing(requiredFields: readonly Check[], record: Record<string, unknown>, run: CheckRun): void {
  for (const field of requiredFields) if (record[field.name] === undefined) run.drift.add(field, "missing required");
}

/** Whether a repaired response has the overall shape of its schema. */
function hasShape({ requiredFields }: Check, body: unknown): boolean {
  return requiredFields.every(({ kind, name }) => kind !== "array" || (body as Record<string, unknown>)[name] !== undefined);
}

/**
 * Checks a response against its schema and repairs it in place: null becomes absent, a field of the wrong type is removed or replaced with its fallback, a
 * record that is not an object is dropped. Unknown fields and values are kept. Returns false if the overall shape is wrong.
 */
export function checkValue(schema: z.core.$ZodType, body: unknown, run: CheckRun): boolean {
  const check = checkOf(schema);
  return accepts(check, body, run) && hasShape(check, body);
}
