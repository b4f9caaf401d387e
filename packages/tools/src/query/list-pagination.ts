import type { Operation, Paging } from "@fleetwire/core";
import { jsonSchemaOf, requestFields } from "@fleetwire/core";
import * as z from "zod";
import { fingerprint } from "../text/fingerprint.ts";
import { writeCursor } from "./cursor.ts";
import { type FlatRow, type FlatRows, valueAt } from "./flatten-rows.ts";
import { type CursorParts, type Key, type Order, rowsAfter } from "./keyset.ts";
import type { Row } from "./list-result.ts";
import { MAX_LIMIT } from "./tool-input.ts";

/** A page of rows, and where the next page begins. */
interface Page {
  rows: FlatRow[];
  /** Returns the cursor for the page after the first `shown` rows; undefined at the end. */
  next: (shown: number) => string | undefined;
}

/** A way to page through a list. */
export interface ListPagination {
  /** Schemas for the parts of a position in the list. */
  positionSchemas: readonly [z.ZodType, ...z.ZodType[]];
  /** Returns the input fields that request the page at a position, or the first page if it is undefined. */
  inputFields: (place: Key | undefined, limit: number) => Readonly<Record<string, number>>;
  page: (flat: FlatRows, output: unknown, cursor: CursorParts, limit: number) => Page | Promise<Page>;
}

const Count = z.int().min(0);

const counts = (place: Key | undefined, start: readonly number[]) => (place ?? start) as readonly number[];

const numberAt = (path: string, output: unknown): number | undefined => {
  const value = valueAt(path, output);
  return typeof value === "number" ? value : undefined;
};

/** Caps the limit at the operation's maximum. */
export function cappedLimit(operation: Operation, field: string): (limit: number) => number {
  const { schema } = requestFields(operation)[field] ?? {};
  const { maximum } = schema ? jsonSchemaOf(schema, { side: "input" }) : {};
  return (limit) => (typeof maximum === "number" ? Math.min(limit, maximum) : limit);
}

/**
 * Paginates by page. A position is page size, page index and rows to skip. The first page's size is kept, because the index depends on it;
 * it is the service's own if that is smaller than requested.
 */
function pagePagination(
  operation: Operation,
  { index, size, pageSize: ownSize = "", totalPages, totalItems }: Extract<Paging, { kind: "page" }>,
): ListPagination {
  const pageLimit = cappedLimit(operation, size);
  const read = (place: Key | undefined, limit: number) => counts(place, [pageLimit(limit), 0, 0]) as readonly [number, number, number];
  return {
    positionSchemas: [Count.min(1).max(MAX_LIMIT), Count, Count],
    inputFields: (place, limit) => {
      const [pageSize, pageIndex] = read(place, limit);
      return { [size]: pageSize, [index]: pageIndex };
    },
    page: ({ rows, entries }, output, { carried = [], last }, limit) => {
      const [pageSize, pageIndex, skipped] = read(last, limit);
      const [pages, items, own] = [totalPages, totalItems, ownSize].map((path) => numberAt(path, output));
      const isCapped = pageIndex === 0 && pages === undefined && entries > 0 && entries < pageSize;
      const actualSize = Math.max(1, Math.min(own ?? pageSize, isCapped ? entries : pageSize));
      const lacksItems = items !== undefined && pageIndex * actualSize + entries < items;
      // The number of pages may be rounded down.
      const hasMore = pages === undefined ? lacksItems : pageIndex + 1 < pages || (lacksItems && items > pages * actualSize);
      // The service may send smaller pages than requested, so without totals, only an empty one is the last.
      const isLast = entries === 0 || ((pages !== undefined || items !== undefined) && !hasMore);
      return {
        rows: rows.slice(skipped, skipped + limit),
        next: (shown) => {
          if (skipped + shown < rows.length) return writeCursor([...carried, pageSize, pageIndex, skipped + shown]);
          return isLast ? undefined : writeCursor([...carried, actualSize, pageIndex + 1, 0]);
        },
      };
    },
  };
}

/** Paginates by offset. A position is the number of records to skip, and of rows to skip in the next record. */
function offsetPagination(operation: Operation, { skip, limit: most, totalItems }: Extract<Paging, { kind: "offset" }>): ListPagination {
  const pageLimit = cappedLimit(operation, most);
  return {
    positionSchemas: [Count, Count],
    inputFields: (place, limit) => ({ [skip]: counts(place, [0, 0])[0] ?? 0, [most]: pageLimit(limit) }),
    page: ({ rows, entries }, output, { carried = [], last }, limit) => {
      const [records = 0, skipped = 0] = counts(last, [0, 0]);
      const total = numberAt(totalItems, output);
      const rest = rows.slice(skipped);
      return {
        rows: rest.slice(0, limit),
        next: (shown) => {
          const at = rest[shown];
          if (at) return writeCursor([...carried, records + at.entry, skipped + shown - rows.findIndex(({ entry }) => entry === at.entry)]);
          // A total below what has arrived counts something else.
          const hasMore = entries > 0 && (total === undefined || total !== records + entries);
          return hasMore ? writeCursor([...carried, records + entries, 0]) : undefined;
        },
      };
    },
  };
}

/** Returns the number of rows to skip. If rows have been added or removed since, it is found from the last row shown. */
function skipIn(rows: readonly Row[], skipped: number, lastShown: string): number {
  const isLast = (row: Row | undefined) => row !== undefined && fingerprint(row) === lastShown;
  const last = isLast(rows[skipped - 1]) ? skipped - 1 : rows.findIndex(isLast);
  return last === -1 ? skipped : last + 1;
}

/** Paginates a list that arrives as a whole. A position is the number of rows to skip, and the fingerprint of the last row shown. */
export const wholeListPagination: ListPagination = {
  positionSchemas: [Count, z.string()],
  inputFields: () => ({}),
  page: ({ rows }, _, { carried = [], last }, limit) => {
    const [skipped, lastShown] = (last ?? []) as [number?, string?];
    const skip =
      skipped === undefined
        ? 0
        : skipIn(
            rows.map(({ row }) => row),
            skipped,
            lastShown ?? "",
          );
    return {
      rows: rows.slice(skip, skip + limit),
      next: (shown) => {
        const lastWithMore = rows.slice(0, -1)[skip + shown - 1];
        return lastWithMore && writeCursor([...carried, skip + shown, fingerprint(lastWithMore.row)]);
      },
    };
  },
};

/** Paginates by sort key, for a list that arrives as a whole but in no stable order. `members` are the schemas of the key's parts. */
export function keysetPagination(members: readonly [z.ZodType, ...z.ZodType[]], { keyOf, ...order }: Order<Row>): ListPagination {
  return {
    positionSchemas: [...members, Count],
    inputFields: () => ({}),
    page: ({ rows }, _, cursor, limit) => rowsAfter(rows, { ...order, keyOf: ({ row }: FlatRow) => keyOf(row) }, cursor, limit),
  };
}

/** Derives the pagination from the operation. */
export function paginationOf(operation: Operation): ListPagination {
  const { paging } = operation;
  if (!paging) return wholeListPagination;
  return paging.kind === "page" ? pagePagination(operation, paging) : offsetPagination(operation, paging);
}
