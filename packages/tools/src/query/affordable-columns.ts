import { cell } from "../text/clip-values.ts";
import type { Row } from "./list-result.ts";

// A model's tokens are words of about six letters (five in capitals), up to three digits, the space before them, or a symbol.
const TOKEN = /\p{Lu}{1,5}(?!\p{Ll})|\p{Lu}?\p{Ll}{1,6}|\p{L}|\p{N}{1,3}| (?=\p{N})|[^\p{L}\p{N}\s]/gu;

/** Estimates the tokens that a value costs in a table, including the line between cells. */
const tokensOf = (value: unknown): number => (cell(value).match(TOKEN)?.length ?? 0) + 1;

/** Returns the columns that together cost at most this many tokens a row on average, preferring the first ones, and at least one and all `needed` ones. */
export function affordableColumns(
  rows: readonly Row[],
  columns: readonly string[],
  tokensPerRow: number,
  needed: ReadonlySet<string>,
): string[] {
  let spent = 0;
  return columns.filter((column, at) => {
    const cost = rows.reduce((sum, row) => sum + tokensOf(row[column]), 0) / Math.max(1, rows.length);
    if (at > 0 && !needed.has(column) && spent + cost > tokensPerRow) return false;
    spent += cost;
    return true;
  });
}
