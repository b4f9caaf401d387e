import { isRecord } from "@fleetwire/core/internal";
import type * as z from "zod";
import type { ToolTexts } from "../model/tool.ts";
import { compact } from "../text/spelling.ts";
import { refuseLongWrongLists } from "./long-lists.ts";

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Parses a URL query such as `status=NEW&limit=5`; a repeated name becomes a list. Plus signs are kept, because they occur in times. */
function readQuery(text: string): Record<string, string | string[]> | undefined {
  const pairs = text
    .replace(/^\?/, "")
    .split("&")
    .map((part) => /^([^=]+)=(.*)$/s.exec(part));
  const read = new Map<string, string[]>();
  for (const pair of pairs) {
    if (pair === null) return undefined;
    const [name, value] = [decoded(pair[1] ?? ""), decoded(pair[2] ?? "")];
    const values = read.get(name);
    if (values) values.push(value);
    else read.set(name, [value]);
  }
  return Object.fromEntries([...read].map(([name, values]) => [name, values.length === 1 ? (values[0] as string) : values]));
}

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Parses a string as the type that the schema expects; undefined if that fails. */
function readAs(expected: string, text: string): unknown {
  if (expected === "number") return NUMBER.test(text.trim()) ? Number(text) : undefined;
  if (expected === "boolean") return /^true$/i.test(text) || (/^false$/i.test(text) ? false : undefined);
  if (expected !== "array" && expected !== "object" && expected !== "record") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Plain text.
  }
  if (typeof value === "object") return value !== null && Array.isArray(value) === (expected === "array") ? value : undefined;
  if (expected === "array") return /[[{,;]/.test(text) ? undefined : [text];
  return expected === "record" ? readQuery(text) : undefined;
}

// More than the name of any choice.
const MAX_CHOICE_LENGTH = 100;

/** Reads a value as what the schema requires; undefined if that fails. */
function repairedValue(issue: z.core.$ZodIssue, value: unknown): unknown {
  if (issue.code !== "invalid_type" && issue.code !== "invalid_value") return undefined;
  if (Array.isArray(value)) return value.length === 1 && typeof value[0] !== "object" ? value[0] : undefined;
  if (issue.code === "invalid_value") {
    const choice = typeof value === "string" && value.length <= MAX_CHOICE_LENGTH ? compact(value) : undefined;
    return issue.values.find((allowed) => compact(String(allowed)) === choice);
  }
  if (typeof value === "string") return readAs(issue.expected, value);
  // Other numbers may have been written differently, such as 1.10.
  return issue.expected === "string" && Number.isSafeInteger(value) ? String(value) : undefined;
}

const isBlank = (value: unknown) => value === null || value === "";

const at = (value: unknown, path: readonly PropertyKey[]): unknown => path.reduce<unknown>((inner, key) => (inner as never)?.[key], value);

/** Returns a copy with the values at these paths replaced, keeping the order of members. Every list and object is copied at most once. */
function withReplaced(args: object, fixes: readonly { path: readonly PropertyKey[]; value: unknown }[]): object {
  const copies = new Set<unknown>();
  const copyOf = <Value>(value: Value): Value => {
    if (copies.has(value)) return value;
    const copy = Array.isArray(value) ? [...value] : { ...value };
    copies.add(copy);
    return copy as Value;
  };
  const whole = copyOf(args);
  for (const { path, value } of fixes) {
    let holder = whole as Record<PropertyKey, unknown>;
    for (const key of path.slice(0, -1)) {
      holder[key] = copyOf(holder[key]);
      holder = holder[key] as Record<PropertyKey, unknown>;
    }
    holder[path.at(-1) as PropertyKey] = value;
  }
  return whole;
}

// Repairs may be nested: an array sent as text may contain numbers sent as text.
const MAX_PASSES = 3;

/** Drops null and empty strings passed for optional arguments that do not accept them. */
function withoutBlanks(
  schema: z.ZodObject,
  args: Readonly<Record<string, unknown>>,
  issues: readonly z.core.$ZodIssue[],
): Record<string, unknown> {
  const nothing = new Set(
    issues.flatMap(({ path: [field, ...inner] }) =>
      inner.length === 0 && isBlank(args[String(field)]) && schema.shape[String(field)]?.safeParse(undefined).success ? [field] : [],
    ),
  );
  return Object.fromEntries(Object.entries(args).filter(([name]) => !nothing.has(name)));
}

interface Repaired {
  args: unknown;
  /** Whether the repaired arguments match the schema. */
  fits: boolean;
}

/**
 * Repairs arguments to match the schema. Hosts and models may send numbers and lists as text, numbers instead of text, a list of one
 * instead of its entry or an entry instead of a list, a choice in another case, or null and empty strings for missing values. Whatever cannot
 * be repaired is left unchanged. Valid arguments are parsed only once.
 */
export function repairedArguments(tool: Pick<ToolTexts, "name" | "input">, args: unknown): Repaired {
  const { input: schema } = tool;
  let repaired = args;
  for (let layer = 0; layer <= MAX_PASSES; layer++) {
    // In every pass, because a text may contain a list.
    if (isRecord(repaired)) refuseLongWrongLists(tool, repaired);
    // By default, zod generates code at run time, which many web pages and edge runtimes forbid.
    const { error } = schema.safeParse(repaired, { jitless: true });
    if (error === undefined) return { args: repaired, fits: true };
    if (layer === MAX_PASSES || !isRecord(repaired)) break;
    const given = repaired;
    const fixed = error.issues.flatMap((issue) => {
      const inner = at(given, issue.path);
      const value = isBlank(inner) ? undefined : repairedValue(issue, inner);
      return value === undefined ? [] : [{ path: issue.path, value }];
    });
    const remaining = withoutBlanks(schema, given, error.issues);
    if (fixed.length === 0 && Object.keys(remaining).length === Object.keys(given).length) break;
    repaired = withReplaced(remaining, fixed);
  }
  return { args: repaired, fits: false };
}
