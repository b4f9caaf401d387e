import { cell } from "../text/clip-values.ts";
import type { ZonedTimes } from "../text/time.ts";
import { briefRows, type Column, type Row } from "./list-result.ts";
import { isAbsent } from "./row-columns.ts";
import type { Condition } from "./row-conditions.ts";

/** Leaves room for the separators between values, so that a row costs at most 25. */
const TOKENS_PER_ROW = 22;

/** Nothing says which fields of an undocumented list matter. */
const TOKENS_OF_UNDOCUMENTED = 40;

/** A shorter list may cost as much as a list of this many rows. */
const FEW_ROWS = 4;

/** Up to this many rows may have additional columns, and cost this much each. */
export const MAX_DETAILED = 3;
const TOKENS_OF_DETAILED = 150;

/** The number of rows by which the cost of columns is estimated, the same on each page. */
const SAMPLE = 50;

interface Choice {
  /** All rows, and those on the page. */
  rows: readonly Row[];
  page: readonly Row[];
  /** The usual columns; the first one names a row. */
  usual: readonly string[];
  /** Additional columns for a list of a few rows. */
  more: readonly string[];
  /** Columns that the model asked about, apart from conditions. */
  asked: readonly string[];
  conditions: readonly Condition[];
  /** Returns the column that tells more of the same as another. */
  besideOf: (field: string) => string | undefined;
  columns: Readonly<Record<string, Column>>;
  /** What a row may cost, if not as usual. */
  rowTokens?: number | undefined;
  isDocumented: boolean;
  times: ZonedTimes;
}

interface ShownColumns {
  shown: readonly string[];
  /** The usual and additional columns with values for which a row has no room. */
  left: readonly string[];
}

/** Chooses the columns to show by default: those that the model asked about, and as many of the usual ones as a row may cost. */
export function shownColumns({
  rows,
  page,
  usual,
  more,
  asked,
  conditions,
  besideOf,
  columns,
  isDocumented,
  rowTokens = isDocumented ? TOKENS_PER_ROW : TOKENS_OF_UNDOCUMENTED,
  times,
}: Choice): ShownColumns {
  // A field with a single possible value is mentioned in the note instead.
  const settled = new Set(conditions.flatMap(({ field, operator, wanted }) => (operator === "=" && wanted.length === 1 ? [field] : [])));
  const varies = (field: string) => !settled.has(field) || field === usual[0] || new Set(page.map((row) => String(row[field]))).size > 1;
  const added = [...conditions.map(({ field }) => field), ...asked].filter(varies);
  const besides = [...conditions.map(({ field }) => field), ...asked];
  // Grows while it is visited: range is beside the battery's level, which is beside the type of energy.
  for (const field of besides) {
    const beside = besideOf(field);
    if (beside !== undefined && !besides.includes(beside) && page.some((row) => row[beside] !== undefined)) besides.push(beside);
  }
  const extra = besides.filter((field) => varies(field) && !added.includes(field) && !usual.includes(field));
  const candidates = [...new Set([...usual, ...added, ...extra, ...(rows.length <= MAX_DETAILED ? more : [])])].filter(varies);
  const sample = rows.slice(0, SAMPLE);
  const isFilled = (field: string) => sample.some((row) => row[field] !== undefined);
  // Columns that the model asked about are always shown, but usual columns that precede them are not dropped for them.
  const first = [...new Set([...added.filter((field) => !usual.includes(field)), ...candidates.filter(isFilled), ...extra])];
  const limit =
    rows.length <= MAX_DETAILED && more.length > 0
      ? TOKENS_OF_DETAILED
      : (rowTokens * Math.max(FEW_ROWS, rows.length)) / Math.max(1, rows.length);
  const affordable = affordableColumns(briefRows(sample, first, { columns, times }), first, limit, new Set([...added, ...extra]));
  const shown = candidates.filter((field) => affordable.includes(field));
  const isLeft = (field: string) => !shown.includes(field) && page.some((row) => !isAbsent(row[field]));
  return { shown, left: [...new Set([...candidates.filter((field) => usual.includes(field)), ...more])].filter(isLeft) };
}

// A model's tokens are words of about six letters (five in capitals), up to three digits, the space before them, or a symbol.
const TOKEN = /\p{Lu}{1,5}(?!\p{Ll})|\p{Lu}?\p{Ll}{1,6}|\p{L}|\p{N}{1,3}| (?=\p{N})|[^\p{L}\p{N}\s]/gu;

/** Estimates the tokens that a value costs in a table, including the line between cells. */
const tokensOf = (value: unknown): number => (cell(value).match(TOKEN)?.length ?? 0) + 1;

/** Returns the columns that together cost at most this many tokens a row on average, preferring the first ones, and at least one and all `needed` ones. */
function affordableColumns(rows: readonly Row[], columns: readonly string[], tokensPerRow: number, needed: ReadonlySet<string>): string[] {
  let spent = 0;
  return columns.filter((column, at) => {
    const cost = rows.reduce((sum, row) => sum + tokensOf(row[column]), 0) / Math.max(1, rows.length);
    if (at > 0 && !needed.has(column) && spent + cost > tokensPerRow) return false;
    spent += cost;
    return true;
  });
}
