/** How much of a value to show. */
export interface ClipLimits {
  /** Characters of a cell, and of a string in the record. */
  cell: number;
  text: number;
  /** Entries of a list or object, and levels of nesting. */
  entries: number;
  depth: number;
}

export const DEFAULT_LIMITS: ClipLimits = { cell: 120, text: 400, entries: 20, depth: 8 };

/** For records that would otherwise exceed the budget. */
export const TIGHT_LIMITS: ClipLimits = { cell: 40, text: 40, entries: 3, depth: 2 };

export const SHORTENED_NOTE = "Long values are shortened: strings end in …; lists and objects are cut.";

/** Cuts a string to a length. Lone surrogates are replaced, whether received or caused by the cut: they are not valid Unicode. */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text.replace(/\p{Cs}/gu, "\ufffd");
  const start = text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, "");
  return `${start.replace(/\p{Cs}/gu, "\ufffd")}…`;
}

/** Text on a single line: records are data, and data must not break out of its cell. */
export function singleLine(text: string, limit = DEFAULT_LIMITS.cell): string {
  // Far more than is shown, but far less than a record may hold.
  const start = text.slice(0, limit * 8);
  const line = start.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return cut(start === text ? line : `${line}…`, limit);
}

/** {@link singleLine}, or undefined if nothing is left to show. */
export const singleLineOrUndefined = (text: string | undefined, limit?: number): string | undefined =>
  text === undefined ? undefined : singleLine(text, limit) || undefined;

const isFlat = (list: readonly unknown[]) => list.every((item) => typeof item !== "object");

/** A value as a table cell. */
export function cell(value: unknown, limits = DEFAULT_LIMITS): string {
  if (value === undefined || value === null || value === "") return "-";
  if (Array.isArray(value) && isFlat(value)) return cell(value.slice(0, limits.entries).join(", "), limits);
  const text = typeof value === "object" ? JSON.stringify(clipped(value, limits)) : String(value);
  return singleLine(text, limits.cell).replaceAll("|", "¦");
}

/** A value for the record, cut if it is too long or too deep for a model. */
export function clipped(value: unknown, limits = DEFAULT_LIMITS): unknown {
  if (typeof value === "string") return cut(value, limits.text);
  if (typeof value !== "object" || value === null) return value;
  if (limits.depth === 0) return "…";
  const inside = { ...limits, depth: limits.depth - 1 };
  if (Array.isArray(value)) return value.slice(0, limits.entries).map((item) => clipped(item, inside));
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries.slice(0, limits.entries).map(([name, inner]) => [singleLine(name, 64), clipped(inner, inside)]));
}

/** Whether a cell or {@link clipped} would cut the value. */
export function isClipped(value: unknown, limits = DEFAULT_LIMITS): boolean {
  if (typeof value === "string") return value.length > limits.cell;
  if (typeof value !== "object" || value === null) return false;
  const inner = Object.values(value);
  const inside = { ...limits, depth: limits.depth - 1 };
  if (inner.length > limits.entries || limits.depth === 0 || inner.some((item) => isClipped(item, inside))) return true;
  return (Array.isArray(value) && isFlat(value) ? value.join(", ") : JSON.stringify(value)).length > limits.cell;
}
