import { describe, expect, it } from "vitest";
import { type ClipLimits, cell, clipped, isClipped, singleLine, singleLineOrUndefined, TIGHT_LIMITS } from "../../src/text/clip-values.ts";

it.each([
  ["  Truck\n12\t\u200e north \u2028 ", 20, "Truck 12 north"],
  ["exactly", 7, "exactly"],
  ["too long", 7, "too lo…"],
  ["🚚🚚", 4, "🚚🚚"],
  ["🚚🚚", 3, "🚚…"],
  ["🚚🚚🚚", 4, "🚚…"],
  ["a\ud800b", 10, "a�b"],
  ["\ud800abcdefgh", 4, "�ab…"],
  [`${" ".repeat(40)}ab`, 5, "…"],
  [`${" ".repeat(38)}ab`, 5, "ab"],
  [`a${" ".repeat(39)}b`, 5, "a…"],
  ["x".repeat(121), undefined, `${"x".repeat(119)}…`],
])("%j in at most %s characters is %j", (text, limit, line) => expect(singleLine(text, limit)).toBe(line));

it.each([
  [undefined, undefined],
  ["", undefined],
  [" \n\u200b", undefined],
  [" a ", "a"],
  ["abcd", "ab…"],
])("%j is shown as %j, if at all", (text, line) => expect(singleLineOrUndefined(text, 3)).toBe(line));

const LIMITS: ClipLimits = { cell: 12, text: 6, entries: 2, depth: 2 };

describe("a value in a table and in the record", () => {
  it.each<[string, unknown, string, unknown, boolean]>([
    ["nothing", undefined, "-", undefined, false],
    ["null", null, "-", null, false],
    ["an empty string", "", "-", "", false],
    ["a number", 0, "0", 0, false],
    ["a boolean", false, "false", false, false],
    ["a string", "a|b\nc", "a¦b c", "a|b\nc", false],
    ["a long string", "abcdefghijklm", "abcdefghijk…", "abcde…", true],
    ["a string that fits a cell", "abcdefghijkl", "abcdefghijkl", "abcde…", false],
    ["a list", ["a", "b"], "a, b", ["a", "b"], false],
    ["an empty list", [], "-", [], false],
    ["a long list", [1, 2, 3], "1, 2", [1, 2], true],
    ["a list of long strings", ["abcdefg", "hijklmn"], "abcdefg, hi…", ["abcde…", "hijkl…"], true],
    ["a list that fits a cell", ["abcde", "fghij"], "abcde, fghij", ["abcde", "fghij"], false],
    ["an object", { a: 1, b: undefined }, '{"a":1}', { a: 1 }, false],
    ["an object with many fields", { a: 1, b: 2, c: 3 }, '{"a":1,"b":…', { a: 1, b: 2 }, true],
    ["an object that fits a cell", { abc: 1234 }, '{"abc":1234}', { abc: 1234 }, false],
    ["an object with a long name", { ["n".repeat(65)]: 1 }, '{"nnnnnnnnn…', { [`${"n".repeat(63)}…`]: 1 }, true],
    ["a list of objects", [{ a: 1 }], '[{"a":1}]', [{ a: 1 }], false],
    ["a list of lists", [[1], null], "[[1],null]", [[1], null], false],
    ["nested values", { a: { b: 1 } }, '{"a":{"b":1…', { a: { b: 1 } }, true],
    ["nested lists", [[[1]]], '[["…"]]', [["…"]], true],
    ["deeply nested objects", { a: { b: { c: 1 } } }, '{"a":{"b":"…', { a: { b: "…" } }, true],
    ["a long string inside", { a: "bcdefghijklmn" }, '{"a":"bcdef…', { a: "bcdef…" }, true],
  ])("%s: %j", (_, value, text, record, isCut) => {
    expect(cell(value, LIMITS)).toBe(text);
    expect(clipped(value, LIMITS)).toEqual(record);
    expect(isClipped(value, LIMITS)).toBe(isCut);
  });

  it("has generous limits, and tight ones", () => {
    const value = { list: Array.from({ length: 21 }, (_, at) => at), text: "t".repeat(401) };
    expect(clipped(value)).toEqual({ list: value.list.slice(0, 20), text: `${"t".repeat(399)}…` });
    expect(clipped({ a: { b: [1] }, t: value.text, c: 1, d: 2 }, TIGHT_LIMITS)).toEqual({ a: { b: "…" }, t: `${"t".repeat(39)}…`, c: 1 });
    expect(cell("t".repeat(121))).toBe(`${"t".repeat(119)}…`);
    expect(cell("t".repeat(41), TIGHT_LIMITS)).toBe(`${"t".repeat(39)}…`);
    expect([isClipped("t".repeat(120)), isClipped("t".repeat(121)), isClipped("t".repeat(41), TIGHT_LIMITS)]).toEqual([false, true, true]);
    expect(JSON.stringify(clipped([[[[[[[[[[1]]]]]]]]]]))).toBe('[[[[[[[["…"]]]]]]]]');
    expect(JSON.stringify(clipped([[[[[[[[1]]]]]]]]))).toBe("[[[[[[[[1]]]]]]]]");
  });
});
