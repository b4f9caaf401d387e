import { FleetError } from "@fleetwire/core";
import type * as z from "zod";
import { base64Url, fromBase64Url, utf8 } from "../runtime/base64url.ts";
import { Smallest } from "../runtime/smallest.ts";
import { forEachInSlices } from "../runtime/time-slices.ts";

/** The sort key of a row, most significant part first. It must stay the same while vehicles move. */
export type Key = readonly (string | number)[];

interface Order<Row> {
  keyOf: (row: Row) => Key;
  /** Compares the strings at an index of two keys. @default by code units */
  compareTexts?: (a: string, b: string, at: number) => number;
}

/** The content of a cursor. */
export interface CursorParts {
  /** Values from the first call, repeated in every cursor. */
  carried?: Key;
  /** The key of the last row shown, followed by its index among rows with the same key; undefined at the start. */
  last: Key | undefined;
}

export interface RowsAfter<Row> {
  /** The rows after the cursor, in order; no more than requested. */
  rows: Row[];
  /** Returns the next cursor if `shown` of these rows are shown; undefined at the end. */
  next: (shown: number) => string | undefined;
}

type CompareTexts = NonNullable<Order<unknown>["compareTexts"]>;

const byCodeUnits = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function compareKeys(a: Key, b: Key, compareTexts: CompareTexts): number {
  for (const [at, part] of a.entries()) {
    const other = b[at];
    const order = typeof part === "string" ? compareTexts(part, String(other), at) : part - Number(other);
    if (order !== 0) return order;
  }
  return 0;
}

/**
 * Returns the next rows after a cursor by key, without sorting the others, which may be a whole fleet. If rows are added or removed between
 * calls, no other row is skipped or shown twice.
 */
export async function rowsAfter<Row>(
  rows: Iterable<Row>,
  order: Order<Row>,
  { carried = [], last }: CursorParts,
  limit: number,
): Promise<RowsAfter<Row>> {
  const { keyOf, compareTexts = byCodeUnits } = order;
  const compare = (a: Key, b: Key) => compareKeys(a, b, compareTexts);
  // Rows with the same key as the last one shown are counted, so that those shown before can be skipped.
  const shownBefore = last ? Number(last.at(-1)) + 1 : 0;
  const smallest = new Smallest<{ row: Row; key: Key }>(shownBefore + limit + 1, (a, b) => compare(a.key, b.key));
  await forEachInSlices(rows, (row) => {
    const key = keyOf(row);
    if (!last || compare(key, last) >= 0) smallest.add({ row, key });
  });
  let indexAmongEquals = 0;
  const placed = smallest.items.map(({ row, key }, at) => {
    const before = smallest.items[at - 1];
    indexAmongEquals = before && compare(before.key, key) === 0 ? indexAmongEquals + 1 : 0;
    return { row, place: [...key, indexAmongEquals] };
  });
  const rest = last ? placed.filter(({ place }) => compare(place, last) > 0) : placed;
  return {
    rows: rest.slice(0, limit).map(({ row }) => row),
    next: (shown) => {
      const lastShown = rest[shown - 1];
      return lastShown && shown < rest.length ? writeCursor([...carried, ...lastShown.place]) : undefined;
    },
  };
}

// Keeps a byte order mark, so that JSON.parse rejects a cursor that starts with one.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Encodes where the next page starts. The cursor holds the position itself, so the server stores nothing. */
export function writeCursor(place: readonly (string | number)[]): string {
  return base64Url(utf8(JSON.stringify(place)));
}

/** A cursor holds at most the ids of fifty vehicles and as many drivers. */
const MAX_CHARACTERS = 10_000;

/** Decodes a cursor; throws if this tool did not issue it. */
export function readCursor<Place>(cursor: string | undefined, shape: z.ZodType<Place>): Place | undefined {
  if (cursor === undefined) return undefined;
  try {
    if (cursor.length > MAX_CHARACTERS) throw new RangeError();
    return shape.parse(JSON.parse(decoder.decode(fromBase64Url(cursor))));
  } catch {
    throw new FleetError("input", "cursor: was not issued by this tool", {
      advice: "Call again without cursor to start from the beginning",
    });
  }
}
