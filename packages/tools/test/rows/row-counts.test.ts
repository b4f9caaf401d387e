import { expect, it } from "vitest";
import { countedRows, differentValues } from "../../src/query/row-counts.ts";

const ROWS = [
  { id: "a", city: "Lyon", tags: ["x", "y", "x"], size: { w: 1 } },
  { id: "a", city: "Lyon", tags: [], size: { w: 1 } },
  { id: "b", city: "Aix", tags: ["y"], level: 1, pair: ["b", "a"] },
  { id: "c", city: "", level: "1" },
  { id: undefined, city: null, level: "none" },
];

it.each([
  [
    "city",
    [
      ["Lyon", 2],
      ["none", 2],
      ["Aix", 1],
    ],
  ],
  [
    "tags",
    [
      ["none", 3],
      ["y", 2],
      ["x", 1],
    ],
  ],
  [
    "size",
    [
      ["none", 3],
      ['{"w":1}', 2],
    ],
  ],
  [
    "pair",
    [
      ["none", 4],
      ["a", 1],
      ["b", 1],
    ],
  ],
  [
    "level",
    [
      ["none", 2],
      [1, 1],
      ["1", 1],
      ["none", 1],
    ],
  ],
])("rows are counted by %s", async (field, counts) => {
  expect((await countedRows(ROWS, field, { rows: "rows" })).map((row) => [row[field], row["rows"]])).toEqual(counts);
});

it("vehicles are counted too, unless each value belongs to one", async () => {
  const columns = { rows: "faults", vehicle: { field: "id", column: "vehicles" } };
  expect(await countedRows(ROWS, "city", columns)).toEqual([
    { city: "Lyon", faults: 2, vehicles: 1 },
    { city: "none", faults: 2, vehicles: 2 },
    { city: "Aix", faults: 1, vehicles: 1 },
  ]);
  expect(await countedRows(ROWS.slice(0, 3), "city", columns)).toEqual([
    { city: "Lyon", faults: 2 },
    { city: "Aix", faults: 1 },
  ]);
});

it("different values are counted without missing ones", () => expect(differentValues(ROWS, "id")).toBe(3));
