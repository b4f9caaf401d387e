/** How many insertions, deletions, replacements and swaps of neighbouring letters turn one word into the other (Damerau-Levenshtein). */
export function editDistance(from: string, to: string): number {
  const at = (row: readonly number[], index: number) => row[index] ?? Number.POSITIVE_INFINITY;
  let earlier: number[] = [];
  let above = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSwap = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const replaced = at(above, j - 1) + Number(from[i - 1] !== to[j - 1]);
      row.push(Math.min(replaced, at(above, j) + 1, at(row, j - 1) + 1, isSwap ? at(earlier, j - 2) + 1 : replaced));
    }
    [earlier, above] = [above, row];
  }
  return at(above, to.length);
}
