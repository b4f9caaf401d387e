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
