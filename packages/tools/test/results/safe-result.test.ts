import { expect, it } from "vitest";
import { safeResult, visibleJson, visibleValue } from "../../src/text/visible-text.ts";

it("only the text of a result may contain line breaks", () => {
  expect(safeResult({ text: "a\nb\u202e", structured: { "a\nb": ["c\nd", 1, null] } })).toEqual({
    text: "a\nb\\u{202e}",
    structured: { "a b": ["c d", 1, null] },
  });
});

it("every invisible character of a value that a user approves is escaped", () => {
  expect(visibleValue({ "a\u200b": ["\\\n", 1] })).toEqual({ "a\\u{200b}": ["\\\\\\n", 1] });
});

it("JSON stays valid when its invisible characters are escaped", () => {
  const value = { "a\u200b": "\\ \n \u{e0041} b" };
  expect(visibleJson(value)).toBe('{"a\\u200b":"\\\\ \\n \\udb40\\udc41 b"}');
  expect(JSON.parse(visibleJson(value))).toEqual(value);
});
