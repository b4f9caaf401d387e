import { expect, it } from "vitest";
import { areAmong, fewestEdits, lettersOf, OutlineTable, outlineOf, outlineOfWords, pairBit } from "../../src/names/outline-table.ts";
import { TimeSlices } from "../../src/runtime/time-slices.ts";

const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789 ";

it("the outline of words is that of the words joined by spaces", () => {
  expect(outlineOfWords(["van", "12", "x"])).toEqual(outlineOf("van 12 x"));
  expect(outlineOf("van 12").length).toBe(6);
  expect(outlineOf("").pairs).toBe(0);
  expect(lettersOf("van")).toBe(outlineOf("van").letters);
});

it("each letter and digit has a bit of its own or, beyond 32, shares one", () => {
  const bits = [...LETTERS].map((letter) => lettersOf(letter));
  expect(new Set(bits.slice(0, 32)).size).toBe(32);
  for (const bit of bits) expect(Math.log2(bit >>> 0) % 1).toBe(0);
});

it("each pair of letters has a bit, which the reverse pair need not have", () => {
  const pairs = [...LETTERS].flatMap((first) => [...LETTERS].map((second) => pairBit(first.charCodeAt(0), second.charCodeAt(0))));
  for (const bit of pairs) expect(Math.log2(bit >>> 0) % 1).toBe(0);
  expect(new Set(pairs).size).toBe(32);
});

it.each([
  ["van", "my van 12", true, 5],
  ["van", "nav", true, 0],
  ["van", "vat", false, 1],
  ["", "van", true, 3],
])("the letters of %j are among those of %j: %s, at least %i edits", (a, b, among, edits) => {
  expect(areAmong(lettersOf(a), lettersOf(b))).toBe(among);
  expect(fewestEdits(lettersOf(a), lettersOf(b))).toBe(edits);
  expect(fewestEdits(lettersOf(b), lettersOf(a))).toBe(edits);
});

it("a row is free for another once it is removed, and a removed one is near nothing", async () => {
  const table = new OutlineTable<string>();
  const words = Array.from({ length: 600 }, (_, at) => `w${at}`);
  const rows = words.map((word) => table.add(word, outlineOf(word)));
  expect(rows).toEqual(words.map((_, at) => at));
  table.remove(7);
  const visited = async (near: number) => {
    const found: number[] = [];
    await table.visit(
      (_, __, length) => Math.abs(length - near) <= 10,
      new TimeSlices(),
      (row) => found.push(row),
    );
    return found;
  };
  expect([table.at(7), table.at(8)]).toEqual([undefined, "w8"]);
  expect(await visited(2)).toEqual(rows.filter((row) => row !== 7));
  expect(table.add("new", outlineOf("new"))).toBe(7);
  expect(table.add("newer", outlineOf("newer"))).toBe(600);
  expect(await visited(2)).toHaveLength(601);
});
