/** Exit codes of every verb. */
export const EXIT = { holds: 0, broken: 1, couldNotRun: 2 } as const;

/** The command could not run. Printed as one line. */
export class CouldNotRun extends Error {
  override readonly name = "CouldNotRun";
}
