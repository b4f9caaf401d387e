import { writeCursor } from "./cursor.ts";

/** The sort key of a row, most significant part first. It must stay the same while vehicles move. */
export type Key = readonly (string | number)[];

export interface Order<Row> {
  keyOf: (row: Row) => Key;
  /** Compares the strings in keys. @default by code units */
  compareTexts?: (a: string, b: string) => number;
}

/** The content of a cursor. */
export interface CursorParts {
  /** Values from the first call, repeated in every cursor. */
  carried?: Key;
  /** The key of the last row shown, followed by its index among rows with the same key; undefined at the start. */
  last: Key | undefined;
}

export interface RowsAfter<Row> {
  /** The rows after the cursor, in order. */
  rest: Row[];
  /** Returns the next cursor if `shown` of these rows are shown; undefined at the end. */
  next: (shown: number) => string | undefined;
}

const byCodeUnits = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function compareKeys(a: Key, b: Key, compareTexts: (a: string, b: string) => number): number {
  for (const [at, part] of a.entries()) {
    const other = b[at];
    const order = typeof part === "string" ? compareTexts(part, String(other)) : part - Number(other);
    if (order !== 0) return order;
  }
  return 0;
}

/**
 * Sorts rows by key and skips those up to the cursor. If rows are added or removed between calls, no other row is skipped or shown twice.
 */
export function rowsAfter<Row>(rows: readonly Row[], order: Order<Row>, { carried = [], last }: CursorParts): RowsAfter<Row> {
  const { keyOf, compareTexts = byCodeUnits } = order;
  const compare = (a: Key, b: Key) => compareKeys(a, b, compareTexts);
  const keyed = rows.map((row) => ({ row, key: keyOf(row) })).sort((a, b) => compare(a.key, b.key));
  let indexAmongEquals = 0;
  const placed = keyed.map(({ row, key }, at) => {
    const before = keyed[at - 1];
    indexAmongEquals = before && compare(before.key, key) === 0 ? indexAmongEquals + 1 : 0;
    return { row, place: [...key, indexAmongEquals] };
  });
  const rest = last ? placed.filter(({ place }) => compare(place, last) > 0) : placed;
  return {
    rest: rest.map(({ row }) => row),
    next: (shown) => {
      const lastShown = rest[shown - 1];
      return lastShown && shown < rest.length ? writeCursor([...carried, ...lastShown.place]) : undefined;
    },
  };
}
