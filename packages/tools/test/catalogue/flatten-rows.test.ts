import { expect, it } from "vitest";
import { flatRows, valueAt } from "../../src/query/flatten-rows.ts";

const OUTPUT = {
  total: 3,
  items: [
    { name: "a", id: 1, faults: [{ code: "x" }, { code: "y", name: "own" }, "text"] },
    { name: "b", id: 2, faults: [] },
    "text",
    { name: "c", id: 3 },
  ],
};

it.each<[why: string, output: unknown, path: string, keepBare: boolean, entries: number, rows: [entry: number, row: object][]]>([
  [
    "the response itself",
    [{ a: 1 }, 7, { a: 2 }],
    "",
    false,
    2,
    [
      [0, { a: 1 }],
      [1, { a: 2 }],
    ],
  ],
  ["a list in the response", { items: [{ a: 1 }] }, "items", false, 1, [[0, { a: 1 }]]],
  ["a list further inside", { data: { items: [{ a: 1 }] } }, "data.items", false, 1, [[0, { a: 1 }]]],
  [
    "lists in a list, with the fields around them",
    OUTPUT,
    "items.faults",
    false,
    3,
    [
      [0, { name: "a", id: 1, code: "x" }],
      [0, { name: "own", id: 1, code: "y" }],
    ],
  ],
  [
    "entries with an empty list as rows of their own",
    OUTPUT,
    "items.faults",
    true,
    3,
    [
      [0, { name: "a", id: 1, code: "x" }],
      [0, { name: "own", id: 1, code: "y" }],
      [1, { name: "b", id: 2 }],
      [2, { name: "c", id: 3 }],
    ],
  ],
  [
    "lists in lists in a list",
    [{ a: [{ b: [{ c: 1 }, { c: 2 }] }] }],
    "a.b",
    false,
    1,
    [
      [0, { c: 1 }],
      [0, { c: 2 }],
    ],
  ],
  ["no list", { items: 7 }, "items", true, 0, []],
  ["nothing", undefined, "items", false, 0, []],
])("rows are read from %s", (_, output, path, keepBare, entries, rows) => {
  const flat = flatRows(output, path, keepBare);
  expect([flat.entries, flat.rows.map(({ entry, row }) => [entry, row])]).toEqual([entries, rows]);
  expect(flat.rows.filter(({ isBare }) => isBare).length).toBe(keepBare && entries > 0 ? 2 : 0);
});

it.each([
  ["a.b", { a: { b: 7 } }, 7],
  ["a.b", { a: 7 }, undefined],
  ["a.b", undefined, undefined],
  ["a", { a: [1] }, [1]],
])("the value at %s of %j is %j", (path, output, value) => expect(valueAt(path, output)).toEqual(value));
