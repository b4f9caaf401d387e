import type * as z from "zod";
import { editDistance } from "../edit-distance.ts";
import { FleetError } from "../errors.ts";
import { valueAt } from "../json-values.ts";
import { inOneLine } from "../plain-text.ts";
import type { ApiError } from "../schemas/group.ts";
import { truncate } from "./redaction.ts";

// A Date or a class instance is a value, not a set of fields.
const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  value !== undefined && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Restores the caller's property order, which matters for sort criteria: parsing puts properties in schema order. */
function inCallerOrder(parsed: unknown, given: unknown): unknown {
  if (!isPlainObject(parsed)) return parsed;
  const names = new Set([...Object.keys(given as object), ...Object.keys(parsed)].filter((name) => Object.hasOwn(parsed, name)));
  return Object.fromEntries([...names].map((name) => [name, inCallerOrder(parsed[name], (given as Record<string, unknown>)[name])]));
}

const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice("[object ".length, -1);

/** Whether a value can have input fields. Those of a map, a URLSearchParams or a promise that was not awaited would be ignored. */
export const isInput = (value: unknown): value is Record<string, unknown> => tagOf(value) === "Object";

const counted = (count: number | bigint, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;

/** Describes the kind of a value without its content, which could be private. */
function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "an invalid Date" : "a Date";
  switch (typeof value) {
    case "string":
      return value === "" ? "an empty string" : `a string of ${counted(value.length, "character")}`;
    case "number":
      if (Number.isNaN(value)) return "NaN";
      if (!Number.isFinite(value)) return "infinity";
      return Number.isInteger(value) ? "a whole number" : "a fractional number";
    case "object":
      return isInput(value) ? "an object" : `a ${tagOf(value)}`;
    default:
      return `a ${typeof value}`;
  }
}

const EXPECTED: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a finite number",
  object: "an object",
  record: "an object",
};

const UNITS: Readonly<Record<string, string>> = { string: "character", array: "entry" };

const bound = (origin: string, limit: number | bigint, word: string) => {
  const unit = UNITS[origin];
  if (unit === undefined) return `must be ${word} ${limit}`;
  return `must have ${word} ${unit === "entry" && limit !== 1 ? `${limit} entries` : counted(limit, unit)}`;
};

const expected = (type: string) => EXPECTED[type] ?? `a ${type}`;

/** What a value must be to match one of several schemas: one of their types or, if it has one of these types, what that schema requires. */
function ruleOfUnion(errors: readonly (readonly z.core.$ZodIssue[])[]): string | undefined {
  const [types, others]: [string[], z.core.$ZodIssue[]] = [[], []];
  for (const [issue] of errors) {
    if (issue?.code === "invalid_type" && issue.path.length === 0) types.push(expected(issue.expected));
    else if (issue) others.push(issue);
  }
  const [other, ...more] = others;
  if (other === undefined) return `must be ${[types.slice(0, -1).join(", "), types.at(-1)].filter(Boolean).join(" or ")}`;
  const part = typeof other.path[0] === "number" ? "each entry" : pathOf(other.path);
  return more.length > 0 ? undefined : [part, other.message].filter(Boolean).join(" ");
}

/** The rule that an issue violates, if the schema has no message of its own. */
function ruleOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${expected(issue.expected)}`;
    case "invalid_union":
      return ruleOfUnion(issue.errors) ?? "has an invalid format";
    case "invalid_value":
      return `must be one of ${issue.values.join(", ")}`;
    case "too_small":
      return bound(issue.origin, issue.minimum as number, "at least");
    case "too_big":
      return bound(issue.origin, issue.maximum as number, "at most");
    case "invalid_key":
      return "has an invalid name";
    default:
      return "has an invalid format";
  }
}

const normalize = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/** The fields that a misspelt name may mean: different case or punctuation, one wrong or two swapped letters, or a prefix. */
function suggestField(name: string, fields: readonly string[]): string {
  const given = normalize(name);
  const close = (field: string) =>
    editDistance(field, given) <= 1 || (Math.min(field.length, given.length) > 3 && (field.startsWith(given) || given.startsWith(field)));
  return fields.find((field) => normalize(field) === given) ?? fields.filter((field) => close(normalize(field))).join(" or ");
}

const MAX_NAME_LENGTH = 60;
const MAX_LISTED = 10;
/** A list or an object may break a rule with each of its thousands of values. */
const MAX_ERRORS = 100;

/** An unknown name from the caller, made safe to show on one line. */
const shownName = (name: string) => truncate(inOneLine(name), MAX_NAME_LENGTH);

const pathOf = (path: readonly PropertyKey[]) => path.map((key) => shownName(String(key))).join(".");

/** An operation or tool whose input is parsed. */
interface InputTarget {
  /** The prefix of error messages, such as `createJob`. */
  name: string;
  /** The object schema of the input. */
  input: z.ZodType;
}

const errorCount = (issue: z.core.$ZodIssue) => (issue.code === "unrecognized_keys" ? issue.keys.length : 1);

function errorsOf(issue: z.core.$ZodIssue, input: unknown, target: InputTarget): ApiError[] {
  if (issue.code === "unrecognized_keys") {
    const topLevel = issue.path.length === 0;
    return issue.keys.slice(0, MAX_ERRORS).map((key) => {
      const mayBeMisspelt = topLevel && key.length <= MAX_NAME_LENGTH;
      const suggestion = mayBeMisspelt ? suggestField(key, Object.keys((target.input as z.ZodObject).shape)) : "";
      const errorMessage = `is not a field of ${topLevel ? target.name : "this object"}${suggestion ? `; did you mean ${suggestion}?` : ""}`;
      return { errorMessage, offendingFields: [pathOf([...issue.path, key])] };
    });
  }
  const value = valueAt(issue.path, input);
  const absent = value === undefined && issue.code !== "custom";
  const given = value === undefined ? "" : ` (given: ${kindOf(value)})`;
  return [{ errorMessage: `${absent ? "is required: " : ""}${issue.message}${given}`, offendingFields: [pathOf(issue.path)] }];
}

/** `count` is the number of errors if only the first ones are given. */
function inputError({ name }: InputTarget, errors: readonly ApiError[], count = errors.length): FleetError {
  const listed = errors
    .slice(0, MAX_LISTED)
    .map(({ errorMessage, offendingFields = [] }) => [offendingFields.join(", "), errorMessage].filter(Boolean).join(": "));
  const more = count > MAX_LISTED ? `; and ${count - MAX_LISTED} more` : "";
  return new FleetError("input", `${name}: ${listed.join("; ")}${more}`, {
    operation: name,
    errors,
    advice: "Fix the fields listed; nothing was sent",
  });
}

/** The error for a field that is valid but cannot be encoded. */
export function fieldError(target: InputTarget, field: string, rule: string, value: unknown): FleetError {
  return inputError(target, [{ errorMessage: `${rule} (given: ${kindOf(value)})`, offendingFields: [shownName(field)] }]);
}

/**
 * Returns the input as it will be sent, or throws an `input` error that lists the invalid fields, up to a hundred, the rule each breaks and the kind of
 * value given.
 */
export function parseInput(target: InputTarget, input: unknown = {}): Record<string, unknown> {
  if (!isInput(input)) {
    throw inputError(target, [{ errorMessage: `the input must be an object (given: ${kindOf(input)})` }]);
  }
  try {
    // Without jitless, zod generates code at run time, which edge runtimes and strict content security policies forbid.
    const parsed = target.input.safeParse(input, { error: ruleOf, jitless: true });
    if (parsed.success) return inCallerOrder(parsed.data, input) as Record<string, unknown>;
    const { issues } = parsed.error;
    const count = issues.reduce((sum, issue) => sum + errorCount(issue), 0);
    const errors = issues.slice(0, MAX_ERRORS).flatMap((issue) => errorsOf(issue, input, target));
    throw inputError(target, errors.slice(0, MAX_ERRORS), count);
  } catch (error) {
    if (error instanceof FleetError) throw error;
    // A getter or proxy in the input threw; its message could contain anything.
    throw inputError(target, [{ errorMessage: "the input cannot be read" }]);
  }
}
