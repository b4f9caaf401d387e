import { expect, it } from "vitest";
import * as z from "zod";
import { readCursor } from "../../src/query/cursor.ts";
import type { Row } from "../../src/query/list-result.ts";
import { readOrder, sortedPagination } from "../../src/query/row-order.ts";

it.each([
  ["odometer", "odometer", false],
  ["-odometer", "odometer", true],
  [" - odometer ", "odometer", true],
  ["+odometer", "odometer", false],
  ["odometer desc", "odometer", true],
  ["odometer\n  descending", "odometer", true],
  ["odometer:DESC", "odometer", true],
  ["odometer descending", "odometer", true],
  ["odometer asc", "odometer", false],
  ["fuel level desc", "fuel level", true],
  ["description", "description", false],
  ["", "", false],
])("%j orders by %j, descending: %j", (sort, field, isDescending) => expect(readOrder(sort)).toEqual({ field, isDescending }));

const ROWS = [
  { id: "g", value: "Truck 12" },
  { id: "f", value: "Truck 2" },
  { id: "e", value: "2026-11-20T00:00:00Z" },
  { id: "d", value: 10 },
  { id: "c", value: 9 },
  { id: "b", value: true },
  { id: "a", value: ["Truck 3", "x"] },
  { id: "k", value: "2026-11-19T00:00:00Z" },
  { id: "j", value: "" },
  { id: "i" },
  { id: "h", value: 9, name: "x" },
  { id: "l", value: "truck 2" },
  { id: "m", value: `${"z".repeat(32)}b` },
  { id: "n", value: `${"z".repeat(32)}a` },
];

/** The ids of the rows in order, read in pages of this many. */
async function ordered(sort: string, limit: number, field = "value", all: readonly Row[] = ROWS): Promise<string> {
  const pagination = sortedPagination(readOrder(sort), ["name", "id"], () => field);
  const key = z.tuple(pagination.positionSchemas as [z.ZodType<string | number>, ...z.ZodType<string | number>[]]);
  const list = { rows: all.map((row, entry) => ({ row, entry, isBare: false })), entries: all.length };
  const ids: unknown[] = [];
  let last: (string | number)[] | undefined;
  do {
    const { rows, next } = await pagination.page(list, undefined, { last }, limit);
    ids.push(...rows.map(({ row }) => row["id"]));
    last = readCursor(next(rows.length), key);
  } while (last);
  return ids.join("");
}

it.each([
  // Numbers, times, texts, and rows without the value; the rows' names decide between equal values.
  ["value", "bchdkelfagmnij"],
  ["-value", "dchbekmngaflij"],
  ["other", "abcdefgijklmnh", "unheard"],
  ["name", "abcdefgijklmnh", "name"],
  ["-name", "habcdefgijklmn", "name"],
])("ordered by %j: %s", async (sort, ids, field?: string) => {
  for (const limit of [1, 5, 100]) expect(await ordered(sort, limit, field)).toBe(ids);
});

it("rows whose names look the same are all listed, one on each page", async () => {
  const rows = ["Caf\u00e9", "Cafe\u0301"].map((id) => ({ id, name: "x", value: 1 }));
  for (const limit of [1, 2]) expect(await ordered("value", limit, "value", rows)).toBe("Cafe\u0301Caf\u00e9");
});
