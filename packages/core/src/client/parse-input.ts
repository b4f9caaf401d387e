import type * as z from "zod";
import { FleetError } from "../errors.ts";
import { isRecord } from "../is-record.ts";
import type { ApiError } from "../schemas/api-error.ts";
import { shortened } from "./printable-text.ts";

// A Date, or an object of a class, is a value and not a set of fields.
const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  value !== undefined && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Parsed input with the members of its objects in the caller's order: parsing puts them in the schema's, and in a sort order it matters. */
function inGivenOrder(parsed: unknown, given: unknown): unknown {
  if (!isPlainObject(parsed)) return parsed;
  const names = new Set([...Object.keys(given as object), ...Object.keys(parsed)].filter((name) => Object.hasOwn(parsed, name)));
  return Object.fromEntries([...names].map((name) => [name, inGivenOrder(parsed[name], (given as Record<string, unknown>)[name])]));
}

const counted = (count: number | bigint, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;

/** What a value is, without what it holds: that could be private. */
function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "a Date that is invalid" : "a Date";
  switch (typeof value) {
    case "string":
      return value === "" ? "an empty string" : `a string of ${counted(value.length, "character")}`;
    case "number":
      if (Number.isNaN(value)) return "NaN";
      if (!Number.isFinite(value)) return "infinity";
      return Number.isInteger(value) ? "a whole number" : "a number with a fraction";
    case "object":
      return "an object";
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

/** The rule that an issue is about, for the rules that carry no words of their own. */
function ruleOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${EXPECTED[issue.expected] ?? `a ${issue.expected}`}`;
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return bound(issue.origin, issue.minimum as number, "at least");
    case "too_big":
      return bound(issue.origin, issue.maximum as number, "at most");
    case "invalid_key":
      return "has a name that is not allowed";
    default:
      return "has a form that is not allowed";
  }
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], input);
}

const bare = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");
const sortedLetters = (name: string) => [...name].sort().join();

function differByOneLetter(a: string, b: string): boolean {
  if (a.length < b.length) return differByOneLetter(b, a);
  const at = [...a].findIndex((letter, index) => letter !== b[index]);
  return a.slice(at + 1) === b.slice(a.length === b.length ? at + 1 : at);
}

/** The field that a misspelt one stands for: it differs in case and signs, by one letter or two that changed places, or one begins with the other. */
function meantField(name: string, fields: readonly string[]): string | undefined {
  const given = bare(name);
  const close = (field: string) =>
    sortedLetters(field) === sortedLetters(given) ||
    differByOneLetter(field, given) ||
    (Math.min(field.length, given.length) > 3 && (field.startsWith(given) || given.startsWith(field)));
  return fields.find((field) => bare(field) === given) ?? fields.find((field) => close(bare(field)));
}

const LONGEST_NAME = 60;
const MOST_NAMED = 10;

/** A name that the caller made up, fit for one line. */
const shownName = (name: string) => shortened(name.replace(/[\p{Cc}\p{Cf}\s]+/gu, " "), LONGEST_NAME);

const pathOf = (path: readonly PropertyKey[]) => path.map((key) => shownName(String(key))).join(".");

/** What takes an input: an operation, or a tool. */
export interface InputTarget {
  /** Stands in front of what is wrong, such as `createJob`. */
  name: string;
  /** The schema that the input must fit: that of an object. */
  input: z.ZodType;
}

function errorsOf(issue: z.core.$ZodIssue, input: unknown, target: InputTarget): ApiError[] {
  if (issue.code === "unrecognized_keys") {
    const whole = issue.path.length === 0;
    return issue.keys.map((key) => {
      const meant = whole ? meantField(key, Object.keys((target.input as z.ZodObject).shape)) : undefined;
      const errorMessage = `is no field of ${whole ? target.name : "this object"}${meant ? `; did you mean ${meant}?` : ""}`;
      return { errorMessage, offendingFields: [pathOf([...issue.path, key])] };
    });
  }
  const value = valueAt(input, issue.path);
  const absent = value === undefined && issue.code !== "custom";
  const given = value === undefined ? "" : ` (given: ${kindOf(value)})`;
  return [
    {
      errorMessage: `${absent ? "is required: " : ""}${issue.message}${given}`,
      offendingFields: [pathOf(issue.path)],
    },
  ];
}

function inputError({ name }: InputTarget, errors: readonly ApiError[]): FleetError {
  const named = errors
    .slice(0, MOST_NAMED)
    .map(({ errorMessage, offendingFields = [] }) => [offendingFields.join(", "), errorMessage].filter(Boolean).join(": "));
  const more = errors.length > MOST_NAMED ? `; and ${errors.length - MOST_NAMED} more` : "";
  return new FleetError("input", `${name}: ${named.join("; ")}${more}`, {
    operation: name,
    errors,
    advice: "Mend the fields that are named; nothing was sent",
  });
}

/** Refuses a field that passed its schema and cannot be written all the same. */
export function refuseField(target: InputTarget, field: string, rule: string, value: unknown): FleetError {
  return inputError(target, [{ errorMessage: `${rule} (given: ${kindOf(value)})`, offendingFields: [shownName(field)] }]);
}

/**
 * The input as it goes on the wire, or an `input` error that names each field, the rule that it breaks and the kind of value that was given.
 */
export function parseInput(target: InputTarget, input: unknown = {}): Record<string, unknown> {
  if (!isRecord(input)) {
    throw inputError(target, [{ errorMessage: `the input must be an object (given: ${kindOf(input)})` }]);
  }
  try {
    // zod would otherwise make code at run time, which many pages and edge runtimes forbid.
    const parsed = target.input.safeParse(input, { error: ruleOf, jitless: true });
    if (parsed.success) return inGivenOrder(parsed.data, input) as Record<string, unknown>;
    throw inputError(
      target,
      parsed.error.issues.flatMap((issue) => errorsOf(issue, input, target)),
    );
  } catch (error) {
    if (error instanceof FleetError) throw error;
    // A getter or proxy of the caller's threw; what it said could hold anything.
    throw inputError(target, [{ errorMessage: "the input cannot be read" }]);
  }
}
