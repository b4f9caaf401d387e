/** How many insertions, deletions, replacements and swaps of neighbouring letters turn one word into the other (Damerau-Levenshtein). */
export function editDistance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    const above = rows[i - 1] as number[];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (above[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const swapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      row.push(
        Math.min(
          replaced,
          (above[j] as number) + 1,
          (row[j - 1] as number) + 1,
          ...(swapped ? [((rows[i - 2] as number[])[j - 2] as number) + 1] : []),
        ),
      );
    }
    rows.push(row);
  }
  return (rows[from.length] as number[])[to.length] as number;
}

const PREFIX = "FLEET_";

/** Normalizes a name: drops case and punctuation, and replaces the prefix `FLEETWIRE` with `FLEET`. */
const normalize = (name: string) =>
  name
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "")
    .replace(/^FLEETWIRE/, "FLEET");

/** How many typos to allow: in a short name, two could produce a different word. */
const maxTypos = (name: string) => (name.length - normalize(PREFIX).length >= 10 ? 2 : 1);

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that are set and look like ours but are unknown. Names are case-sensitive, as they are everywhere except on Windows. */
const unknownVariables = (env: Environment, known: readonly string[]) =>
  Object.keys(env).filter((name) => /^fleet/i.test(name) && !known.includes(name) && env[name]?.trim());

function closest(name: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((meant) => ({ meant, distance: editDistance(normalize(name), normalize(meant)) }))
    .filter(({ meant, distance }) => distance <= maxTypos(normalize(meant)))
    .sort((a, b) => a.distance - b.distance);
  return best?.meant;
}

/** Variables that are set but misspelt, each with the name it probably means. */
export function misspeltVariables(env: Environment, known: readonly string[]): { name: string; meant: string }[] {
  return unknownVariables(env, known).flatMap((name) => {
    const meant = closest(name, known);
    return meant === undefined ? [] : [{ name, meant }];
  });
}

/** Variables that are set and start with `FLEET_` but resemble no known name; they may belong to another program. */
export function otherVariables(env: Environment, known: readonly string[]): string[] {
  return unknownVariables(env, known).filter((name) => name.startsWith(PREFIX) && closest(name, known) === undefined);
}
