import { defineOperation, type Operation } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { readCursor } from "../../src/query/cursor.ts";
import type { Key } from "../../src/query/keyset.ts";
import { type ListPagination, paginationOf, wholeListPagination } from "../../src/query/list-pagination.ts";

const listOf = (paging: Operation["paging"]): Operation =>
  defineOperation({
    ...{ name: "listTrips", summary: "List trips", source: "our own notes", method: "GET", path: "/trips" },
    ...{ servers: ["base"], auth: ["basic"], effect: "read" },
    query: { index: z.int().optional(), size: z.int().max(50).optional() },
    output: z.object({ items: z.array(z.object({})), total: z.int().optional(), pages: z.int().optional() }),
    ...(paging && { paging }),
  }) as Operation;

const COMMON = { items: "items", totalItems: "total" };
const byPage = paginationOf(listOf({ kind: "page", index: "index", size: "size", totalPages: "pages", ...COMMON }));
const byOffset = paginationOf(listOf({ kind: "offset", skip: "index", limit: "size", ...COMMON }));

/** Rows of which each entry of the response has these many. */
const flatOf = (...counts: number[]) => ({
  rows: counts.flatMap((count, entry) =>
    Array.from({ length: count }, (_, at) => ({ row: { id: `${entry}.${at}` }, entry, isBare: false })),
  ),
  entries: counts.length,
});

const placeIn = (cursor: string | undefined) => readCursor(cursor, z.unknown());

/** The ids on a page, and where the next page begins if this many of its rows are shown. */
async function page(
  pagination: ListPagination,
  flat: ReturnType<typeof flatOf>,
  output: unknown,
  last: Key | undefined,
  limit: number,
  most = limit,
) {
  const { rows, next } = await pagination.page(flat, output, { carried: ["x"], last }, limit);
  return [rows.map(({ row }) => row["id"]).join(" "), placeIn(next(Math.min(most, rows.length)))];
}

describe("by page", () => {
  it.each<[Key | undefined, number, object]>([
    [undefined, 20, { size: 20, index: 0 }],
    [undefined, 500, { size: 50, index: 0 }],
    [[20, 3, 5], 10, { size: 20, index: 3 }],
  ])("the place %j is requested, up to %d rows, as %j", (place, limit, fields) => expect(byPage.inputFields(place, limit)).toEqual(fields));

  it.each<[why: string, entries: number[], output: object, last: Key | undefined, limit: number, expected: unknown[]]>([
    ["a full page", [1, 1], {}, undefined, 2, ["0.0 1.0", ["x", 2, 1, 0]]],
    ["a short page without totals", [1], {}, undefined, 2, ["0.0", ["x", 1, 1, 0]]],
    ["an empty page without totals", [], {}, [2, 1, 0], 2, ["", undefined]],
    ["a full page of all", [1, 1], { total: 2 }, undefined, 2, ["0.0 1.0", undefined]],
    ["a page smaller than requested", [1, 1], { total: 3 }, undefined, 5, ["0.0 1.0", ["x", 2, 1, 0]]],
    ["the last of those pages", [1], { total: 3 }, [2, 1, 0], 5, ["0.0", undefined]],
    ["the last of pages rounded down", [1, 1], { pages: 1, total: 3 }, undefined, 2, ["0.0 1.0", ["x", 2, 1, 0]]],
    ["the last page if the total counts rows", [2, 2], { pages: 1, total: 4 }, undefined, 5, ["0.0 0.1 1.0 1.1", undefined]],
    ["an empty page", [], { pages: 9 }, undefined, 2, ["", undefined]],
    ["a short page of several", [1], { pages: 2 }, undefined, 2, ["0.0", ["x", 2, 1, 0]]],
    ["the last of several", [1, 1], { pages: 2 }, [2, 1, 0], 2, ["0.0 1.0", undefined]],
    ["the last but one", [1, 1], { pages: 3 }, [2, 1, 0], 2, ["0.0 1.0", ["x", 2, 2, 0]]],
    ["part of a page", [3, 1], {}, undefined, 2, ["0.0 0.1", ["x", 2, 0, 2]]],
    ["the rest of a page", [3, 1], {}, [2, 0, 2], 2, ["0.2 1.0", ["x", 2, 1, 0]]],
  ])("%s ends with the next place", async (_, entries, output, last, limit, expected) => {
    expect(await page(byPage, flatOf(...entries), output, last, limit)).toEqual(expected);
  });

  it("the next page begins after the rows shown", async () => {
    expect(await page(byPage, flatOf(1, 1, 1), {}, [3, 4, 1], 3, 1)).toEqual(["1.0 2.0", ["x", 3, 4, 2]]);
  });
});

describe("by offset", () => {
  it.each<[Key | undefined, number, object]>([
    [undefined, 20, { index: 0, size: 20 }],
    [undefined, 500, { index: 0, size: 50 }],
    [[30, 2], 10, { index: 30, size: 10 }],
  ])("the place %j is requested, up to %d rows, as %j", (place, limit, fields) =>
    expect(byOffset.inputFields(place, limit)).toEqual(fields),
  );

  it.each<[why: string, entries: number[], output: object, last: Key | undefined, limit: number, expected: unknown[]]>([
    ["a page without a total", [1, 1], {}, undefined, 2, ["0.0 1.0", ["x", 2, 0]]],
    ["an empty page", [], {}, undefined, 2, ["", undefined]],
    ["a page with a total below what has arrived", [1, 1], { total: 3 }, [10, 0], 2, ["0.0 1.0", ["x", 12, 0]]],
    ["the last of all", [1, 1], { total: 12 }, [10, 0], 2, ["0.0 1.0", undefined]],
    ["the last but one", [1, 1], { total: 13 }, [10, 0], 2, ["0.0 1.0", ["x", 12, 0]]],
    ["part of an entry", [1, 3], {}, [10, 0], 2, ["0.0 1.0", ["x", 11, 1]]],
    ["the rest of an entry", [3, 1], {}, [11, 1], 1, ["0.1", ["x", 11, 2]]],
    ["the rest of an entry, and another one", [3, 2], {}, [11, 2], 2, ["0.2 1.0", ["x", 12, 1]]],
  ])("%s ends with the next place", async (_, entries, output, last, limit, expected) => {
    expect(await page(byOffset, flatOf(...entries), output, last, limit)).toEqual(expected);
  });
});

describe("a whole list", () => {
  const placeAfter = async (shown: number) => {
    const { next } = await wholeListPagination.page(flatOf(1, 1, 1, 1), undefined, { last: undefined }, 10);
    return placeIn(next(shown)) as Key;
  };

  it("continues after its last row shown, even if rows were added or removed", async () => {
    const last = await placeAfter(2);
    expect(last[0]).toBe(2);
    expect((await page(wholeListPagination, flatOf(1, 1, 1, 1), undefined, last, 2))[0]).toBe("2.0 3.0");
    const { rows, entries } = flatOf(1, 1, 1, 1);
    const added = { rows: [{ row: { id: "new" }, entry: 0, isBare: false }, ...rows], entries };
    expect((await page(wholeListPagination, added, undefined, last, 2))[0]).toBe("2.0 3.0");
    const [, , ...gone] = rows;
    expect((await page(wholeListPagination, { rows: gone, entries }, undefined, last, 2))[0]).toBe("");
  });

  it("begins with the first rows, and ends with the last", async () => {
    expect(await page(wholeListPagination, flatOf(1, 1, 1), undefined, undefined, 2)).toEqual(["0.0 1.0", ["x", 2, expect.any(String)]]);
    expect(await page(wholeListPagination, flatOf(1, 1), undefined, undefined, 2)).toEqual(["0.0 1.0", undefined]);
    expect(wholeListPagination.inputFields([2, "x"], 2)).toEqual({});
    expect(paginationOf(listOf(undefined))).toBe(wholeListPagination);
  });
});

const PAGINATIONS = { "by page": byPage, "by offset": byOffset, "of a whole list": wholeListPagination };

it.each<[keyof typeof PAGINATIONS, Key, boolean]>([
  ["by page", [500, 0, 0], true],
  ["by page", [0, 0, 0], false],
  ["by page", [501, 0, 0], false],
  ["by page", [1, -1, 0], false],
  ["by page", [1, 0], false],
  ["by offset", [0, 0], true],
  ["by offset", [0.5, 0], false],
  ["of a whole list", [0, "x"], true],
  ["of a whole list", ["x", 0], false],
])("a place %s, %j, is accepted: %j", (name, place, isAccepted) => {
  const { positionSchemas } = PAGINATIONS[name];
  expect(z.tuple(positionSchemas as [z.ZodType, ...z.ZodType[]]).safeParse(place).success).toBe(isAccepted);
});
