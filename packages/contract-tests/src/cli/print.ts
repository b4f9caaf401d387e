import { jsonEscapes, replaceUnsafe } from "@fleetwire/core/internal";

/** Exit codes of every subcommand. */
export const EXIT = { holds: 0, broken: 1, couldNotRun: 2 } as const;

/** Thrown if the command cannot run; printed as one line. */
export class CouldNotRun extends Error {
  override readonly name = "CouldNotRun";
}

/** Escapes characters that could manipulate a terminal or hide text. */
const visible = (text: string): string => replaceUnsafe(text, (character) => (character === "\n" ? character : jsonEscapes(character)));

/** GitHub runs `::` at the beginning of a line, and `##[` anywhere, as a command of the workflow. */
const withoutCommands = (text: string): string => text.replace(/(?<=^[^\S\n]*):(?=:)|#(?=#\[)/gm, jsonEscapes);

/** Prints a command's output to stdout. */
export function print(text: string): void {
  process.stdout.write(`${withoutCommands(visible(text))}\n`);
}

/** Prints messages to stderr, so that output can be piped. */
export function say(text: string): void {
  process.stderr.write(`${withoutCommands(visible(text))}\n`);
}

/** Prints a command of our own for GitHub, to stderr. */
export function annotate(line: string): void {
  process.stderr.write(`${visible(line)}\n`);
}
