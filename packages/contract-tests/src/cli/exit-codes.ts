/** Exit codes of every subcommand. */
export const EXIT = { holds: 0, broken: 1, couldNotRun: 2 } as const;

/** Thrown if the command cannot run; printed as one line. */
export class CouldNotRun extends Error {
  override readonly name = "CouldNotRun";
}
