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
