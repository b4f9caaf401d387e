/** Code points that are assigned, no format characters, not ignorable, and drawn as nothing all the same: Braille and hieroglyph blanks, a filler, a note without a head. */
const BLANK = "\\u2800\\ufffc\\u{13441}\\u{13442}\\u{16fe4}\\u{1d159}";

/** What has no visible form: controls, format and private characters, halves of characters, unassigned ones, every space but U+0020, and a backslash, so that an escape is never mistaken. */
const INVISIBLE = new RegExp(`[\\p{C}\\p{Default_Ignorable_Code_Point}${BLANK}\\\\]|(?! )\\p{Z}`, "gu");

/** What must not reach a terminal or a model unseen, even within data: controls, marks of direction, tag characters, line separators and halves of characters. */
const UNSAFE = "\\r\\n|[\\p{Cc}\\p{Cs}\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\u{e0000}-\\u{e00ff}]";
/** One variation selector belongs to its character; those behind it carry bytes that nobody sees. */
const VARIATION = "[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]";
const UNSAFE_IN_DATA = new RegExp(`${UNSAFE}|(?<=${VARIATION})${VARIATION}`, "gu");

const SHORT = new Map([
  ["\\", "\\\\"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

const escaped = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/**
 * A text in which every code point that has no visible form is shown as an escape, such as `\n` or `\u{e0041}`; a backslash is shown as two, so that two
 * different texts never look the same here. For what a user approves.
 */
export function visibleText(text: string): string {
  return text.replace(INVISIBLE, (character) => SHORT.get(character) ?? escaped(character));
}

/** Data without what could act on a terminal or hide from a reader: line breaks and tabs become a space, the others an escape such as `\u{202e}`. Emoji stay as they are. */
function safeText(text: string): string {
  return text.replace(UNSAFE_IN_DATA, (character) => (/[\t\n\r]/.test(character) ? " " : escaped(character)));
}

/** A JSON value with another text in the place of each text and key. */
function withTexts(value: unknown, textOf: (text: string) => string): unknown {
  if (typeof value === "string") return textOf(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withTexts(item, textOf));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [textOf(name), withTexts(inner, textOf)]));
}

/** A JSON value whose texts and keys went through {@link safeText}. */
export const safeValue = (value: unknown): unknown => withTexts(value, safeText);

/** A JSON value whose texts and keys went through {@link visibleText}. */
export const visibleValue = (value: unknown): unknown => withTexts(value, visibleText);

/** Characters as escapes of JSON, one for each of their UTF-16 units. */
export const jsonEscapes = (characters: string): string =>
  characters.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** A value as JSON in which every code point that has no visible form is an escape of JSON. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(INVISIBLE, (character) => (character === "\\" ? character : jsonEscapes(character)));
}

/** A text of several lines, each of which went through {@link safeText}. */
export function safeLines(text: string): string {
  return text.split("\n").map(safeText).join("\n");
}
