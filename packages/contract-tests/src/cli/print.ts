import { replaceUnsafe } from "@fleetwire/core/internal";

/** Escapes characters that could manipulate a terminal or hide text. */
const visible = (text: string): string =>
  replaceUnsafe(text, (character) =>
    character === "\n"
      ? character
      : Array.from(character.split(""), (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
  );

/** Prints a command's output to stdout. */
export function print(text: string): void {
  process.stdout.write(`${visible(text)}\n`);
}

/** Prints messages to stderr, so that output can be piped. */
export function say(text: string): void {
  process.stderr.write(`${visible(text)}\n`);
}

/** Rows as columns of equal width, with numbers right-aligned. */
export function columns(rows: readonly (readonly (string | number)[])[]): string {
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
