import { jsonEscapes, replaceUnsafe, UNSAFE } from "@fleetwire/core/internal";
import type { ToolFailure, ToolQuestion, ToolResult } from "../model/tool.ts";

/**
 * Code points without a visible form: also private-use characters, unassigned code points, and any space except U+0020. The backslash is
 * included so that escapes are unambiguous.
 */
const INVISIBLE = new RegExp(`[\\p{C}${UNSAFE}\\\\]|(?! )\\p{Z}`, "gu");

/** Matches text in European scripts, in which nothing is unsafe. A fast path: it applies to most strings of most results. */
const PLAIN = /^[ -~\u00a0-\u00ac\u00ae-\u02ff\u0370-\u05ff]*$/;

const SHORT = new Map([
  ["\\", "\\\\"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

const escaped = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/**
 * Escapes every code point without a visible form as, for example, `\n` or `\u{e0041}`, and doubles backslashes, so that different strings
 * always look different. Use it for anything that a user approves.
 */
export function visibleText(text: string): string {
  return text.replace(INVISIBLE, (character) => SHORT.get(character) ?? escaped(character));
}

/**
 * Removes code points from data that could control a terminal or be invisible to a reader: line breaks and tabs become spaces, and others
 * become escapes such as `\u{202e}`. Emoji are unchanged.
 */
function safeText(text: string): string {
  if (PLAIN.test(text)) return text;
  return replaceUnsafe(text.replaceAll("\r\n", " "), (character) => (/[\t\n\r]/.test(character) ? " " : escaped(character)));
}

/** Maps every string of a JSON value, and every key unless they are kept. */
export function withTexts(value: unknown, textOf: (text: string) => string, keyOf = textOf): unknown {
  if (typeof value === "string") return textOf(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withTexts(item, textOf, keyOf));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [keyOf(name), withTexts(inner, textOf, keyOf)]));
}

/** Whether all strings and keys of a JSON value are {@link PLAIN}. */
function isPlain(value: unknown): boolean {
  if (typeof value === "string") return PLAIN.test(value);
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isPlain);
  for (const name in value) if (!(PLAIN.test(name) && isPlain(value[name as never]))) return false;
  return true;
}

/** Applies {@link safeText} to every string and key of a JSON value. Returns the value itself if all of it is plain. */
export const safeValue = (value: unknown): unknown => (isPlain(value) ? value : withTexts(value, safeText));

/** Applies {@link visibleText} to every string and key of a JSON value. */
export const visibleValue = (value: unknown): unknown => withTexts(value, visibleText);

/** Serializes a value as JSON, and escapes code points without a visible form. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(INVISIBLE, (character) => (character === "\\" ? character : jsonEscapes(character)));
}

/** Applies {@link safeText} to each line of a text. */
export const safeLines = (text: string): string => text.split("\n").map(safeText).join("\n");

/**
 * Makes a result safe for a host or terminal by escaping or replacing unsafe invisible characters. Returns the
 * result itself if all of it is plain text.
 */
export function safeResult<Result extends ToolResult | Pick<ToolFailure, "error"> | ToolQuestion>(result: Result): Result {
  // Only the text may contain line breaks, not the values of a record.
  const safe = Object.entries(result).map(([part, value]) => [part, typeof value === "string" ? safeLines(value) : safeValue(value)]);
  const isSame = safe.every(([part, value]) => value === result[part as keyof Result]);
  return isSame ? result : (Object.fromEntries(safe) as Result);
}
