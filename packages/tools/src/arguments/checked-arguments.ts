import { FleetError } from "@fleetwire/core";
import { definitionOf, isRecord, parseInput, unwrapSchema, withDetails } from "@fleetwire/core/internal";
import type * as z from "zod";
import type { ToolTexts } from "../model/tool.ts";
import { compact, meansNothing } from "../text/spelling.ts";

// Far more than any call needs, but still copied in milliseconds.
const MAX_DEPTH = 50;
// Far more fields than any object has. Entries of lists are limited only because lists that share entries could be copied without end.
export const MAX_FIELDS = 10_000;
const MAX_VALUES = 1_000_000;

const refused = (tool: string, why: string, advice = "Pass the arguments as a plain JSON object") =>
  new FleetError("input", `${tool}: ${why}`, { advice });

/**
 * Copies an in-process caller's arguments as JSON serialization would: dates become ISO strings, and undefined members are dropped. Each
 * value is read only once, so that what is checked is what is sent.
 */
function toJsonArguments(tool: string, args: unknown): unknown {
  let values = 0;
  const copied = (value: unknown, depth: number): unknown => {
    if (typeof value === "bigint" || typeof value === "symbol" || typeof value === "function")
      throw refused(tool, `the arguments contain a ${typeof value}`);
    if (typeof value !== "object" || value === null) return value;
    if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
    if (depth > MAX_DEPTH) throw refused(tool, "the arguments are nested too deeply");
    const names = Array.isArray(value) ? undefined : Object.keys(value);
    if (names && names.length > MAX_FIELDS)
      throw refused(tool, `the arguments contain more than ${MAX_FIELDS} fields`, "Pass fewer in one call");
    values += (names ?? (value as unknown[])).length;
    if (values > MAX_VALUES) throw refused(tool, `the arguments contain more than ${MAX_VALUES} values`, "Pass fewer in one call");
    if (names === undefined) return (value as unknown[]).map((inner) => copied(inner, depth + 1));
    const copies = names.map((name) => [name, copied((value as Record<string, unknown>)[name], depth + 1)] as const);
    return Object.fromEntries(copies.filter(([, copy]) => copy !== undefined));
  };
  try {
    return copied(args, 0);
  } catch (error) {
    if (error instanceof FleetError) throw error;
    // The caller's getter or proxy threw. Its message is not shown, because it may contain anything.
    throw refused(tool, "the arguments cannot be read");
  }
}

/**
 * Returns the path of an argument named `__proto__`, such as `query.__proto__`. JSON allows this name, but schemas drop it silently. Arguments that are
 * nested too deeply are refused whatever their names.
 */
export function prototypeKeyIn(value: unknown, depth = 0): string | undefined {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return undefined;
  if (Object.hasOwn(value, "__proto__")) return "__proto__";
  // The names of a long list's entries take longer to create than the entries to read.
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  for (const key of keys) {
    const inner = prototypeKeyIn((value as Record<string | number, unknown>)[key], depth + 1);
    if (inner !== undefined) return `${key}.${inner}`;
  }
  return undefined;
}

type CheckedTool = Pick<ToolTexts, "name" | "effect" | "input" | "inputSchema">;
type Arguments = Record<string, unknown>;

/**
 * Several times what a model needs for a read, yet few enough to search quickly. A cursor does not count: we issue it, and it grows with the names
 * that it holds. Writes are limited by their preview.
 */
const MAX_READ_CHARACTERS = 4000;

const sizeOf = (args: unknown) => (isRecord(args) ? JSON.stringify({ ...args, cursor: undefined }) : JSON.stringify(args ?? {})).length;

/** Validates arguments and returns them as the tool expects them. Throws an `input` error that says how to fix them. */
export function checkedArguments(tool: CheckedTool, raw: unknown): Arguments {
  // A copy, so it can be changed in place.
  const args = toJsonArguments(tool.name, raw) ?? {};
  if (tool.effect === "read" && sizeOf(args) > MAX_READ_CHARACTERS)
    throw refused(tool.name, `the arguments exceed ${MAX_READ_CHARACTERS} characters`, "Ask for less in one call");
  const named = prototypeKeyIn(args);
  if (named !== undefined) throw refused(tool.name, `${named}: is not a field of ${tool.name}`, "Call again without it");
  if (!repairArguments(tool, args)) {
    try {
      // Called only for its error, which describes what is wrong.
      parseInput(tool, args);
    } catch (error) {
      if (!(error instanceof FleetError)) throw error;
      const fields = Object.keys(tool.inputSchema["properties"] as object).join(", ");
      const isKnown = Object.keys(args).every((field) => field in tool.input.shape);
      throw withDetails(error, { advice: `Fix these and call again${isKnown ? "" : `; ${tool.name} takes ${fields}`}` });
    }
  }
  // Unparsed, because the client parses them.
  return args as Arguments;
}

/** Arguments that n8n adds to each call, which a tool without such a field ignores. */
const HOST_ARGUMENTS = new Set(["toolCallId", "tool", "sessionId", "action", "chatInput"]);

const isNothing = (value: unknown): value is string => typeof value === "string" && meansNothing(value);

const isOptional = ({ input }: Pick<CheckedTool, "input">, field: string) =>
  Object.hasOwn(input.shape, field) && input.shape[field]?.safeParse(undefined).success === true;

function isChoice({ input }: Pick<CheckedTool, "input">, field: string, value: string): boolean {
  const schema = unwrapSchema(input.shape[field] as z.ZodType);
  return definitionOf(schema).type === "enum" && repairedChoice(Object.values(definitionOf(schema).entries ?? {}), value) !== undefined;
}

/** Removes what a host has added, and texts that mean nothing. A list in a write is refused instead of sending less than the model may have meant. */
function removeAdditions(tool: CheckedTool, args: Arguments): void {
  for (const [field, value] of Object.entries(args)) {
    if (HOST_ARGUMENTS.has(field) && !(field in tool.input.shape)) delete args[field];
    const isSeveral = typeof value === "object" && value !== null;
    // A service may have a field of that name.
    if (field === "fields" && isSeveral) continue;
    const entries = isSeveral ? Object.values(value) : [value];
    const nothing = entries.find(isNothing);
    if (nothing === undefined || !isOptional(tool, field) || isChoice(tool, field, nothing)) continue;
    if (entries.every(isNothing)) delete args[field];
    else if (tool.effect !== "read")
      throw refused(tool.name, `${field}: "${nothing}" is no value`, `Call again without ${field}, or ask the user for it`);
    else if (Array.isArray(value)) args[field] = value.filter((entry) => !isNothing(entry));
    else args[field] = Object.fromEntries(Object.entries(value as object).filter(([, entry]) => !isNothing(entry)));
  }
}

// Repairs may be nested: an array sent as text may contain numbers sent as text.
const MAX_PASSES = 3;

/**
 * Repairs arguments in place to match the schema, and returns whether they do. Hosts and models may send numbers and lists as text, numbers
 * instead of text, a list of one instead of its entry or an entry instead of a list, a choice in another case, or null and empty strings for
 * missing values. Whatever cannot be repaired is left unchanged. Valid arguments are parsed only once.
 */
function repairArguments(tool: CheckedTool, args: unknown): boolean {
  for (let pass = 0; ; pass++) {
    // In every pass, because a text may contain a list.
    if (isRecord(args)) {
      removeAdditions(tool, args);
      refuseLongWrongLists(tool, args);
    }
    // By default, zod generates code at run time, which many web pages and edge runtimes forbid.
    const { error } = tool.input.safeParse(args, { jitless: true });
    if (error === undefined) return true;
    if (pass === MAX_PASSES || !isRecord(args)) return false;
    if (error.issues.filter((issue) => repairIssue(tool, args, issue)).length === 0) return false;
  }
}

/** As many wrong entries are described within milliseconds, and more than any caller reads about. */
const MAX_WRONG_ENTRIES = 10_000;

/** Refuses a long list with a wrong entry, without describing every other. Valid entries cost next to nothing, so their number is not limited. */
function refuseLongWrongLists({ name, input }: CheckedTool, args: Arguments): void {
  for (const [field, list] of Object.entries(args)) {
    const fits = (entries: readonly unknown[]) =>
      (input.shape[field] as z.ZodType | undefined)?.safeParse(entries, { jitless: true }).success;
    if (!Array.isArray(list) || list.length <= MAX_WRONG_ENTRIES || !fits([])) continue;
    for (let at = 0; at < list.length; at += MAX_WRONG_ENTRIES) {
      if (fits(list.slice(at, at + MAX_WRONG_ENTRIES))) continue;
      throw refused(
        name,
        `${field}: some of its ${list.length} entries are invalid`,
        `Pass at most ${MAX_WRONG_ENTRIES} entries to see which`,
      );
    }
  }
}

/** Repairs what an issue is about, or drops null and empty strings passed for an optional argument. Returns whether it could. */
function repairIssue(tool: CheckedTool, args: Arguments, issue: z.core.$ZodIssue): boolean {
  const key = issue.path.at(-1);
  const holder = issue.path.slice(0, -1).reduce<Record<PropertyKey, unknown> | undefined>((inner, name) => inner?.[name] as never, args);
  if (key === undefined || holder === undefined) return false;
  const value = holder[key];
  if (value === null || value === "") {
    if (holder !== args || !isOptional(tool, String(key))) return false;
    return delete holder[key];
  }
  const repaired = repairedValue(issue, value);
  if (repaired === undefined) return false;
  holder[key] = repaired;
  return true;
}

// More than the name of any choice.
const MAX_CHOICE_LENGTH = 100;

/** Returns the documented value that a text is in another case; undefined if there is none. */
function repairedChoice(choices: readonly unknown[], value: unknown): unknown {
  const choice = typeof value === "string" && value.length <= MAX_CHOICE_LENGTH ? compact(value) : undefined;
  return choices.find((allowed) => compact(String(allowed)) === choice);
}

/** Reads a value as what the schema requires; undefined if that fails. */
function repairedValue(issue: z.core.$ZodIssue, value: unknown): unknown {
  if (issue.code !== "invalid_type" && issue.code !== "invalid_value") return undefined;
  if (Array.isArray(value)) return value.length === 1 && typeof value[0] !== "object" ? value[0] : undefined;
  if (issue.code === "invalid_value") return repairedChoice(issue.values, value);
  if (typeof value === "string") return readAs(issue.expected, value);
  // Other numbers may have been written differently, such as 1.10.
  return issue.expected === "string" && Number.isSafeInteger(value) ? String(value) : undefined;
}

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

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

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Parses a URL query such as `status=NEW&limit=5`; a repeated name becomes a list. Plus signs are kept, because they occur in times. */
function readQuery(text: string): Record<string, string | string[]> | undefined {
  const read = new Map<string, string[]>();
  for (const pair of text.replace(/^\?/, "").split("&")) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (name === undefined || value === undefined) return undefined;
    const values = read.get(decoded(name));
    if (values) values.push(decoded(value));
    else read.set(decoded(name), [decoded(value)]);
  }
  return Object.fromEntries([...read].map(([name, values]) => [name, values.length === 1 ? (values[0] as string) : values]));
}
