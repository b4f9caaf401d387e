/** How every verb ends, for scripts. */
export const EXIT = { holds: 0, broken: 1, couldNotRun: 2 } as const;

/** The command could not do its work; told on one line. */
export class CouldNotRun extends Error {
  override readonly name = "CouldNotRun";
}
