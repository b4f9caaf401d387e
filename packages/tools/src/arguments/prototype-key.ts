import { MAX_DEPTH } from "./json-arguments.ts";

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
