import { describe, expect, it } from "vitest";
import * as z from "zod";
import { readCursor } from "../../src/query/cursor.ts";
import { type Key, rowsAfter } from "../../src/query/keyset.ts";

interface Row {
  rank: number;
  id: string;
}

const row = (rank: number, id: string): Row => ({ rank, id });
const order = { keyOf: ({ rank, id }: Row): Key => [rank, id] };
const ROWS = [row(10, "a"), row(2, "b"), row(2, "B"), row(2, "a"), row(-1, "z")];
const SORTED = [row(-1, "z"), row(2, "B"), row(2, "a"), row(2, "b"), row(10, "a")];

const placeIn = (cursor: string | undefined) => readCursor(cursor, z.unknown());

const ALL = 100;

describe("rows in the order of their keys", () => {
  it("are sorted by number, then by text", async () => {
    expect((await rowsAfter(ROWS, order, { last: undefined }, ALL)).rows).toEqual(SORTED);
    expect((await rowsAfter(ROWS, order, { last: undefined }, 2)).rows).toEqual(SORTED.slice(0, 2));
  });

  it("are sorted by text as requested", async () => {
    const { rows } = await rowsAfter(ROWS, { ...order, compareTexts: (a, b) => -a.localeCompare(b, "en") }, { last: undefined }, ALL);
    expect(rows.map(({ id }) => id)).toEqual(["z", "B", "b", "a", "a"]);
  });

  it.each<[string, Key, number]>([
    ["a row", [2, "a", 0], 3],
    ["a row that is gone", [2, "aa", 0], 3],
    ["the last row", [10, "a", 0], 5],
    ["a place before all", [-5, "", 0], 0],
  ])("continue after %s, %j", async (_, last, skipped) => {
    expect((await rowsAfter(ROWS, order, { last }, ALL)).rows).toEqual(SORTED.slice(skipped));
  });

  it("end each page with the place of its last row, after what every cursor repeats", async () => {
    const { next } = await rowsAfter(ROWS, order, { carried: ["today", 7], last: [-1, "z", 0] }, 3);
    expect(placeIn(next(1))).toEqual(["today", 7, 2, "B", 0]);
    expect(placeIn(next(3))).toEqual(["today", 7, 2, "b", 0]);
    expect([next(0), next(4), next(5)]).toEqual([undefined, undefined, undefined]);
    expect(placeIn((await rowsAfter(ROWS, order, { last: undefined }, 1)).next(1))).toEqual([-1, "z", 0]);
  });

  it("are told apart by their index if their keys are equal", async () => {
    const equal = [row(1, "a"), row(1, "b"), row(1, "b"), row(1, "b"), row(2, "b")];
    const { next } = await rowsAfter(equal, order, { last: undefined }, ALL);
    expect([1, 2, 3, 4].map((shown) => placeIn(next(shown)))).toEqual([
      [1, "a", 0],
      [1, "b", 0],
      [1, "b", 1],
      [1, "b", 2],
    ]);
    expect((await rowsAfter(equal, order, { last: [1, "b", 1] }, 2)).rows).toEqual([row(1, "b"), row(2, "b")]);
  });
});
