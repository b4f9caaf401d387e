import { jsonEscapes, replaceUnsafe } from "@fleetwire/core/internal";

/** Escapes characters that could manipulate a terminal or hide text. */
const visible = (text: string): string => replaceUnsafe(text, (character) => (character === "\n" ? character : jsonEscapes(character)));

/** Prints a command's output to stdout. */
export function print(text: string): void {
  process.stdout.write(`${visible(text)}\n`);
}

/** Prints messages to stderr, so that output can be piped. */
export function say(text: string): void {
  process.stderr.write(`${visible(text)}\n`);
}
