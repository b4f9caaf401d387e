/** What became of one call: its name, and all that the caller sees. */
export type Outcome = [name: string, seen: unknown];
