import { quoted } from "@fleetwire/core";
import { inOneLine } from "@fleetwire/core/internal";

/** How much of a value to show. */
export interface ClipLimits {
  /** Maximum characters in a table cell. */
  cell: number;
  /** Maximum characters in a string of the record. */
  text: number;
  /** Maximum entries in a list or object. */
  entries: number;
  /** Maximum levels of nesting. */
  depth: number;
}

export const DEFAULT_LIMITS: ClipLimits = { cell: 120, text: 400, entries: 20, depth: 8 };

/** For the only record or field asked for: as much of each value as a budget in tokens may hold. */
export const wholeWithin = (budget: number): ClipLimits => ({ cell: budget * 4, text: budget * 4, entries: budget, depth: 8 });

/** For records that would otherwise exceed the budget. */
export const TIGHT_LIMITS: ClipLimits = { cell: 40, text: 40, entries: 3, depth: 2 };

export const SHORTENED_NOTE = "Long values are shortened: strings end in …; lists and objects are cut.";

/** Cuts a string to a maximum length. Replaces lone surrogates, which are not valid Unicode, and leaves none at the cut. */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text.replace(/\p{Cs}/gu, "\ufffd");
  const start = text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, "");
  return `${start.replace(/\p{Cs}/gu, "\ufffd")}…`;
}

/** Matches words of printable ASCII, with a single space between two. A fast path: most names and labels are such words. */
const PLAIN_LINE = /^[!-~]+(?: [!-~]+)*$/;

/** Puts text on a single line, so that data cannot break out of its table cell. */
export function singleLine(text: string, limit = DEFAULT_LIMITS.cell): string {
  if (text.length <= limit && PLAIN_LINE.test(text)) return text;
  // Enough for what is shown, without processing all of a very long string.
  const start = text.slice(0, limit * 8);
  const line = inOneLine(start);
  return cut(start === text ? line : `${line}…`, limit);
}

/** Like {@link singleLine}, but returns undefined if nothing is left to show. */
export const singleLineOrUndefined = (text: string | undefined, limit?: number): string | undefined =>
  text === undefined ? undefined : singleLine(text, limit) || undefined;

/** Quotes text from the service on a single line, so that it cannot close the quotation itself. None of our sentences may follow it. */
export const quotation = (text: string, limit?: number) => quoted(singleLine(text, limit));

const isFlat = (list: readonly unknown[]) => list.every((item) => typeof item !== "object");

/** Formats a value as a table cell. */
export function cell(value: unknown, limits = DEFAULT_LIMITS): string {
  if (value === undefined || value === null || value === "") return "-";
  if (Array.isArray(value) && isFlat(value)) return cell(value.slice(0, limits.entries).join(", "), limits);
  const text = typeof value === "object" ? JSON.stringify(clipped(value, limits)) : String(value);
  return singleLine(text, limits.cell).replaceAll("|", "¦");
}

/** Cuts a value for the record if it is too long or too deeply nested. */
export function clipped(value: unknown, limits = DEFAULT_LIMITS): unknown {
  if (typeof value === "string") return cut(value, limits.text);
  if (typeof value !== "object" || value === null) return value;
  if (limits.depth === 0) return "…";
  const inside = { ...limits, depth: limits.depth - 1 };
  if (Array.isArray(value)) return value.slice(0, limits.entries).map((item) => clipped(item, inside));
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries.slice(0, limits.entries).map(([name, inner]) => [singleLine(name, 64), clipped(inner, inside)]));
}

/** Whether {@link cell} or {@link clipped} would cut the value. */
export function isClipped(value: unknown, limits = DEFAULT_LIMITS): boolean {
  if (typeof value === "string") return value.length > limits.cell;
  if (typeof value !== "object" || value === null) return false;
  const inner = Object.values(value);
  const inside = { ...limits, depth: limits.depth - 1 };
  if (inner.length > limits.entries || limits.depth === 0 || inner.some((item) => isClipped(item, inside))) return true;
  return (Array.isArray(value) && isFlat(value) ? value.join(", ") : JSON.stringify(value)).length > limits.cell;
}
