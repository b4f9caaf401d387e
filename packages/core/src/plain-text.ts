/**
 * Characters that control a terminal, hide from a reader or are not valid Unicode, for the inside of a character class: controls, lone surrogates, line
 * separators, and everything that renders as nothing. The last line has those that Unicode does not class as ignorable: marks of annotations, the blank
 * Braille pattern, a placeholder, hieroglyph blanks, a filler and a musical note without a head.
 */
export const UNSAFE =
  "\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}" + "\\ufff9-\\ufffb\\u2800\\ufffc\\u{13441}\\u{13442}\\u{16fe4}\\u{1d159}";

// A joiner or one selector after a character that it shapes: emoji, and scripts from Arabic to Burmese. A sequence of them could hide data.
const JOINED = "[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f\\u0620-\\u109f][\\u200c\\u200d]";
const SELECTED = "[\\p{Emoji}\\p{S}][\\ufe0e\\ufe0f]|\\p{Ideographic}[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]";

const UNSAFE_CHARACTER = new RegExp(`[${UNSAFE}](?<!${JOINED}|${SELECTED})`, "gu");
const BLANKS = new RegExp(`(?:\\s|${UNSAFE_CHARACTER.source})+`, "gu");

/** Replaces each {@link UNSAFE} character. */
export const replaceUnsafe = (text: string, replacement: (character: string) => string): string =>
  text.replace(UNSAFE_CHARACTER, replacement);

/** Converts characters to JSON escapes, one per UTF-16 code unit. */
export const jsonEscapes = (characters: string): string =>
  characters.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Converts a name in camel case, such as that of an operation, to lower-case words: `list-live-positions`. */
export const separated = (name: string, separator: "-" | "_"): string =>
  name.replace(/[A-Z]/g, (letter) => `${separator}${letter.toLowerCase()}`);

/** Escapes text for HTML and XML, inside an element or a quoted attribute. */
export const escapeMarkup = (text: string): string => text.replace(/[&<>"']/g, (unit) => `&#${unit.charCodeAt(0)};`);

/** Puts text on one line: whitespace and {@link UNSAFE} characters become single spaces, and lone surrogates the replacement character. */
export const inOneLine = (text: string): string =>
  text
    .replace(/\p{Cs}/gu, "\ufffd")
    .replace(BLANKS, " ")
    .trim();

/** Formats rows as columns of equal width, with numbers right-aligned. */
export function textColumns(rows: readonly (readonly (string | number)[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => String(row[at] ?? "").length)));
  const aligned = (value: string | number, width = 0) => (typeof value === "number" ? String(value).padStart(width) : value.padEnd(width));
  return rows
    .map((row) =>
      row
        .map((value, at) => aligned(value, widths[at]))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
