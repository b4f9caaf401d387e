import type * as z from "zod";

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** What a text stands for where the schema wants another type; undefined where it stands for nothing of it. */
function readAs(expected: string, text: string): unknown {
  if (expected === "number" || expected === "int") return NUMBER.test(text.trim()) ? Number(text) : undefined;
  if (expected === "boolean") return text === "true" ? true : text === "false" ? false : undefined;
  if (expected !== "array" && expected !== "object" && expected !== "record") return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && Array.isArray(value) === (expected === "array") ? value : undefined;
  } catch {
    return undefined;
  }
}

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inner, key) => (typeof inner === "object" && inner !== null ? (inner as never)[key] : undefined), value);

/** The value with another one put at a path; order and everything else stay as they are. */
function replaced(value: unknown, [key, ...rest]: readonly PropertyKey[], by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? replaced(item, rest, by) : item));
  return Object.fromEntries(
    Object.entries(value as object).map(([name, inner]) => [name, name === key ? replaced(inner, rest, by) : inner]),
  );
}

// An array that came as text may hold texts in the place of numbers, and so on.
const LAYERS = 3;

/** Arguments with texts read as the number, boolean, list or object that the schema wants in their place. Some hosts send all values as text. */
export function repairedArguments(schema: z.ZodType, args: unknown): unknown {
  let repaired = args;
  for (let layer = 0; layer < LAYERS; layer++) {
    const { error } = schema.safeParse(repaired);
    const mended = (error?.issues ?? []).flatMap((issue) => {
      const given = at(repaired, issue.path);
      const value = issue.code === "invalid_type" && typeof given === "string" ? readAs(issue.expected, given) : undefined;
      return value === undefined ? [] : [{ path: issue.path, value }];
    });
    if (mended.length === 0) return repaired;
    for (const { path, value } of mended) repaired = replaced(repaired, path, value);
  }
  return repaired;
}
