const PREFIX = "FLEET_";

/** Names by what is left of them without case, underscores and the longer prefix that the programs' names suggest. */
const stemOf = (name: string) =>
  name
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "")
    .replace(/^FLEETWIRE/, "FLEET");

/** In a short name one slip may already be another word. */
const slipsAllowed = (stem: string) => (stem.length - stemOf(PREFIX).length >= 10 ? 2 : 1);

/** How many letters have to be inserted, removed, replaced or swapped with their neighbour. */
function slipsBetween(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    const above = rows[i - 1] as number[];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (above[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
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

type Environment = Readonly<Record<string, string | undefined>>;

/** Names that are set, look like variables of Fleetwire and are none. Case counts: elsewhere than on Windows `fleet_base_url` is another variable. */
const strangers = (env: Environment, known: readonly string[]) =>
  Object.keys(env).filter((name) => /^fleet/i.test(name) && !known.includes(name) && env[name]?.trim());

function nearest(name: string, known: readonly string[]): string | undefined {
  const stem = stemOf(name);
  const [best] = known
    .map((meant) => ({ meant, slips: slipsBetween(stem, stemOf(meant)) }))
    .filter(({ meant, slips }) => slips <= slipsAllowed(stemOf(meant)))
    .sort((a, b) => a.slips - b.slips);
  return best?.meant;
}

/** Variables that are set under almost the name of a known one, each with the one that is meant. */
export function misspeltVariables(env: Environment, known: readonly string[]): { name: string; meant: string }[] {
  return strangers(env, known).flatMap((name) => {
    const meant = nearest(name, known);
    return meant === undefined ? [] : [{ name, meant }];
  });
}

/** Variables that are set, begin with `FLEET_` and have no name like a known one: perhaps another program's. */
export function otherVariables(env: Environment, known: readonly string[]): string[] {
  return strangers(env, known).filter((name) => name.startsWith(PREFIX) && nearest(name, known) === undefined);
}
