import { FleetError } from "@fleetwire/core";
import { parseDateTime } from "@fleetwire/core/internal";
import { sha256 } from "@noble/hashes/sha2.js";
import * as z from "zod";
import { base64Url, fromBase64Url, utf8 } from "../runtime/base64url.ts";
import { forEachInSlices } from "../runtime/time-slices.ts";
import { clipped, singleLine } from "../text/clip-values.ts";
import type { Row } from "./list-result.ts";

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

interface RowsAfter<Row> {
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
function writeCursor(place: readonly (string | number)[]): string {
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

/** Identifies a record by 12 characters, computed only from the parts of it that would be shown. */
export const fingerprint = (record: unknown): string => base64Url(sha256(utf8(JSON.stringify(clipped(record))))).slice(0, 12);

/** Keeps the smallest of many items, in order; items that compare equal keep their order. */
export class Smallest<Item> {
  readonly items: Item[] = [];
  readonly #most: number;
  readonly #compare: (a: Item, b: Item) => number;

  constructor(most: number, compare: (a: Item, b: Item) => number) {
    this.#most = most;
    this.#compare = compare;
  }

  add(item: Item): void {
    const { items } = this;
    const last = items.at(-1);
    if (items.length >= this.#most && (last === undefined || this.#compare(item, last) >= 0)) return;
    let [start, end] = [0, items.length];
    while (start < end) {
      const middle = (start + end) >> 1;
      if (this.#compare(item, items[middle] as Item) < 0) end = middle;
      else start = middle + 1;
    }
    items.splice(start, 0, item);
    if (items.length > this.#most) items.pop();
  }
}

/** An order as written: a field's name, and the direction. */
export interface RowOrder {
  field: string;
  isDescending: boolean;
}

/** More characters than a field's name and a direction need. */
const MAX_ORDER_LENGTH = 200;

/** Reads an order such as `-odometer` or `odometer desc`. */
export function readOrder(sort: string): RowOrder {
  const [, minus, field = "", direction = ""] = /^([-+])? ?(.*?)(?:[ :]+(asc|desc)\w*)?$/i.exec(singleLine(sort, MAX_ORDER_LENGTH)) ?? [];
  return { field, isDescending: minus === "-" || /desc/i.test(direction) };
}

// Sorts "Truck 2" before "Truck 12".
const collator = new Intl.Collator("en", { numeric: true });

const compareTexts = (a: string, b: string) => collator.compare(a, b) || Number(a > b) - Number(a < b);

const MAX_KEY_LENGTH = 32;

const textOf = (value: unknown) =>
  typeof value === "string" || typeof value === "number" ? singleLine(String(value), MAX_KEY_LENGTH) : "";

/** Numbers come first, then times, then text; rows without the value come last. */
const NUMBERS = 0;
const TIMES = 1;
const TEXTS = 2;
const ABSENT = 3;

function sortable(value: unknown): [rank: number, value: number | string] {
  const first = Array.isArray(value) ? value.join(", ") : value;
  if (typeof first === "number" || typeof first === "boolean") return [NUMBERS, Number(first)];
  if (typeof first !== "string" || first === "") return [ABSENT, 0];
  const instant = parseDateTime(first);
  return instant === undefined ? [TEXTS, singleLine(first, MAX_KEY_LENGTH)] : [TIMES, instant];
}

/** Compares two values in an order in which absent ones are last in either direction. */
export function compareValues(a: unknown, b: unknown, isDescending: boolean): number {
  const [[rank, one], [otherRank, other]] = [sortable(a), sortable(b)];
  if (rank !== otherRank) return rank - otherRank;
  const compared = typeof one === "number" && typeof other === "number" ? one - other : compareTexts(String(one), String(other));
  return isDescending ? -compared : compared;
}

/** The index of the value in a key. */
const VALUE_AT = 1;

const Rank = z.int().min(NUMBERS).max(ABSENT);
const Value = z.union([z.number(), z.string()]);
const Index = z.int().min(0);

/** A way to page through rows that were read as a whole. */
export interface Pager {
  /** Schemas for the parts of a position in the list. */
  position: readonly [z.ZodType, ...z.ZodType[]];
  page: (rows: readonly Row[], cursor: CursorParts, limit: number) => Promise<RowsAfter<Row>>;
}

/** Pages through rows by a field, then by the fields that distinguish rows. */
export function sortedPager({ field, isDescending }: RowOrder, ties: readonly string[], fieldNamed: (field: string) => string): Pager {
  const tieOf = (row: Row) => ties.map((tie) => textOf(row[tie]));
  // In the fleet's default order, the values do not change while vehicles move, and need to be in a cursor only once.
  if (field === ties[0] && !isDescending)
    return {
      position: [z.string(), z.string(), Index],
      page: (rows, cursor, limit) => rowsAfter(rows, { keyOf: tieOf, compareTexts }, cursor, limit),
    };
  const keyOf = (row: Row) => {
    const [rank, value] = sortable(row[fieldNamed(field)]);
    return [rank, isDescending && typeof value === "number" ? -value : value, ...tieOf(row)];
  };
  return {
    position: [Rank, Value, ...ties.map(() => z.string()), Index],
    page: (rows, cursor, limit) =>
      // Only the value itself is in descending order.
      rowsAfter(
        rows,
        { keyOf, compareTexts: (a, b, at) => (isDescending && at === VALUE_AT ? compareTexts(b, a) : compareTexts(a, b)) },
        cursor,
        limit,
      ),
  };
}

/** Returns the number of rows to skip. If rows have been added or removed since, it is found from the last row shown. */
function skipIn(rows: readonly Row[], [skipped = 0, lastShown]: readonly (string | number)[]): number {
  if (typeof skipped !== "number") return 0;
  const isLast = (row: Row | undefined) => row !== undefined && fingerprint(row) === lastShown;
  const last = isLast(rows[skipped - 1]) ? skipped - 1 : rows.findIndex(isLast);
  return last === -1 ? skipped : last + 1;
}

/** Pages through rows in the order in which they arrived. A position is the number of rows to skip, and the fingerprint of the last row shown. */
export const unsortedPager: Pager = {
  position: [Index, z.string()],
  page: async (rows, { carried = [], last = [] }, limit) => {
    const skip = skipIn(rows, last);
    return {
      rows: rows.slice(skip, skip + limit),
      next: (shown) => {
        const lastWithMore = rows.slice(0, -1)[skip + shown - 1];
        return lastWithMore && writeCursor([...carried, skip + shown, fingerprint(lastWithMore)]);
      },
    };
  },
};
