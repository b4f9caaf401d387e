/** One change to one source file. */
export interface Mutant {
  /** Composed of file, declaration and change, so it stays the same when code moves within the file. */
  id: string;
  /** Relative to the repository's root. */
  file: string;
  kind: MutantKind;
  /** A description of the change, such as `drop` or `a < b → a <= b`. */
  what: string;
  start: number;
  end: number;
  replacement: string;
}

export const mutantKinds = ["field", "enum", "operation", "step"] as const;
type MutantKind = (typeof mutantKinds)[number];

/** A change before it has an id: the span that it replaces, and its description. */
export interface Change {
  kind: MutantKind;
  /** The enclosing declaration and field, such as `Job.lat`. */
  where: string;
  what: string;
  start: number;
  end: number;
  replacement: string;
}

/** Turns the changes to a file into mutants, numbering those with the same description. */
export function named(file: string, changes: readonly Change[]): Mutant[] {
  const seen = new Map<string, number>();
  return changes.map(({ where, ...change }) => {
    const words = `${file} ${where}: ${change.what}`;
    const count = (seen.get(words) ?? 0) + 1;
    seen.set(words, count);
    return { id: count === 1 ? words : `${words} (${count})`, file, ...change };
  });
}

export const lineOf = (text: string, at: number): number => text.slice(0, at).split("\n").length;

/** The file's text with the change applied. */
export function mutated(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
