/**
 * Code points that render as nothing although Unicode classes them as neither format characters nor ignorable: the blank Braille pattern,
 * hieroglyph blanks, a filler, a musical note without a head.
 */
const BLANK = "\\u2800\\ufffc\\u{13441}\\u{13442}\\u{16fe4}\\u{1d159}";

/**
 * Code points without a visible form: controls, format and private-use characters, lone surrogates, unassigned code points, and any space
 * except U+0020. The backslash is included so that escapes are unambiguous.
 */
const INVISIBLE = new RegExp(`[\\p{C}\\p{Default_Ignorable_Code_Point}${BLANK}\\\\]|(?! )\\p{Z}`, "gu");

/**
 * Code points that must never reach a terminal or model unescaped, not even in data: controls, directional marks, tag characters, line
 * separators and lone surrogates.
 */
const UNSAFE = "\\r\\n|[\\p{Cc}\\p{Cs}\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\u{e0000}-\\u{e00ff}]";
/** One variation selector after a character is legitimate; a sequence of them can hide data. */
const VARIATION = "[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]";
const UNSAFE_IN_DATA = new RegExp(`${UNSAFE}|(?<=${VARIATION})${VARIATION}`, "gu");

/** Matches text in European scripts, in which nothing is unsafe. A fast path: it applies to most strings of most results. */
const PLAIN = /^[ -~\u00a0-\u05ff]*$/;
const PLAIN_LINES = /^[\n -~\u00a0-\u05ff]*$/;

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
  return text.replace(UNSAFE_IN_DATA, (character) => (/[\t\n\r]/.test(character) ? " " : escaped(character)));
}

/** Maps every string and key of a JSON value. */
function withTexts(value: unknown, textOf: (text: string) => string): unknown {
  if (typeof value === "string") return textOf(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withTexts(item, textOf));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [textOf(name), withTexts(inner, textOf)]));
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

/** Converts characters to JSON escapes, one per UTF-16 code unit. */
export const jsonEscapes = (characters: string): string =>
  characters.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Serializes a value as JSON, and escapes code points without a visible form. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(INVISIBLE, (character) => (character === "\\" ? character : jsonEscapes(character)));
}

/** Applies {@link safeText} to each line of a text. */
export function safeLines(text: string): string {
  if (PLAIN_LINES.test(text)) return text;
  return text.split("\n").map(safeText).join("\n");
}
