/** One change of one source file. */
export interface Mutant {
  /** File, place and change; the same as long as these are, wherever in the file they stand. */
  id: string;
  /** Below the repository's root. */
  file: string;
  kind: MutantKind;
  /** The change in words, such as `drop` or `a < b → a <= b`. */
  what: string;
  start: number;
  end: number;
  replacement: string;
}

export const mutantKinds = ["field", "enum", "operation", "step"] as const;
type MutantKind = (typeof mutantKinds)[number];

/** A change as it is found: what it replaces, and in whose words. */
export interface Change {
  kind: MutantKind;
  /** The declaration and the field that it stands in, such as `Job.lat`. */
  where: string;
  what: string;
  start: number;
  end: number;
  replacement: string;
}

/** Changes of a file as mutants; what cannot be told apart by its words is numbered. */
export function named(file: string, changes: readonly Change[]): Mutant[] {
  const seen = new Map<string, number>();
  return changes.map(({ where, ...change }) => {
    const words = `${file} ${where}: ${change.what}`;
    const count = (seen.get(words) ?? 0) + 1;
    seen.set(words, count);
    return { id: count === 1 ? words : `${words} (${count})`, file, ...change };
  });
}

/** The file's text with the change made. */
export function mutated(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
