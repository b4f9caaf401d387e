import { jsonEscapes, replaceUnsafe } from "@fleetwire/core/internal";

/** Exit codes of every subcommand. */
export const EXIT = { holds: 0, broken: 1, couldNotRun: 2 } as const;

/** Thrown if the command cannot run; printed as one line. */
export class CouldNotRun extends Error {
  override readonly name = "CouldNotRun";
}

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
