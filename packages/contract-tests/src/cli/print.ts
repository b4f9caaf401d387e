import { forTerminal, jsonEscapes } from "@fleetwire/core/internal";

/** Exit codes of every subcommand. */
export const EXIT = { holds: 0, broken: 1, couldNotRun: 2 } as const;

/** Thrown if the command cannot run; printed as one line. */
export class CouldNotRun extends Error {
  override readonly name = "CouldNotRun";
}

/** GitHub runs `::` at the beginning of a line, and `##[` anywhere, as a command of the workflow. */
const withoutCommands = (text: string): string => text.replace(/(?<=^[^\S\n]*):(?=:)|#(?=#\[)/gm, jsonEscapes);

/** Prints a command's output to stdout. */
export function print(text: string): void {
  process.stdout.write(`${withoutCommands(forTerminal(text))}\n`);
}

/** Prints messages to stderr, so that output can be piped. */
export function say(text: string): void {
  process.stderr.write(`${withoutCommands(forTerminal(text))}\n`);
}

/** Prints a command of our own for GitHub, to stderr. */
export function annotate(line: string): void {
  process.stderr.write(`${forTerminal(line)}\n`);
}
