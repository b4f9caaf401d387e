import { FleetError } from "@fleetwire/core";

// Far more than any call needs, but still copied in milliseconds.
const MAX_DEPTH = 50;
// Far more fields than any object has. Entries of lists are limited only because lists that share entries could be copied without end.
export const MAX_FIELDS = 10_000;
const MAX_VALUES = 1_000_000;

const refuse = (tool: string, why: string, advice = "Pass the arguments as a plain JSON object") =>
  new FleetError("input", `${tool}: ${why}`, { advice });

/**
 * Copies an in-process caller's arguments as JSON serialization would: dates become ISO strings, and undefined members are dropped. Each
 * value is read only once, so that what is checked is what is sent.
 */
export function toJsonArguments(tool: string, args: unknown): unknown {
  let values = 0;
  const copied = (value: unknown, depth: number): unknown => {
    if (typeof value === "bigint" || typeof value === "symbol" || typeof value === "function")
      throw refuse(tool, `the arguments contain a ${typeof value}`);
    if (typeof value !== "object" || value === null) return value;
    if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
    if (depth > MAX_DEPTH) throw refuse(tool, "the arguments are nested too deeply");
    const names = Array.isArray(value) ? undefined : Object.keys(value);
    if (names && names.length > MAX_FIELDS)
      throw refuse(tool, `the arguments contain more than ${MAX_FIELDS} fields`, "Pass fewer in one call");
    values += (names ?? (value as unknown[])).length;
    if (values > MAX_VALUES) throw refuse(tool, `the arguments contain more than ${MAX_VALUES} values`, "Pass fewer in one call");
    if (names === undefined) return (value as unknown[]).map((inner) => copied(inner, depth + 1));
    const copies = names.map((name) => [name, copied((value as Record<string, unknown>)[name], depth + 1)] as const);
    return Object.fromEntries(copies.filter(([, copy]) => copy !== undefined));
  };
  try {
    return copied(args, 0);
  } catch (error) {
    if (error instanceof FleetError) throw error;
    // The caller's getter or proxy threw. Its message is not shown, because it may contain anything.
    throw refuse(tool, "the arguments cannot be read");
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
