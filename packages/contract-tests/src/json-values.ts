import { isRecord } from "@fleetwire/core/internal";

/** The value of a JSON text, or undefined if it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The JSON type of a value. */
export function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isFinite(value) ? "number" : "number that JSON cannot express";
  return isRecord(value) ? "object" : typeof value;
}

/** Every non-empty path in a JSON value, such as `$.items[*].faults[*].code`, with one of its values. */
export function pathsIn(value: unknown, path = "$", paths = new Map<string, unknown>()): Map<string, unknown> {
  if (Array.isArray(value)) for (const item of value) pathsIn(item, `${path}[*]`, paths);
  else if (isRecord(value)) for (const [name, inner] of Object.entries(value)) pathsIn(inner, `${path}.${name}`, paths);
  else if (value !== undefined && value !== null) paths.set(path, value);
  return paths;
}

/** Every value at such a path, whose last name may contain any character: a sort key such as `activities.type`, or an undocumented field. */
export function valuesAt(value: unknown, path: string): unknown[] {
  const rest = path.replace(/^\$/, "");
  if (rest === "") return [value];
  if (rest.startsWith("[*]") && Array.isArray(value)) return value.flatMap((item) => valuesAt(item, rest.slice(3)));
  if (!rest.startsWith(".") || !isRecord(value)) return [];
  const name = [rest.slice(1), /^\.([^.[]*)/.exec(rest)?.[1] ?? ""].find((one) => Object.hasOwn(value, one));
  return name === undefined ? [] : valuesAt(value[name], rest.slice(name.length + 1));
}

const MAX_FORM = 24;
const CLASSES: readonly (readonly [RegExp, string])[] = [
  [/\p{Lu}/gu, "A"],
  [/[^\P{L}A]/gu, "a"],
  [/\p{N}/gu, "9"],
  [/[^ -~]/gu, "?"],
];

/** The form of a value without its data: digits become 9, letters `A` or `a`, such as `99.9` for 12.5. Word lengths are hidden. */
export function formOf(value: unknown): string {
  if (typeof value === "string") {
    const form = CLASSES.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), value.slice(0, 200));
    const words = form.replace(/A{3,}/g, "AA…").replace(/a{3,}/g, "aa…");
    return `"${words.length > MAX_FORM ? `${words.slice(0, MAX_FORM)}…` : words}"`;
  }
  if (typeof value === "number" && Number.isFinite(value)) return String(value).replace(/\d/g, "9");
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[${typeOf(value[0])}, …]`;
  return isRecord(value) ? "{…}" : typeOf(value);
}

/** A difference between two JSON values. */
interface Difference {
  /** Such as `$.items[0].faults`. */
  path: string;
  wanted: unknown;
  /** Undefined if it is missing. */
  found: unknown;
}

/** All differences between two JSON values; properties that are undefined count as absent. */
export function jsonDifferences(wanted: unknown, found: unknown, path = "$"): Difference[] {
  if (Array.isArray(wanted) && Array.isArray(found)) {
    const length = Math.max(wanted.length, found.length);
    return [...Array(length).keys()].flatMap((at) => jsonDifferences(wanted[at], found[at], `${path}[${at}]`));
  }
  if (isRecord(wanted) && isRecord(found)) {
    const names = new Set([...Object.keys(wanted), ...Object.keys(found)]);
    return [...names].flatMap((name) => jsonDifferences(wanted[name], found[name], `${path}.${name}`));
  }
  return Object.is(wanted, found) || (wanted === undefined && found === undefined) ? [] : [{ path, wanted, found }];
}

const MAX_LENGTH = 80;

/** A value for a message, shortened. */
export function formatValue(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/** A message that names what is recorded and what is found now. */
export function describeChange({ path, wanted, found }: Difference): string {
  return `${path} was ${formatValue(wanted)}, is now ${formatValue(found)}`;
}

/** A message that names the field. */
export function describeDifference({ path, wanted, found }: Difference): string {
  if (found === undefined) return `${path} is missing, expected ${formatValue(wanted)}`;
  if (wanted === undefined) return `${path} is ${formatValue(found)}, but should be absent`;
  return `${path} is ${formatValue(found)}, expected ${formatValue(wanted)}`;
}
