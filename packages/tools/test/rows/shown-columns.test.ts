import { expect, it } from "vitest";
import { affordableColumns } from "../../src/query/affordable-columns.ts";
import { readConditions } from "../../src/query/read-conditions.ts";
import { shownColumns } from "../../src/query/shown-columns.ts";
import { zonedTimes } from "../../src/text/time.ts";

const times = zonedTimes("UTC", Date.UTC(2026, 10, 20, 9));

const rowsOf = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, at) => ({
    name: `Truck ${at}`,
    type: "VAN",
    city: "Lyon",
    level: 5,
    weight: 7,
    long: "word ".repeat(14),
    ...more,
  }));

type Options = Partial<Omit<Parameters<typeof shownColumns>[0], "conditions">> & { where?: string };

function shown({ where, ...options }: Options): string {
  const rows = options.rows ?? rowsOf(10);
  const conditions = readConditions(where).map((condition) => ({ ...condition, schema: undefined }));
  const usual = ["name", "type", "city", "empty", "long", "level"];
  const { shown, left } = shownColumns({
    ...{ rows, page: rows, usual, more: ["weight"], asked: [], columns: {}, times, ...options, conditions },
  });
  return [...shown, ...left.map((column) => `-${column}`)].join(" ");
}

it.each<[why: string, Options, string]>([
  ["the usual ones that have values and are affordable", {}, "name type city level -long"],
  ["those that were asked about, at any cost", { asked: ["long", "weight"] }, "name type city long weight -level"],
  ["those in conditions", { where: "weight>1" }, "name type city level weight -long"],
  ["but none with a single possible value", { where: "city=Lyon, weight=7" }, "name type long -level"],
  ["those with several possible values", { where: "city=Lyon|Paris, weight=7|8" }, "name type city level weight -long"],
  ["those that a condition excludes", { where: "city!=Paris" }, "name type city level -long"],
  [
    "those that vary for all that",
    { where: "city=ly", rows: [...rowsOf(4), ...rowsOf(4, { city: "Lyonnais" })] },
    "name type city level -long",
  ],
  ["the name, whatever the conditions are", { where: "name=truck 1", rows: rowsOf(2, { name: "Truck 1" }) }, "name type city long level"],
  ["more for a few rows", { rows: rowsOf(2) }, "name type city long level"],
  ["more fields of a single row", { rows: rowsOf(1) }, "name type city long level weight"],
  [
    "as many of a single row as it may cost",
    { rows: rowsOf(1, { city: "?".repeat(60), long: "?".repeat(99) }) },
    "name type city level weight -long",
  ],
  [
    "what tells more of the same, without leaving out others for it",
    { where: "type!=x", besideOf: (field) => ({ type: "weight", weight: "empty" })[field] },
    "name type city level weight -long",
  ],
  ["what is asked of no rows", { rows: [], asked: ["weight"] }, "weight"],
])("the columns shown are %s", (_, options, columns) => expect(shown(options)).toBe(columns));

it.each([
  [{ a: "one two", b: "three" }, 3, "a"],
  [{ a: "one two", b: "three" }, 5, "a b"],
  [{ a: "sevenletters", b: 7 }, 4, "a"],
  [{ a: "sevenletters", b: 7 }, 5, "a b"],
  [{ a: "ABCDEF", b: 1234 }, 6, "a b"],
  [{ a: "ABCDEF", b: 1234 }, 5, "a"],
  [{ a: "a-b", b: "x 1" }, 8, "a b"],
  [{ a: "a-b", b: "x 1" }, 7, "a"],
  [{ a: "one", b: "two" }, 0, "a"],
  [{ b: "two" }, 4, "a b"],
])("of %j, %d tokens pay for %s", (row, tokens, columns) => {
  expect(affordableColumns([row, row], ["a", "b"], tokens, new Set()).join(" ")).toBe(columns);
  expect(affordableColumns([row], ["a", "b"], tokens, new Set(["b"]))).toEqual(["a", "b"]);
});
